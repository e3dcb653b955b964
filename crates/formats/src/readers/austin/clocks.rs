//! When samples were taken. Each tells how long it was since the one before; nothing tells more.
//!
//! ```text
//! P1;T1 8   P1;T2 8   P1;T1 9   P2;T5 3   P1;T2 9
//! |---- round 1 ----| |---------- round 2 ------|     rounds of process 1: 0..8, 8..17
//!                               |                     process 2 begins at 17, where 1 is by then
//! ```
//! A process is sampled in rounds, each thread once; a round is as long as its longest sample.

use hashbrown::HashMap;
use profile::{ProcessId, ThreadId};

#[derive(Debug, Default)]
pub(super) struct Clocks {
    processes: HashMap<Option<ProcessId>, Clock>,
    /// By thread, the last round that it was in.
    rounds: Vec<u64>,
    /// The latest time, in nanoseconds.
    pub(super) latest: i64,
}

#[derive(Debug)]
struct Clock {
    round: u64,
    begin: i64,
    length: i64,
}

impl Clocks {
    /// When a sample began that lasted some microseconds, in nanoseconds.
    pub(super) fn time_of(
        &mut self,
        process: Option<ProcessId>,
        thread: ThreadId,
        microseconds: i64,
    ) -> i64 {
        let begin = self.latest;
        let clock = self.processes.entry(process).or_insert(Clock { round: 1, begin, length: 0 });
        let place = thread.index();
        self.rounds.resize(self.rounds.len().max(place + 1), 0);
        if self.rounds[place] == clock.round {
            let begin = clock.begin.saturating_add(clock.length);
            *clock = Clock { round: clock.round + 1, begin, length: 0 };
        }
        self.rounds[place] = clock.round;
        clock.length = clock.length.max(microseconds.max(0).saturating_mul(1000));
        self.latest = self.latest.max(clock.begin.saturating_add(clock.length));
        clock.begin
    }
}
