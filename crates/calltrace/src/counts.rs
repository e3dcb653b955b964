//! Calls added up by caller and callee while they happen, without a trace of them.

use std::collections::HashMap;

use crate::{Happened, Word};

/// Stands for the caller of what nobody traced called.
pub const NOBODY: u32 = u32::MAX;

/// Sums of a function, or of what one function calls another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sums {
    /// Calls that began.
    pub calls: u64,
    /// Those of them that began while none of these was open on the thread.
    pub primitive: u64,
    /// Ticks in the function itself.
    pub own: u64,
    /// Ticks with all that it called, those of the outermost of open calls alone.
    pub cumulative: u64,
}

/// Sums over all threads that were followed.
#[derive(Debug, Default)]
pub struct Counts {
    functions: Vec<Sums>,
    pairs: Vec<Sums>,
    numbers: HashMap<(u32, u32), u32>,
}

/// The open calls of a thread.
#[derive(Debug, Default)]
pub struct Open {
    calls: Vec<Call>,
    /// How many calls are open, by function and by pair.
    functions: Vec<u32>,
    pairs: Vec<u32>,
    now: u64,
    further: u64,
}

#[derive(Debug)]
struct Call {
    function: u32,
    pair: u32,
    start: u64,
    /// Ticks in what it called.
    callees: u64,
}

impl Counts {
    /// Follows events of a thread, from the ticks at which its last ones ended.
    pub fn follow(&mut self, open: &mut Open, words: impl Iterator<Item = Word>) -> u64 {
        let mut events = 0;
        for word in words {
            let Some(happened) = word.happened() else { continue };
            match happened {
                Happened::Activation => continue,
                Happened::Far => {
                    open.further = u64::from(word.number()) << 32;
                    continue;
                }
                _ => {}
            }
            open.now += std::mem::take(&mut open.further) + u64::from(word.ticks());
            events += 1;
            if happened.leaves() {
                self.leave(open, word.number());
            } else {
                self.enter(open, word.number(), happened == Happened::Call);
            }
        }
        events
    }

    fn enter(&mut self, open: &mut Open, function: u32, is_new: bool) {
        let caller = open.calls.last().map_or(NOBODY, |call| call.function);
        let next = self.pairs.len() as u32;
        let pair = *self.numbers.entry((caller, function)).or_insert(next);
        if pair == next {
            self.pairs.push(Sums::default());
        }
        let of_function = (at(&mut self.functions, function), at(&mut open.functions, function));
        let of_pair = (&mut self.pairs[pair as usize], at(&mut open.pairs, pair));
        for (sums, depth) in [of_function, of_pair] {
            sums.calls += u64::from(is_new);
            sums.primitive += u64::from(is_new && *depth == 0);
            *depth += 1;
        }
        open.calls.push(Call { function, pair, start: open.now, callees: 0 });
    }

    /// A call ends or pauses. What is open inside of it was left unseen; what is not open began before events
    /// were told.
    fn leave(&mut self, open: &mut Open, function: u32) {
        if !open.calls.iter().rev().any(|call| call.function == function) {
            return;
        }
        while self.close(open) != Some(function) {}
    }

    /// Closes the innermost open call and gives its function.
    fn close(&mut self, open: &mut Open) -> Option<u32> {
        let Call { function, pair, start, callees } = open.calls.pop()?;
        let took = open.now.saturating_sub(start);
        let of_function = (at(&mut self.functions, function), at(&mut open.functions, function));
        let of_pair = (&mut self.pairs[pair as usize], at(&mut open.pairs, pair));
        for (sums, depth) in [of_function, of_pair] {
            sums.own += took.saturating_sub(callees);
            *depth -= 1;
            sums.cumulative += if *depth == 0 { took } else { 0 };
        }
        if let Some(caller) = open.calls.last_mut() {
            caller.callees += took;
        }
        Some(function)
    }

    /// Closes what is open on a thread, at the ticks that it has come to.
    pub fn finish(&mut self, open: &mut Open) {
        while self.close(open).is_some() {}
    }

    /// What is known of a function.
    #[must_use]
    pub fn function(&self, function: u32) -> Sums {
        self.functions.get(function as usize).copied().unwrap_or_default()
    }

    /// Caller (or [`NOBODY`]), callee and what the one called the other.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32, Sums)> + '_ {
        self.numbers
            .iter()
            .map(|(&(caller, callee), &pair)| (caller, callee, self.pairs[pair as usize]))
    }
}

impl Open {
    /// Nothing is open at these ticks.
    #[must_use]
    pub fn at(now: u64) -> Open {
        Open { now, ..Open::default() }
    }

    /// Goes on at these ticks: nothing happened between.
    pub fn go_to(&mut self, now: u64) {
        self.now = self.now.max(now);
    }
}

fn at<T: Default + Clone>(all: &mut Vec<T>, number: u32) -> &mut T {
    let number = number as usize;
    if number >= all.len() {
        all.resize(number + 1, T::default());
    }
    &mut all[number]
}
