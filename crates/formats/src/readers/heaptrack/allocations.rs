//! What was allocated and freed, and what of it was in use at the peak.

use hashbrown::HashMap;
use profile::ContextId;

use super::reading::{Form, hexadecimal};

/// What was allocated from one trace.
#[derive(Clone, Copy, Default)]
pub(super) struct Cost {
    pub(super) allocations: i64,
    pub(super) temporary: i64,
    pub(super) allocated: i64,
    pub(super) leaked: i64,
    /// What was in use at the peak numbered `seen`. Where a later peak was reached since, `leaked`
    /// is what was in use then, as it would else have been put down.
    pub(super) peak: i64,
    seen: u64,
}

/// Allocations of one size from one trace.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Kind {
    size: i64,
    trace: u32,
}

#[derive(Default)]
pub(super) struct Allocations {
    /// By trace: its context, and which costs it has (plus one).
    pub(super) traces: Vec<(ContextId, u32)>,
    costs: Vec<(ContextId, Cost)>,
    kinds: Vec<Kind>,
    /// Numbers of kinds, where the file gives none.
    kind_numbers: HashMap<Kind, u32>,
    pointers: HashMap<u64, u32>,
    /// In use now and at most, and how many peaks there were.
    leaked: i64,
    peak: i64,
    peaks: u64,
    /// The kind or pointer allocated last, 0 after it was freed.
    last: u64,
}

impl Allocations {
    pub(super) fn heap_bytes(&self) -> usize {
        self.traces.len() * size_of::<(ContextId, u32)>()
            + self.costs.len() * size_of::<(ContextId, Cost)>()
            + self.kinds.len() * size_of::<Kind>()
            + (self.kind_numbers.len() + self.pointers.len()) * 24
    }

    /// Nothing is in use yet.
    pub(super) fn begin(&mut self) {
        (self.leaked, self.peak) = (0, 0);
    }

    pub(super) fn kind(&mut self, rest: &str) -> Option<()> {
        let (size, trace) = rest.split_once(' ')?;
        let kind = Kind {
            size: size_of_allocation(size)?,
            trace: u32::try_from(hexadecimal(trace)?).ok()?,
        };
        self.kinds.push(kind);
        Some(())
    }

    pub(super) fn allocate(&mut self, rest: &str, form: Form) -> Option<()> {
        let kind = match rest.split_once(' ') {
            None if !form.is_raw && form.version > 0 => {
                let kind = hexadecimal(rest)?;
                self.last = kind;
                *self.kinds.get(usize::try_from(kind).ok()?)?
            }
            words => {
                let (size, rest) = words?;
                let (trace, pointer) = rest.split_once(' ')?;
                let trace = u32::try_from(hexadecimal(trace)?).ok()?;
                let kind = Kind { size: size_of_allocation(size)?, trace };
                let pointer = hexadecimal(pointer)?;
                let number = *self.kind_numbers.entry(kind).or_insert_with(|| {
                    self.kinds.push(kind);
                    self.kinds.len() as u32 - 1
                });
                self.pointers.insert(pointer, number);
                self.last = if form.version > 0 { number.into() } else { pointer };
                kind
            }
        };
        let peaks = self.peaks;
        let cost = self.cost(kind.trace);
        put_down_peak(cost, peaks);
        cost.allocations += 1;
        cost.allocated = cost.allocated.saturating_add(kind.size);
        cost.leaked = cost.leaked.saturating_add(kind.size);
        self.leaked = self.leaked.saturating_add(kind.size);
        if self.leaked > self.peak {
            self.peak = self.leaked;
            self.peaks += 1;
        }
        Some(())
    }

    pub(super) fn free(&mut self, rest: &str, form: Form) -> Option<()> {
        let number = hexadecimal(rest)?;
        let (kind, mark) = if form.is_raw || form.version == 0 {
            // Pointers from before the recording are freed too.
            let Some(kind) = self.pointers.remove(&number) else { return Some(()) };
            (kind as usize, if form.version > 0 { kind.into() } else { number })
        } else {
            (usize::try_from(number).ok()?, number)
        };
        let kind = *self.kinds.get(kind)?;
        let temporary = std::mem::take(&mut self.last) == mark;
        let peaks = self.peaks;
        let cost = self.cost(kind.trace);
        put_down_peak(cost, peaks);
        cost.leaked = cost.leaked.saturating_sub(kind.size);
        cost.temporary += i64::from(temporary);
        self.leaked = self.leaked.saturating_sub(kind.size);
        Some(())
    }

    /// The costs of a trace; those of no trace belong to the whole program.
    fn cost(&mut self, trace: u32) -> &mut Cost {
        if self.traces.is_empty() {
            self.traces.push((ContextId::ROOT, 0));
        }
        let known = (trace as usize).checked_sub(1).filter(|&index| index < self.traces.len());
        let Some(index) = known else {
            // Rare: found again by its context.
            let found = self.costs.iter().position(|&(context, _)| context == ContextId::ROOT);
            let index = found.unwrap_or_else(|| {
                self.costs.push((ContextId::ROOT, Cost::default()));
                self.costs.len() - 1
            });
            return &mut self.costs[index].1;
        };
        let (context, slot) = &mut self.traces[index];
        if *slot == 0 {
            self.costs.push((*context, Cost::default()));
            *slot = self.costs.len() as u32;
        }
        &mut self.costs[*slot as usize - 1].1
    }

    /// By context.
    pub(super) fn into_costs(self) -> Vec<(ContextId, Cost)> {
        let mut costs = self.costs;
        costs.iter_mut().for_each(|(_, cost)| put_down_peak(cost, self.peaks));
        costs
    }
}

/// Puts down what was in use at the last peak, before that changes.
fn put_down_peak(cost: &mut Cost, peaks: u64) {
    if cost.seen < peaks {
        cost.peak = cost.leaked;
        cost.seen = peaks;
    }
}

fn size_of_allocation(text: &str) -> Option<i64> {
    hexadecimal(text).and_then(|size| i64::try_from(size).ok())
}
