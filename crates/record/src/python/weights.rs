//! Which time each sample of a process stands for.
//!
//! ```text
//! rounds         1     2        !           3  4        the end
//! a thread  ?????|aaaaa|bbbbbbbb|???????????|cc|dddddddd|???|
//! ```
//! A sample stands for the time since the round before it, however late it comes. Time is not observed (`?`)
//! before the first round, where stacks could not be read (`!`), where no round came for long, and after the
//! last one. The kernel counts each thread's time on processors: it goes to the samples that saw the thread
//! run, up to the time that each of them stands for. What no sample has room for is not observed.

use std::collections::HashMap;

use super::stacks::ThreadKey;

/// Times of one process, in nanoseconds from the start of the recording.
#[derive(Debug)]
pub(super) struct Weights {
    /// A sample stands for so much, at most.
    longest: u64,
    main: ThreadKey,
    /// When its time begins to count.
    began: u64,
    /// Its time on processors counts from its own start, and not from the first round.
    is_whole: bool,
    /// The round before.
    last: Option<u64>,
    /// When its stacks could not be read, since then.
    failed: Option<u64>,
    /// Another interpreter is read from now on.
    is_new: bool,
    threads: HashMap<ThreadKey, Thread>,
    /// What the kernel counted for all threads: before the first round, and now.
    cpu: Option<(u64, u64)>,
    /// What samples and time that was not observed have of it.
    given: u64,
}

#[derive(Debug)]
struct Thread {
    /// The round in which it was seen.
    last: u64,
    /// What the kernel had counted then.
    cpu: Option<u64>,
    /// What of it no sample has yet.
    owed: u64,
}

/// What a thread was seen to do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub(super) is_running: bool,
    /// Time on processors since it began, where the kernel counts it.
    pub(super) cpu: Option<u64>,
    /// Its stack could not be read.
    pub(super) is_torn: bool,
}

/// Time of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) from: u64,
    pub(super) to: u64,
    /// On processors.
    pub(super) cpu: u64,
}

/// What a look at a thread adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Added {
    /// Not observed before it.
    pub(super) lost: Option<Span>,
    /// What it stands for; none of a torn stack.
    pub(super) seen: Option<Span>,
}

/// What the end of a process adds, all of it not observed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Rest {
    /// Of the main thread, after the last round.
    pub(super) tail: Option<Span>,
    /// Time on processors that no sample has, by thread; that of other threads is the main thread's.
    pub(super) cpu: Vec<(ThreadKey, u64)>,
}

impl Weights {
    /// Of a process that began then. One that ran before (`!is_whole`) counts from its first round on.
    pub(super) fn new(longest: u64, main: ThreadKey, began: u64, is_whole: bool) -> Weights {
        Weights {
            longest,
            main,
            began,
            is_whole,
            last: None,
            failed: None,
            is_new: true,
            threads: HashMap::new(),
            cpu: None,
            given: 0,
        }
    }

    /// Another interpreter is read from now on; nothing was in between.
    pub(super) fn again(&mut self) {
        self.is_new = true;
    }

    /// Its stacks could not be read.
    pub(super) fn fail(&mut self, at: u64) {
        self.failed = Some(at);
    }

    /// A thread, in a round.
    pub(super) fn see(&mut self, at: u64, key: ThreadKey, look: Look) -> Added {
        let (from, lost_to) = self.since(at, key);
        let counts = self.is_whole || self.last.is_some();
        let thread = self.threads.entry(key).or_insert(Thread { last: at, cpu: None, owed: 0 });
        // The kernel gives a number again.
        let is_other = thread.cpu.zip(look.cpu).is_some_and(|(before, now)| now < before);
        if is_other {
            (thread.cpu, thread.owed) = (None, 0);
        }
        if let Some(now) = look.cpu {
            let before = thread.cpu.unwrap_or(if counts { 0 } else { now });
            thread.owed += now - before;
            thread.cpu = Some(now);
        }
        thread.last = at;
        let mut span = |from: u64, to: u64, cpu: Option<u64>| {
            let length = to.saturating_sub(from);
            let cpu = cpu.unwrap_or(thread.owed).min(length);
            thread.owed = thread.owed.saturating_sub(cpu);
            self.given += cpu;
            Some(Span { from, to, cpu }).filter(|_| length > 0)
        };
        let lost_to = if look.is_torn { at } else { lost_to };
        let lost = span(from, lost_to, None);
        let cpu = match look {
            Look { is_running: false, .. } => Some(0),
            // Nobody counts it.
            Look { cpu: None, .. } => Some(at.saturating_sub(lost_to)),
            _ => None,
        };
        let seen = if look.is_torn {
            None
        } else {
            span(lost_to, at, cpu).or(Some(Span { from: at, to: at, cpu: 0 }))
        };
        Added { lost, seen }
    }

