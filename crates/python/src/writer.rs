//! Writes a trace.

use std::collections::HashMap;
use std::io::{self, Write};

use calltrace::{Gap, Packer, Section, Word};

use crate::blocks::New;
use crate::clock;
use crate::follower::Consumer;

/// How hard zstd tries.
const LEVEL: i32 = 3;

/// Where a trace goes.
pub(crate) type Sink = Box<dyn Write + Send>;

/// A file that is written.
pub(crate) struct Writer {
    file: Sink,
    shift: u32,
    threads: HashMap<u32, Packing>,
    compressor: zstd::bulk::Compressor<'static>,
}

/// Events of a thread on their way to the file.
#[derive(Default)]
struct Packing {
    packer: Packer,
    /// Ticks that the next event is after.
    start: u64,
}

impl Writer {
    /// Of a file that has the process' section already.
    pub(crate) fn new(file: Sink, shift: u32) -> io::Result<Writer> {
        let compressor = zstd::bulk::Compressor::new(LEVEL)?;
        Ok(Writer { file, shift, threads: HashMap::new(), compressor })
    }

    fn put(&mut self, section: &Section) -> io::Result<()> {
        self.file.write_all(&section.bytes())
    }
}

impl Consumer for Writer {
    fn new_things(&mut self, new: New) -> io::Result<()> {
        let New { functions, threads, demoted, tasks, logged: (logged, lost), .. } = new;
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
        if lost > 0 {
            self.put(&Section::Logged(vec![], lost))?;
        }
        for logged in logged.chunks(1 << 10) {
            self.put(&Section::Logged(logged.to_vec(), 0))?;
        }
        Ok(())
    }

    fn lost(&mut self, gap: Gap) -> io::Result<()> {
        self.threads.entry(gap.thread).or_default().packer.lost();
        self.put(&Section::Gap(gap))
    }

    fn events(
        &mut self,
        thread: u32,
        start: Option<u64>,
        words: &mut dyn Iterator<Item = Word>,
    ) -> io::Result<u64> {
        let packing = self.threads.entry(thread).or_default();
        let start = start.unwrap_or(packing.start);
        let packed = packing.packer.pack(words, self.shift);
        packing.start = start.wrapping_add(packed.ticks);
        let frame = self.compressor.compress(&packed.bytes)?;
        let length = packed.bytes.len() as u32;
        let events = packed.events;
        self.put(&Section::Events { thread, start, events, length, frame })?;
        Ok(events)
    }

    fn rest(&mut self, round: u32) -> io::Result<()> {
        if round.is_multiple_of(20) { self.put(&Section::Anchor(clock::anchor())) } else { Ok(()) }
    }

    fn end(&mut self, reason: String, events: u64, sites: u64) -> io::Result<()> {
        self.put(&Section::Anchor(clock::anchor()))?;
        self.put(&Section::End { reason, events, sites })
    }
}
