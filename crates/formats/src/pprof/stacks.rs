//! From the location ids of samples to contexts.
//!
//! Samples come before the locations they name, so ids become dense location numbers in the order
//! of their first use. A stack whose bytes were seen lately costs one lookup by hash, verified by
//! walking up the tree; the others go down the tree in batches.

use std::hash::Hasher;

use profile::{ContextId, ContextTreeBuilder, LocationId};
use rustc_hash::FxHasher;

use super::wire::varint;

/// Gives the ids of a file dense numbers.
#[derive(Debug, Default)]
pub(super) struct IdIndex {
    /// By id, for small ids; 0 is 'none', n is number n - 1.
    direct: Vec<u32>,
    sparse: hashbrown::HashMap<u64, u32>,
    ids: Vec<u64>,
}

/// Ids below this are looked up in a plain table (4 MiB).
const DIRECT_IDS: u64 = 1 << 20;

impl IdIndex {
    /// The number of `id`; a new one if it is new.
    #[inline]
    pub(super) fn number(&mut self, id: u64) -> u32 {
        match self.direct.get(id as usize) {
            Some(&found) if found != 0 && id < DIRECT_IDS => found - 1,
            _ => self.number_slowly(id),
        }
    }

    fn number_slowly(&mut self, id: u64) -> u32 {
        let next = self.ids.len() as u32;
        if id < DIRECT_IDS {
            if self.direct.len() <= id as usize {
                self.direct.resize((id as usize + 1).next_power_of_two(), 0);
            }
            self.direct[id as usize] = next + 1;
            self.ids.push(id);
            return next;
        }
        *self.sparse.entry(id).or_insert_with(|| {
            self.ids.push(id);
            next
        })
    }

    /// The number of `id`, if it has one.
    pub(super) fn find(&self, id: u64) -> Option<u32> {
        if id < DIRECT_IDS {
            return self.direct.get(id as usize).and_then(|&found| found.checked_sub(1));
        }
        self.sparse.get(&id).copied()
    }

    /// The ids, by number.
    pub(super) fn ids(&self) -> &[u64] {
        &self.ids
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.direct.len() * 4 + self.ids.len() * 8 + self.sparse.capacity() * 16
    }
}

/// Turns the location ids of samples (leaf first) into contexts.
///
/// Stacks wait until [`BATCH`] of them are there: then all go down the tree together, step by
/// step, so that the memory they wait for is fetched at the same time.
#[derive(Debug)]
pub(super) struct StackInterner {
    pub(super) locations: IdIndex,
    /// Recently seen stacks: part of the hash of their bytes, and the context.
    seen: Vec<(u32, ContextId)>,
    waiting: Vec<WaitingStack>,
    /// Locations of the waiting stacks, leaf first.
    frames: Vec<LocationId>,
}

#[derive(Debug)]
struct WaitingStack {
    /// The point it belongs to.
    point: usize,
    /// Its locations that are still to go, in `frames`; taken from the end.
    start: usize,
    end: usize,
    at: ContextId,
    /// Slot and mark in `seen`.
    seen: Option<(usize, u32)>,
}

/// Entries of the table of seen stacks (8 MiB): room for a million distinct stacks; more than that
/// replace each other.
const SEEN_STACKS: usize = 1 << 20;

/// Stacks that go down the tree together. Measured on 300,000 distinct stacks: 8, 16 and 32 are
/// alike, 1 takes more than twice as long.
const BATCH: usize = 16;

/// What a packed list of ids is when it is not one.
pub(super) struct CutShort;

impl StackInterner {
    pub(super) fn new() -> Self {
        StackInterner {
            locations: IdIndex::default(),
            seen: Vec::new(),
            waiting: Vec::with_capacity(BATCH),
            frames: Vec::new(),
        }
    }

    /// The context of a packed list of ids; none yet if the stack of `point` has to wait.
    #[inline]
    pub(super) fn packed(
        &mut self,
        packed: &[u8],
        point: usize,
        tree: &ContextTreeBuilder,
    ) -> Result<Option<ContextId>, CutShort> {
        if self.seen.is_empty() {
            self.seen = vec![(0, ContextId::ROOT); SEEN_STACKS];
        }
        let mut hasher = FxHasher::default();
        hasher.write(packed);
        let hash = hasher.finish();
        let slot = hash as usize & (SEEN_STACKS - 1);
        let mark = (hash >> 32) as u32;
        let (seen_mark, seen_context) = self.seen[slot];
        if seen_mark == mark && self.leads_to(packed, seen_context, tree) {
            return Ok(Some(seen_context));
        }
        let start = self.frames.len();
        let mut position = 0;
        while position < packed.len() {
            let id = varint(packed, &mut position).ok_or(CutShort)?;
            self.frames.push(LocationId(self.locations.number(id)));
        }
        self.wait(point, start, Some((slot, mark)));
        Ok(None)
    }

    /// Lets a list of ids wait.
    pub(super) fn ids(&mut self, ids: &[u64], point: usize) {
        let start = self.frames.len();
        for &id in ids {
            self.frames.push(LocationId(self.locations.number(id)));
        }
        self.wait(point, start, None);
    }

    /// Whether enough stacks wait.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.waiting.len() >= BATCH
    }

    /// Sends the waiting stacks down the tree and gives each point its context.
    pub(super) fn settle(&mut self, tree: &mut ContextTreeBuilder, contexts: &mut [ContextId]) {
        let mut moving = self.waiting.len();
        let mut order: [usize; BATCH] = std::array::from_fn(|index| index);
        while moving > 0 {
            let mut index = 0;
            while index < moving {
                let stack = &mut self.waiting[order[index]];
                let child = match stack.end > stack.start {
                    true => tree.find(stack.at, self.frames[stack.end - 1]),
                    false => None,
                };
                match child {
                    Some(child) => {
                        stack.at = child;
                        stack.end -= 1;
                        index += 1;
                    }
                    None => {
                        moving -= 1;
                        order.swap(index, moving);
                    }
                }
            }
        }
        // New contexts are made stack by stack, so that each stack's lie next to each other.
        for stack in self.waiting.drain(..) {
            let rest = self.frames[stack.start..stack.end].iter().rev();
            let context = rest.fold(stack.at, |at, &location| tree.child(at, location));
            contexts[stack.point] = context;
            if let Some((slot, mark)) = stack.seen {
                self.seen[slot] = (mark, context);
            }
        }
        self.frames.clear();
    }

    fn wait(&mut self, point: usize, start: usize, seen: Option<(usize, u32)>) {
        debug_assert!(!self.is_full(), "settled in time");
        let end = self.frames.len();
        self.waiting.push(WaitingStack { point, start, end, at: ContextId::ROOT, seen });
    }

    /// Whether `packed`, read leaf first, is the path from `context` up to the root.
    #[inline]
    fn leads_to(&self, packed: &[u8], mut context: ContextId, tree: &ContextTreeBuilder) -> bool {
        let mut position = 0;
        while position < packed.len() {
            if context == ContextId::ROOT {
                return false;
            }
            let (parent, location) = tree.node(context);
            match varint(packed, &mut position) {
                Some(id) if self.locations.find(id) == Some(location.0) => context = parent,
                _ => return false,
            }
        }
        context == ContextId::ROOT
    }
}
