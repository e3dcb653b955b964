//! Writes a trace while the program runs.

use std::collections::{HashMap, VecDeque};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Duration;

use calltrace::{Packer, Section};

use crate::blocks::{Block, New, Shared};
use crate::clock;

/// How long events stay in memory alone.
const INTERVAL: Duration = Duration::from_millis(50);

/// How hard zstd tries.
const LEVEL: i32 = 3;

/// Words of one section of events.
const MOST_WORDS: usize = 1 << 17;

/// Where a trace goes.
pub(crate) type Sink = Box<dyn Write + Send>;

/// A file that is written.
pub(crate) struct Writer {
    file: Sink,
    shared: Arc<Shared>,
    shift: u32,
    threads: HashMap<u32, Waiting>,
    compressor: zstd::bulk::Compressor<'static>,
    events: u64,
}

/// Blocks of a thread.
#[derive(Default)]
struct Waiting {
    blocks: VecDeque<Arc<Block>>,
    /// Words of the first block that are written, and whether it was begun.
    written: usize,
    is_begun: bool,
    /// Ticks that the next event is after.
    start: u64,
    packer: Packer,
}

impl Writer {
    /// Begins to write into a file that has the process' section already.
    pub(crate) fn start(
        file: Sink,
        shared: Arc<Shared>,
        shift: u32,
    ) -> io::Result<JoinHandle<io::Result<u64>>> {
        let compressor = zstd::bulk::Compressor::new(LEVEL)?;
        let mut writer =
            Writer { file, shared, shift, threads: HashMap::new(), compressor, events: 0 };
        let run = move || {
            let result = writer.run();
            if result.is_err() {
                writer.shared.has_failed.store(true, Ordering::Relaxed);
            }
            result
        };
        std::thread::Builder::new().name("hotframe-writer".to_owned()).spawn(run)
    }

    fn run(&mut self) -> io::Result<u64> {
        let mut anchored = 0u32;
        loop {
            let new = std::mem::take(&mut *self.shared.new_ones());
            let end = new.end.clone();
            let sites = new.sites;
            self.told(new)?;
            self.drain()?;
            if anchored.is_multiple_of(20) || end.is_some() {
                self.put(&Section::Anchor(clock::anchor()))?;
            }
            anchored = anchored.wrapping_add(1);
            if let Some(reason) = end {
                self.put(&Section::End { reason, events: self.events, sites })?;
                return Ok(self.events);
            }
            if self.shared.waiting.load(Ordering::Relaxed) <= self.threads.len() + 1 {
                std::thread::park_timeout(INTERVAL);
            }
        }
    }

    fn put(&mut self, section: &Section) -> io::Result<()> {
        self.file.write_all(&section.bytes())
    }

    /// What events are about comes before them.
    fn told(&mut self, new: New) -> io::Result<()> {
        let New { functions, threads, demoted, tasks, blocks, .. } = new;
        for functions in functions.chunks(1 << 12) {
            self.put(&Section::Functions(functions.to_vec()))?;
        }
        for (number, id, name) in threads {
            self.put(&Section::Thread { number, id, name })?;
        }
        for demotion in demoted {
            self.put(&Section::Demoted(demotion))?;
        }
        for tasks in tasks.chunks(1 << 12) {
            self.put(&Section::Tasks(tasks.to_vec()))?;
        }
        for block in blocks {
            self.threads.entry(block.thread).or_default().blocks.push_back(block);
        }
        Ok(())
    }

    /// Writes all events that there are. Those of functions that came meanwhile wait for the next round.
    fn drain(&mut self) -> io::Result<()> {
        let mut threads = std::mem::take(&mut self.threads);
        // What is there now has its functions told; a look at lengths after the names were taken would not.
        for waiting in threads.values_mut() {
            while let Some(block) = waiting.blocks.front().cloned() {
                let (length, is_done) = block.length();
                if !waiting.is_begun {
                    waiting.is_begun = true;
                    waiting.start = block.start;
                    if let Some(gap) = block.gap {
                        waiting.packer.lost();
                        self.put(&Section::Gap(gap))?;
                    }
                }
                self.late_names()?;
                while waiting.written < length {
                    let end = length.min(waiting.written + MOST_WORDS);
                    self.events(&block, waiting, end)?;
                }
                if !is_done {
                    break;
                }
                waiting.blocks.pop_front();
                (waiting.written, waiting.is_begun) = (0, false);
                self.shared.waiting.fetch_sub(1, Ordering::Relaxed);
            }
        }
        threads.retain(|_, waiting| !waiting.blocks.is_empty());
        self.threads = threads;
        Ok(())
    }

    /// Functions that were met since.
    fn late_names(&mut self) -> io::Result<()> {
        let mut new = self.shared.new_ones();
        let functions = std::mem::take(&mut new.functions);
        let threads = std::mem::take(&mut new.threads);
        drop(new);
        self.told(New { functions, threads, ..New::default() })
    }

    fn events(&mut self, block: &Block, waiting: &mut Waiting, end: usize) -> io::Result<()> {
        let words = block.words(waiting.written..end);
        let packed = waiting.packer.pack(words, self.shift);
        let frame = self.compressor.compress(&packed.bytes)?;
        let length = packed.bytes.len() as u32;
        let (thread, start, events) = (block.thread, waiting.start, packed.events);
        self.put(&Section::Events { thread, start, events, length, frame })?;
        waiting.start = waiting.start.wrapping_add(packed.ticks);
        waiting.written = end;
        self.events += events;
        Ok(())
    }
}
