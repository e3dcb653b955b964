//! Accounts of contexts, kept while a program runs.

use rustc_hash::FxHashMap;

use super::weight::stands_for;
use super::{Most, Row, Step};

/// Blocks that are held, and sums by context.
#[derive(Debug, Default)]
pub struct Ledger {
    /// Bytes between marks; 0 where every block is a sample.
    mean: u64,
    numbers: FxHashMap<Step, u32>,
    contexts: Vec<Account>,
    blocks: FxHashMap<usize, Block>,
    /// Contexts of which something is to be told.
    changed: Vec<u32>,
    new_steps: Vec<Step>,
    held: u64,
    peak: Peak,
    /// Since it was told last.
    most: Most,
    samples: u64,
}

/// When most was held.
#[derive(Debug, Clone, Copy, Default)]
struct Peak {
    held: u64,
    ticks: u64,
    /// How many peaks there were.
    number: u64,
    /// The number of that which was told last.
    told: u64,
}

/// What is known of a context: sums since they were told last, and what it holds.
#[derive(Debug, Clone, Copy, Default)]
struct Account {
    allocated: u64,
    allocations: u64,
    freed: u64,
    held: u64,
    /// What it held at the peak of number `seen`. Where there was a later one, it holds the same since before
    /// that: what it holds at a peak is put down when it changes next.
    peak: u64,
    seen: u64,
    told_peak: u64,
    is_changed: bool,
}

/// A sample that is not freed.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    bytes: u64,
    context: u32,
}

/// What is new.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Contexts that came.
    pub steps: Vec<Step>,
    /// What changed, in the order of contexts.
    pub rows: Vec<Row>,
    /// When most was held, in ticks.
    pub peak_ticks: u64,
    /// The most that was held since this was asked last.
    pub most: Most,
}

impl Ledger {
    /// With marks so many bytes apart; 0 where every block is a sample.
    #[must_use]
    pub fn new(mean: u64) -> Ledger {
        Ledger { mean, ..Ledger::default() }
    }

    /// The number of a context.
    #[inline]
    pub fn context(&mut self, step: Step) -> u32 {
        let next = self.contexts.len() as u32;
        let number = *self.numbers.entry(step).or_insert(next);
        if number == next {
            self.contexts.push(Account::default());
            self.new_steps.push(step);
        }
        number
    }

    /// A block that is a sample is there. True if one was at this address whose end nobody told.
    #[inline]
    pub fn allocate(&mut self, address: usize, size: u64, context: u32, ticks: u64) -> bool {
        let (bytes, allocations) = stands_for(size, self.mean);
        self.samples += 1;
        let before = self.blocks.insert(address, Block { bytes, context });
        if let Some(before) = before {
            self.give_back(before);
        }
        let account = self.changing(context);
        account.allocated += bytes;
        account.allocations += allocations;
        account.held += bytes;
        self.held += bytes;
        if self.held > self.most.held {
            self.most = Most { held: self.held, ticks };
        }
        if self.held > self.peak.held {
            let number = self.peak.number + 1;
            self.peak = Peak { held: self.held, ticks, number, ..self.peak };
        }
        before.is_some()
    }

    /// The block of an address is given back. False if it is not a sample.
    #[inline]
    pub fn free(&mut self, address: usize) -> bool {
        let Some(block) = self.blocks.remove(&address) else { return false };
        self.give_back(block);
        true
    }

    /// The block of an address, which is to be given back, or to be there again.
    pub fn detach(&mut self, address: usize) -> Option<Block> {
        self.blocks.remove(&address)
    }

    /// A block that was detached is still there.
    pub fn attach(&mut self, address: usize, block: Block) {
        self.blocks.insert(address, block);
    }

    /// A block that was detached is given back.
    pub fn give_back(&mut self, block: Block) {
        let account = self.changing(block.context);
        account.freed += block.bytes;
        account.held -= block.bytes;
        self.held -= block.bytes;
    }

    #[inline]
    fn changing(&mut self, context: u32) -> &mut Account {
        let account = &mut self.contexts[context as usize];
        account.settle(self.peak.number);
        if !account.is_changed {
            account.is_changed = true;
            self.changed.push(context);
        }
        account
    }