    /// Since when a look at a thread adds time, and to where that is not observed.
    fn since(&self, at: u64, key: ThreadKey) -> (u64, u64) {
        let before = self.last.unwrap_or(self.began).min(at);
        let seen = self.threads.get(&key).map(|thread| thread.last);
        let is_main = key == self.main;
        // The main thread is there all the time, also in rounds that missed it.
        let from = if is_main { seen.unwrap_or(self.began).min(at) } else { before };
        if self.is_new {
            // Of other threads nobody knows when they began.
            return if is_main { (from, at) } else { (at, at) };
        }
        let is_known = is_main || seen.is_some() && seen == self.last;
        let failed = self.failed.unwrap_or(before).clamp(before, at);
        let stands_from = at.saturating_sub(self.longest).max(failed);
        if is_known { (from, stands_from) } else { (stands_from, stands_from) }
    }

    /// All threads of a round were seen; what the kernel counted of the process until then.
    pub(super) fn end_round(&mut self, at: u64, cpu: Option<u64>) {
        if let Some(now) = cpu {
            let first = self.cpu.map_or(if self.is_whole { 0 } else { now }, |(first, _)| first);
            self.cpu = Some((first, now));
        }
        (self.last, self.failed, self.is_new) = (Some(at), None, false);
    }

    /// It ended, or the recording did.
    pub(super) fn end(&mut self, at: u64) -> Rest {
        let Some(last) = self.last else { return Rest::default() };
        let tail = self.threads.get_mut(&self.main).and_then(|main| {
            let from = main.last;
            main.last = from.max(at);
            (at > from).then_some(Span { from, to: at, cpu: 0 })
        });
        let mut cpu = vec![];
        for (&key, thread) in &mut self.threads {
            if thread.owed > 0 {
                cpu.push((key, thread.owed));
                self.given += thread.owed;
                thread.owed = 0;
            }
        }
        let counted = self.cpu.map_or(0, |(first, now)| now.saturating_sub(first));
        let others = counted.saturating_sub(self.given);
        if others > 0 {
            cpu.push((self.main, others));
            self.given += others;
        }
        self.last = Some(at.max(last));
        Rest { tail, cpu }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MAIN: ThreadKey = ThreadKey::Number(1);
    const OTHER: ThreadKey = ThreadKey::Number(2);
    const RUNS: Look = Look { is_running: true, cpu: None, is_torn: false };
    const WAITS: Look = Look { is_running: false, ..RUNS };

    fn counted(look: Look, cpu: u64) -> Look {
        Look { cpu: Some(cpu), ..look }
    }

    fn span(from: u64, to: u64, cpu: u64) -> Option<Span> {
        Some(Span { from, to, cpu })
    }

    #[test]
    fn a_sample_stands_for_the_time_since_the_round_before() {
        let mut weights = Weights::new(1000, MAIN, 10, true);
        let mut see = |at, key, look| {
            let added = weights.see(at, key, look);
            weights.end_round(at, None);
            (added.lost, added.seen)
        };
        // The interpreter took 90 to be there, 70 of it on a processor.
        assert_eq!(see(100, MAIN, counted(RUNS, 70)), (span(10, 100, 70), span(100, 100, 0)));
        assert_eq!(see(150, MAIN, counted(RUNS, 100)), (None, span(100, 150, 30)));
        // The kernel counts at ticks: what comes later than the sample goes to the next one.
        assert_eq!(see(160, MAIN, counted(RUNS, 125)), (None, span(150, 160, 10)));
        assert_eq!(see(170, MAIN, counted(WAITS, 125)), (None, span(160, 170, 0)));
        assert_eq!(see(200, MAIN, counted(RUNS, 125)), (None, span(170, 200, 15)));
    }

    #[test]
    fn what_was_not_observed_is_apart() {
        let mut weights = Weights::new(100, MAIN, 0, false);
        weights.see(50, MAIN, counted(RUNS, 7000));
        weights.see(50, OTHER, counted(WAITS, 3));
        weights.end_round(50, Some(7003));
        // Nothing came for long; then a new thread.
        let added = weights.see(350, MAIN, counted(RUNS, 7290));
        assert_eq!((added.lost, added.seen), (span(50, 250, 200), span(250, 350, 90)));
        let added = weights.see(350, OTHER, Look { is_torn: true, ..counted(WAITS, 3) });
        assert_eq!((added.lost, added.seen), (span(50, 350, 0), None));
        weights.end_round(350, Some(7293));
        weights.fail(380);
        let added = weights.see(400, MAIN, counted(RUNS, 7340));
        assert_eq!((added.lost, added.seen), (span(350, 380, 30), span(380, 400, 20)));
        let new = weights.see(400, ThreadKey::Number(3), counted(RUNS, 5));
        assert_eq!((new.lost, new.seen), (None, span(380, 400, 5)));
        // 11 of threads without Python.
        weights.end_round(400, Some(7003 + 340 + 5 + 11));
        let rest = weights.end(430);
        assert_eq!(rest.tail, span(400, 430, 0));
        assert_eq!(rest.cpu, [(MAIN, 11)]);
        assert_eq!(weights.end(430), Rest { tail: None, cpu: vec![] });
    }

    #[test]
    fn another_interpreter_of_a_process_begins_anew() {
        let mut weights = Weights::new(1000, MAIN, 0, true);
        weights.see(10, MAIN, RUNS);
        weights.end_round(10, None);
        weights.again();
        let added = weights.see(90, MAIN, RUNS);
        assert_eq!((added.lost, added.seen), (span(10, 90, 0), span(90, 90, 0)));
    }

    proptest! {
        /// Whatever is seen, times of a thread that is always there follow one another without a gap, and
        /// the process's time on processors is given out to the nanosecond.
        #[test]
        fn sums_are_those_of_the_clock_and_of_the_kernel(
            rounds in prop::collection::vec((1u64..500, 0u64..100, any::<bool>(), 0u8..10), 1..200),
            longest in 1u64..600,
        ) {
            let mut weights = Weights::new(longest, MAIN, 0, true);
            let (mut at, mut cpu, mut covered, mut on_processors) = (0, 0, 0, 0);
            let mut take = |span: Option<Span>| {
                let Some(span) = span else { return };
                assert_eq!(span.from, covered);
                assert!(span.cpu <= span.to - span.from);
                (covered, on_processors) = (span.to, on_processors + span.cpu);
            };
            for (wait, share, is_running, what) in rounds {
                at += wait;
                cpu += wait * share / 100;
                if what == 0 {
                    weights.fail(at);
                    continue;
                }
                if what == 2 {
                    // The list of threads changed while it was read.
                    weights.end_round(at, Some(cpu));
                    continue;
                }
                let look = Look { is_running, cpu: Some(cpu), is_torn: what == 1 };
                let added = weights.see(at, MAIN, look);
                take(added.lost);
                take(added.seen);
                weights.end_round(at, Some(cpu));
            }
            let rest = weights.end(at + 5);
            take(rest.tail);
            if weights.threads.contains_key(&MAIN) {
                prop_assert_eq!(covered, at + 5);
                let counted = weights.cpu.map_or(0, |(_, now)| now);
                prop_assert_eq!(on_processors + rest.cpu.iter().map(|(_, cpu)| cpu).sum::<u64>(), counted);
                prop_assert_eq!(weights.given, counted);
            }
        }
    }
}
