//! Events between the threads that they are of and the writer.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use calltrace::{Function, Gap, Happened, Logged, Word};

use crate::clock;

/// Words of the first block of a thread, and of those behind.
const FIRST: usize = 1 << 12;
const LATER: usize = 1 << 17;

/// Blocks that wait for the writer at most, 1 MiB each. Beyond, events are lost, which is told.
const MOST_WAITING: usize = 128;

/// Events of a thread in order. The thread appends, the writer reads what is there.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) thread: u32,
    /// Ticks that the first event is after.
    pub(crate) start: u64,
    /// Events that were lost before.
    pub(crate) gap: Option<Gap>,
    words: Box<[AtomicU64]>,
    length: AtomicUsize,
    /// Whether nothing more comes.
    is_done: AtomicBool,
}

impl Block {
    fn new(thread: u32, start: u64, gap: Option<Gap>, room: usize) -> Block {
        let words = std::iter::repeat_with(|| AtomicU64::new(0)).take(room).collect();
        let (length, is_done) = (AtomicUsize::new(0), AtomicBool::new(false));
        Block { thread, start, gap, words, length, is_done }
    }

    /// How many words there are, and whether more may come.
    pub(crate) fn length(&self) -> (usize, bool) {
        let is_done = self.is_done.load(Ordering::Acquire);
        (self.length.load(Ordering::Acquire), is_done)
    }

    /// Words of a range that is there.
    pub(crate) fn words(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = Word> {
        self.words[range].iter().map(|word| Word(word.load(Ordering::Relaxed)))
    }

    /// Nothing more comes.
    pub(crate) fn finish(&self) {
        self.is_done.store(true, Ordering::Release);
    }
}

/// What threads hand over to the writer.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// Functions, threads and blocks that are new.
    pub(crate) new: Mutex<New>,
    /// Blocks that are not written yet.
    pub(crate) waiting: AtomicUsize,
    /// Whether the writer has given up.
    pub(crate) has_failed: AtomicBool,
}

/// What the writer has not seen.
#[derive(Debug, Default)]
pub(crate) struct New {
    pub(crate) functions: Vec<Function>,
    pub(crate) threads: Vec<(u32, u64, String)>,
    pub(crate) demoted: Vec<calltrace::Demotion>,
    pub(crate) tasks: Vec<(u32, String)>,
    pub(crate) blocks: Vec<Arc<Block>>,
    /// Values that were asked for, and how many were lost.
    pub(crate) logged: (Vec<Logged>, u64),
    /// Whether the trace is over, and why.
    pub(crate) end: Option<String>,
    /// Places whose calls are no longer seen.
    pub(crate) sites: u64,
}

/// Values that wait to be written.
const MOST_LOGGED: usize = 100_000;

impl New {
    pub(crate) fn log(&mut self, one: Logged) {
        let (logged, lost) = &mut self.logged;
        if logged.len() < MOST_LOGGED {
            logged.push(one);
        } else {
            *lost += 1;
        }
    }
}

impl Shared {
    /// What is new, for one user at a time.
    pub(crate) fn new_ones(&self) -> std::sync::MutexGuard<'_, New> {
        self.new.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end that a thread appends to.
#[derive(Debug)]
pub(crate) struct Appender {
    shared: Arc<Shared>,
    block: Arc<Block>,
    at: usize,
    last: u64,
    lost: Option<Gap>,
}

impl Appender {
    pub(crate) fn new(shared: Arc<Shared>, thread: u32) -> Appender {
        let last = clock::ticks();
        let block = Arc::new(Block::new(thread, last, None, FIRST));
        shared.waiting.fetch_add(1, Ordering::Relaxed);
        shared.new_ones().blocks.push(block.clone());
        Appender { shared, block, at: 0, last, lost: None }
    }

    /// Whose events these are, by its number in the trace.
    pub(crate) fn thread(&self) -> Option<u32> {
        Some(self.block.thread)
    }

    /// Appends an event that happens now, of an activation where it has one, and gives the time.
    #[inline]
    pub(crate) fn push(
        &mut self,
        happened: Happened,
        function: u32,
        activation: Option<u32>,
    ) -> u64 {
        let now = clock::ticks();
        // Words for all that an event can take.
        if self.at + 3 > self.block.words.len() && !self.next_block(now) {
            return now;
        }
        let since = now.saturating_sub(self.last);
        self.last = self.last.max(now);
        let put = |place: usize, word: Word| {
            self.block.words[place].store(word.0, Ordering::Relaxed);
        };
        let mut at = self.at;
        if let Some(activation) = activation {
            put(at, Word::new(Happened::Activation, activation, 0));
            at += 1;
        }
        if since > u64::from(u32::MAX) {
            put(at, Word::new(Happened::Far, (since >> 32) as u32, 0));
            at += 1;
        }
        put(at, Word::new(happened, function, since as u32));
        self.at = at + 1;
        self.block.length.store(self.at, Ordering::Release);
        now
    }

    /// Goes on in another block; where there is no room, the event is lost.
    #[cold]
    fn next_block(&mut self, now: u64) -> bool {
        self.block.finish();
        let waiting = self.shared.waiting.load(Ordering::Relaxed);
        if waiting >= MOST_WAITING || self.shared.has_failed.load(Ordering::Relaxed) {
            let thread = self.block.thread;
            let gap = self.lost.get_or_insert(Gap { thread, first: now, last: now, events: 0 });
            gap.last = now;
            gap.events += 1;
            return false;
        }
        let block = Block::new(self.block.thread, self.last, self.lost.take(), LATER);
        self.block = Arc::new(block);
        self.at = 0;
        self.shared.waiting.fetch_add(1, Ordering::Relaxed);
        self.shared.new_ones().blocks.push(self.block.clone());
        true
    }
}

impl Drop for Appender {
    fn drop(&mut self) {
        self.block.finish();
        if let Some(gap) = self.lost.take() {
            let block = Block::new(gap.thread, gap.last, Some(gap), 0);
            block.finish();
            self.shared.waiting.fetch_add(1, Ordering::Relaxed);
            self.shared.new_ones().blocks.push(Arc::new(block));
        }
    }
}
