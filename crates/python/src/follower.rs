//! Takes what threads hand over, while the program runs.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Duration;

use calltrace::{Gap, Word};

use crate::blocks::{Block, New, Shared};
use crate::endings;

/// How long events stay in memory alone.
const INTERVAL: Duration = Duration::from_millis(50);

/// Words that are taken at once.
const MOST_WORDS: usize = 1 << 17;

/// What becomes of events.
pub(crate) trait Consumer: Send + 'static {
    /// Functions, threads and tasks, before the events that are about them. Blocks and the end are not told here.
    fn new_things(&mut self, new: New) -> io::Result<()>;

    /// Events of a thread were lost before those that follow.
    fn lost(&mut self, gap: Gap) -> io::Result<()>;

    /// Events of a thread; `start` where they are the first of their block, the ticks that they are after.
    /// Gives how many there are.
    fn events(
        &mut self,
        thread: u32,
        start: Option<u64>,
        words: &mut dyn Iterator<Item = Word>,
    ) -> io::Result<u64>;

    /// A round is over.
    fn rest(&mut self, round: u32) -> io::Result<()>;

    /// Nothing more comes; `sites` of calls were switched off.
    fn end(&mut self, reason: String, events: u64, sites: u64) -> io::Result<()>;
}

/// The end of all threads' events.
pub(crate) struct Follower<C> {
    consumer: C,
    shared: Arc<Shared>,
    threads: HashMap<u32, Waiting>,
    events: u64,
}

/// Blocks of a thread.
#[derive(Default)]
struct Waiting {
    blocks: VecDeque<Arc<Block>>,
    /// Words of the first block that were taken, and whether it was looked at.
    taken: usize,
    is_begun: bool,
}

impl<C: Consumer> Follower<C> {
    /// Begins, in a thread of its own; that gives the number of events in the end.
    pub(crate) fn start(
        consumer: C,
        shared: Arc<Shared>,
    ) -> io::Result<JoinHandle<io::Result<u64>>> {
        let mut follower = Follower { consumer, shared, threads: HashMap::new(), events: 0 };
        let run = move || {
            endings::block_signals();
            let result = follower.run();
            endings::written();
            if result.is_err() {
                follower.shared.has_failed.store(true, Ordering::Relaxed);
            }
            result
        };
        std::thread::Builder::new().name("hotframe-writer".to_owned()).spawn(run)
    }

    fn run(&mut self) -> io::Result<u64> {
        let mut round = 0u32;
        loop {
            // Asked first, so that all that came before is taken.
            let asked = endings::why_to_end();
            let new = std::mem::take(&mut *self.shared.new_ones());
            let end = new.end.clone().or_else(|| asked.map(str::to_owned));
            let sites = new.sites;
            self.write_new(new)?;
            self.drain()?;
            if let Some(reason) = end {
                self.consumer.end(reason, self.events, sites)?;
                return Ok(self.events);
            }
            self.consumer.rest(round)?;
            round = round.wrapping_add(1);
            if self.shared.waiting.load(Ordering::Relaxed) <= self.threads.len() + 1 {
                std::thread::park_timeout(INTERVAL);
            }
        }
    }

    /// What events are about comes before them.
    fn write_new(&mut self, mut new: New) -> io::Result<()> {
        for block in std::mem::take(&mut new.blocks) {
            self.threads.entry(block.thread).or_default().blocks.push_back(block);
        }
        self.consumer.new_things(new)
    }

    /// Takes all events that there are. Those of functions that came meanwhile wait for the next round.
    fn drain(&mut self) -> io::Result<()> {
        let mut threads = std::mem::take(&mut self.threads);
        // What is there now has its functions told; a look at lengths after the names were taken would not.
        for waiting in threads.values_mut() {
            while let Some(block) = waiting.blocks.front().cloned() {
                let (length, is_done) = block.length();
                let mut start = (waiting.taken == 0).then_some(block.start);
                if !std::mem::replace(&mut waiting.is_begun, true)
                    && let Some(gap) = block.gap
                {
                    self.consumer.lost(gap)?;
                }
                self.late_names()?;
                while waiting.taken < length {
                    let end = length.min(waiting.taken + MOST_WORDS);
                    let mut words = block.words(waiting.taken..end);
                    self.events += self.consumer.events(block.thread, start.take(), &mut words)?;
                    waiting.taken = end;
                }
                if !is_done {
                    break;
                }
                waiting.blocks.pop_front();
                (waiting.taken, waiting.is_begun) = (0, false);
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
        self.write_new(New { functions, threads, ..New::default() })
    }
}