    /// Samples up to now.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// What changed since this was asked last.
    pub fn take(&mut self) -> Taken {
        if self.peak.told != self.peak.number {
            self.peak.told = self.peak.number;
            for (context, account) in self.contexts.iter_mut().enumerate() {
                account.settle(self.peak.number);
                if account.peak != account.told_peak && !account.is_changed {
                    account.is_changed = true;
                    self.changed.push(context as u32);
                }
            }
        }
        self.changed.sort_unstable();
        let row = |&context: &u32| self.contexts[context as usize].tell(context);
        let rows = self.changed.iter().map(row).collect();
        self.changed.clear();
        let steps = std::mem::take(&mut self.new_steps);
        let most = std::mem::replace(&mut self.most, Most { held: self.held, ticks: 0 });
        Taken { steps, rows, peak_ticks: self.peak.ticks, most }
    }
}

impl Account {
    #[inline]
    fn settle(&mut self, peak: u64) {
        if self.seen != peak {
            (self.peak, self.seen) = (self.held, peak);
        }
    }

    fn tell(&mut self, context: u32) -> Row {
        let peak = (self.peak != self.told_peak).then_some(self.peak);
        let Account { allocated, allocations, freed, .. } = *self;
        (self.allocated, self.allocations, self.freed) = (0, 0, 0);
        (self.told_peak, self.is_changed) = (self.peak, false);
        Row { context, allocated, allocations, freed, peak }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use crate::memory::reserved::NO_PARENT;

    #[derive(Debug, Clone, Copy)]
    enum Act {
        Allocate { address: usize, size: u64, context: u32 },
        Free { address: usize },
        Tell,
    }

    fn act() -> impl Strategy<Value = Act> {
        prop_oneof![
            4 => (0..6usize, 0..100u64, 0..4u32)
                .prop_map(|(address, size, context)| Act::Allocate { address, size, context }),
            4 => (0..6usize).prop_map(|address| Act::Free { address }),
            1 => Just(Act::Tell),
        ]
    }

    proptest! {
        /// Against a table of what is held that is copied at each peak.
        #[test]
        fn sums_and_peaks_are_those_of_all_that_happened(acts in prop::collection::vec(act(), 0..80)) {
            let mut ledger = Ledger::new(0);
            for line in 0..4 {
                ledger.context(Step { parent: NO_PARENT, function: 1, line });
            }
            let mut held: HashMap<usize, (u64, u32)> = HashMap::new();
            let mut allocated = [0u64; 4];
            let (mut most, mut peak) = (0, [0u64; 4]);
            let mut told = [[0u64; 3]; 4];
            // Since the last time that it was told.
            let mut since = 0;
            let mut hear = |taken: Taken| {
                for row in taken.rows {
                    let told = &mut told[row.context as usize];
                    told[0] += row.allocated;
                    told[1] += row.freed;
                    told[2] = row.peak.unwrap_or(told[2]);
                }
            };
            for (ticks, act) in acts.into_iter().enumerate() {
                match act {
                    Act::Allocate { address, size, context } => {
                        let was = ledger.allocate(address, size, context, ticks as u64);
                        prop_assert_eq!(was, held.insert(address, (size, context)).is_some());
                        allocated[context as usize] += size;
                    }
                    Act::Free { address } => {
                        prop_assert_eq!(ledger.free(address), held.remove(&address).is_some());
                    }
                    Act::Tell => {
                        let taken = ledger.take();
                        prop_assert_eq!(taken.most.held, since);
                        hear(taken);
                        since = 0;
                    }
                }
                let total: u64 = held.values().map(|(size, _)| size).sum();
                since = since.max(total);
                if total > most {
                    most = total;
                    peak = [0; 4];
                    held.values().for_each(|(size, context)| peak[*context as usize] += size);
                }
            }
            hear(ledger.take());
            for context in 0..4 {
                let here = held.values().filter(|(_, of)| *of == context as u32);
                let left: u64 = here.map(|(size, _)| size).sum();
                let wanted = [allocated[context], allocated[context] - left, peak[context]];
                prop_assert_eq!(told[context], wanted, "context {}", context);
            }
        }
    }
}
