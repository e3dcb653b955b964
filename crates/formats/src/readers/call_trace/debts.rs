//! Time that samples stand for and that their stretches did not have.

use std::collections::VecDeque;

use hashbrown::HashMap;
use profile::{ContextId, LocationId};

/// A context has so long to pay before others of its function do, nanoseconds.
const PATIENCE: i64 = 100_000_000;

/// The stack that was seen, and how many of its innermost functions are switched off.
pub(super) type Below = (u32, u32);

/// Debts of a thread.
#[derive(Debug, Default)]
pub(super) struct Debts {
    /// Of contexts; what is owed to each.
    own: HashMap<ContextId, Vec<(Below, i64)>>,
    /// Those that contexts did not pay in time, by the place in code.
    late: HashMap<LocationId, Vec<(Below, i64)>>,
    /// When contexts' time is over, in that order.
    due: VecDeque<(i64, ContextId, LocationId)>,
    owed: i64,
}

impl Debts {
    pub(super) fn owe(
        &mut self,
        (context, location): (ContextId, LocationId),
        below: Below,
        amount: i64,
        now: i64,
    ) {
        if amount <= 0 {
            return;
        }
        self.owed = self.owed.saturating_add(amount);
        let own = self.own.entry(context).or_default();
        if own.is_empty() {
            self.due.push_back((now.saturating_add(PATIENCE), context, location));
        }
        add(own, below, amount);
    }

    /// Takes up to `most` of what a context owes now.
    pub(super) fn pay(
        &mut self,
        (context, location): (ContextId, LocationId),
        most: i64,
        now: i64,
    ) -> Option<(Below, i64)> {
        if self.owed == 0 {
            return None;
        }
        while let Some(&(until, late, place)) = self.due.front()
            && until < now
        {
            self.due.pop_front();
            for (below, amount) in self.own.remove(&late).unwrap_or_default() {
                add(self.late.entry(place).or_default(), below, amount);
            }
        }
        let own = self.own.get_mut(&context).filter(|own| !own.is_empty());
        let debts = match own {
            Some(own) => own,
            None => self.late.get_mut(&location)?,
        };
        let (below, amount) = debts.last_mut()?;
        let (below, paid) = (*below, most.min(*amount));
        *amount -= paid;
        if *amount == 0 {
            debts.pop();
        }
        self.owed -= paid;
        Some((below, paid))
    }

    /// Nanoseconds in all.
    pub(super) fn owed(&self) -> i64 {
        self.owed
    }

    pub(super) fn heap_bytes(&self) -> usize {
        (self.own.capacity() + self.late.capacity()) * 64 + self.due.capacity() * 16
    }
}

/// The same stack is one debt, where it is the last one.
fn add(debts: &mut Vec<(Below, i64)>, below: Below, amount: i64) {
    match debts.last_mut() {
        Some((last, owed)) if *last == below => *owed = owed.saturating_add(amount),
        _ => debts.push((below, amount)),
    }
}
