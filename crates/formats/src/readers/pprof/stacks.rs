//! From the location ids of samples to contexts.
//!
//! Samples come before the locations they name, so ids become dense location numbers in the order
//! of their first use. What a stack costs is the cache misses it causes, so:
//! a stack whose bytes were seen lately is found by them (one lookup);
//! another starts at the deepest of its *landmarks* that is known, contexts at every eighth depth
//! that are found by a hash of all locations above them (a lookup or two instead of one a frame);
//! and the rest goes down the tree in batches.

use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use hashbrown::DefaultHashBuilder;
use profile::{ContextId, ContextTreeBuilder, LocationId};
use rustc_hash::FxHasher;

use crate::graph::id_index::IdIndex;
use crate::wire::varint;

/// Turns the location ids of samples (leaf first) into contexts.
#[derive(Debug)]
pub(super) struct StackInterner {
    pub(super) locations: IdIndex,
    seen: SeenStacks,
    landmarks: Landmarks,
    waiting: Vec<WaitingStack>,
    /// Stacks that have arrived and are not yet looked up: point, range in their packed ids, hash.
    arrived: Vec<(usize, Range<usize>, u64)>,
    /// Locations of the waiting stacks, leaf first.
    frames: Vec<LocationId>,
    /// Hashes of the waiting stacks' prefixes at every [`LANDMARK_STEP`]th depth, root first.
    prefixes: Vec<u64>,
}

#[derive(Debug)]
struct WaitingStack {
    /// The point it belongs to.
    point: usize,
    /// Its locations that are still to go, in `frames`; taken from the end.
    start: usize,
    end: usize,
    at: ContextId,
    depth: usize,
    /// Start in `prefixes`.
    prefixes: usize,
    seen: Option<usize>,
}

/// Stacks that go down the tree together. Measured on 300,000 distinct stacks: 8, 16 and 32 are
/// alike, 1 takes more than twice as long.
const BATCH: usize = 16;

/// A packed list of ids holds a number of more than ten bytes.
pub(super) struct Overlong {
    pub(super) point: usize,
}

impl Default for StackInterner {
    fn default() -> Self {
        StackInterner {
            locations: IdIndex::default(),
            seen: SeenStacks::default(),
            landmarks: Landmarks::new(),
            waiting: Vec::with_capacity(BATCH),
            arrived: Vec::with_capacity(BATCH),
            frames: Vec::new(),
            prefixes: Vec::new(),
        }
    }
}

impl StackInterner {
    /// Lets a stack wait: a part of packed ids.
    #[inline]
    pub(super) fn arrives(&mut self, packed: &[u8], range: Range<usize>, point: usize) {
        let hash = seen_hash(&packed[range.clone()]);
        self.arrived.push((point, range, hash));
    }

    /// Whether enough stacks wait.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.arrived.len() >= BATCH
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.locations.heap_bytes() + self.seen.heap_bytes() + self.landmarks.heap_bytes()
    }

    /// Sends the waiting stacks down the tree and gives each point its context. `packed` has the ids of them all.
    pub(super) fn settle(
        &mut self,
        packed: &[u8],
        tree: &mut ContextTreeBuilder,
        contexts: &mut [ContextId],
    ) -> Result<(), Overlong> {
        self.look_up_arrived(packed, contexts)?;
        let touched = self.waiting.iter().map(|stack| {
            let count = (stack.end - stack.start) / LANDMARK_STEP;
            let deepest = self.prefixes[stack.prefixes..][..count].iter().rev().take(2);
            deepest.fold(0, |all, &hash| all ^ self.landmarks.touch(hash))
        });
        std::hint::black_box(touched.fold(0, |all, one| all ^ one));
        for stack in &mut self.waiting {
            let known = self.prefixes[stack.prefixes..].iter();
            let count = (stack.end - stack.start) / LANDMARK_STEP;
            for (index, &hash) in known.take(count).enumerate().rev() {
                if let Some(context) = self.landmarks.find(hash) {
                    stack.depth = (index + 1) * LANDMARK_STEP;
                    stack.end -= stack.depth;
                    stack.at = context;
                    break;
                }
            }
        }
        let mut moving = self.waiting.len();
        let mut order: [usize; BATCH] = std::array::from_fn(|index| index);
        while moving > 0 {
            let touched = order[..moving].iter().map(|&stack| {
                let stack = &self.waiting[stack];
                if stack.end > stack.start {
                    tree.touch(stack.at, self.frames[stack.end - 1])
                } else {
                    0
                }
            });
            std::hint::black_box(touched.fold(0, |all, one| all ^ one));
            let mut index = 0;
            while index < moving {
                let stack = &mut self.waiting[order[index]];
                let child = if stack.end > stack.start {
                    tree.find(stack.at, self.frames[stack.end - 1])
                } else {
                    None
                };
                match child {
                    Some(child) => {
                        stack.at = child;
                        stack.end -= 1;
                        stack.depth += 1;
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
            let (mut at, mut depth) = (stack.at, stack.depth);
            for &location in self.frames[stack.start..stack.end].iter().rev() {
                at = tree.child(at, location);
                depth += 1;
                if depth % LANDMARK_STEP == 0 {
                    let hash = self.prefixes[stack.prefixes + depth / LANDMARK_STEP - 1];
                    self.landmarks.insert(hash, at);
                }
            }
            contexts[stack.point] = at;
            if let Some(slot) = stack.seen {
                self.seen.contexts[slot] = at;
            }
        }
        self.frames.clear();
        self.prefixes.clear();
        Ok(())
    }

    /// Gives the arrived stacks that were seen their contexts; lets the others wait.
    fn look_up_arrived(
        &mut self,
        packed: &[u8],
        contexts: &mut [ContextId],
    ) -> Result<(), Overlong> {
        self.seen.touch(self.arrived.iter().map(|&(.., hash)| hash));
        let mut arrived = std::mem::take(&mut self.arrived);
        for (point, range, hash) in arrived.drain(..) {
            let packed = &packed[range];
            let seen = match self.seen.find(packed, hash) {
                Ok(context) => {
                    contexts[point] = context;
                    continue;
                }
                Err(row) => row,
            };
            let start = self.frames.len();
            let mut position = 0;
            while position < packed.len() {
                let id = varint(packed, &mut position).ok_or(Overlong { point })?;
                self.frames.push(LocationId(self.locations.number(id)));
            }
            self.wait(point, start, seen);
        }
        self.arrived = arrived;
        Ok(())
    }

    fn wait(&mut self, point: usize, start: usize, seen: Option<usize>) {
        debug_assert!(self.waiting.len() < BATCH, "settled in time");
        let end = self.frames.len();
        let prefixes = self.prefixes.len();
        self.landmarks.hash_prefixes(self.frames[start..].iter().rev(), &mut self.prefixes);
        let at = ContextId::ROOT;
        self.waiting.push(WaitingStack { point, start, end, at, depth: 0, prefixes, seen });
    }
}

/// Stacks seen lately, by the bytes of their ids.
#[derive(Debug, Default)]
struct SeenStacks {
    slots: Vec<SeenSlot>,
    /// The bytes of the stacks in the slots.
    bytes: Vec<u8>,
    /// Their contexts; the root until a stack has settled.
    contexts: Vec<ContextId>,
    lookups: usize,
    hits: usize,
}

#[derive(Debug, Clone, Copy, Default)]
struct SeenSlot {
    mark: u32,
    start: u32,
    len: u32,
    /// Row in `contexts`.
    stack: u32,
}

/// Slots at first, and at most: room for a quarter of a million distinct stacks and more.
const FEWEST_SEEN: usize = 1 << 12;
const MOST_SEEN: usize = 1 << 20;
/// Lookups after which a file whose stacks hardly repeat is no longer looked up.
const TRIAL_LOOKUPS: usize = 1 << 16;
/// Most bytes of stacks that are kept; after that only those that are there are found.
const MOST_SEEN_BYTES: usize = 48 << 20;

impl SeenStacks {
    /// Reads what [`SeenStacks::find`] will look at, for several stacks at once: first their slots,
    /// then the bytes that those name.
    fn touch(&self, hashes: impl Iterator<Item = u64> + Clone) {
        if self.slots.is_empty() || self.gave_up() {
            return;
        }
        let slots = hashes.map(|hash| &self.slots[hash as usize & (self.slots.len() - 1)]);
        let lengths = slots.clone().fold(0, |all, slot| all ^ slot.len);
        let touched = slots.fold(0, |all, slot| {
            let at = |at: u32| self.bytes.get(at as usize).copied().unwrap_or_default();
            all ^ at(slot.start)
                ^ at(slot.start + 64)
                ^ self.contexts.get(slot.stack as usize).map_or(0, |c| c.0 as u8)
        });
        std::hint::black_box((lengths, touched));
    }

    /// Whether the stacks of the file hardly repeat.
    fn gave_up(&self) -> bool {
        self.lookups >= TRIAL_LOOKUPS && self.hits < self.lookups / 16
    }

    /// The context of a stack, or the row where it will be, if there was room for it.
    #[inline]
    fn find(&mut self, packed: &[u8], hash: u64) -> Result<ContextId, Option<usize>> {
        if self.gave_up() {
            return Err(None);
        }
        self.lookups += 1;
        if self.contexts.len() * 2 >= self.slots.len() && self.slots.len() < MOST_SEEN {
            self.grow();
        }
        let index = hash as usize & (self.slots.len() - 1);
        let mark = (hash >> 32) as u32;
        let slot = &mut self.slots[index];
        let is_taken = slot.len > 0;
        if is_taken && slot.mark == mark {
            let start = slot.start as usize;
            if &self.bytes[start..start + slot.len as usize] == packed {
                // The root means that it still waits: this one waits too.
                let context = self.contexts[slot.stack as usize];
                self.hits += 1;
                return if context == ContextId::ROOT { Err(None) } else { Ok(context) };
            }
        }
        // Who is there is as good as who comes.
        if is_taken || packed.is_empty() || self.bytes.len() + packed.len() > MOST_SEEN_BYTES {
            return Err(None);
        }
        let (start, len) = (self.bytes.len() as u32, packed.len() as u32);
        let stack = self.contexts.len() as u32;
        *slot = SeenSlot { mark, start, len, stack };
        self.bytes.extend_from_slice(packed);
        self.contexts.push(ContextId::ROOT);
        Err(Some(stack as usize))
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![SeenSlot::default(); (old.len() * 4).max(FEWEST_SEEN)];
        for slot in old.into_iter().filter(|slot| slot.len > 0) {
            let packed = &self.bytes[slot.start as usize..][..slot.len as usize];
            let index = seen_hash(packed) as usize & (self.slots.len() - 1);
            self.slots[index] = slot;
        }
    }

    fn heap_bytes(&self) -> usize {
        self.slots.len() * size_of::<SeenSlot>() + self.bytes.len() + self.contexts.len() * 4
    }
}

fn seen_hash(packed: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(packed);
    hasher.finish()
}

/// Depth between two landmarks.
const LANDMARK_STEP: usize = 8;

/// Contexts at every [`LANDMARK_STEP`]th depth, by a hash of their path. The hash is seeded at
/// random and has 64 bits: no file can be made to collide, and among ten million landmarks two
/// paths meet by chance once in a hundred thousand files.
#[derive(Debug)]
struct Landmarks {
    /// Open addressing with linear probing; context 0, the root, is an empty slot.
    slots: Vec<(u64, ContextId)>,
    used: usize,
    seed: u64,
    factor: u64,
}

impl Landmarks {
    fn new() -> Self {
        let random = DefaultHashBuilder::default();
        Landmarks {
            slots: vec![(0, ContextId::ROOT); 1 << 10],
            used: 0,
            seed: random.hash_one(1u8),
            factor: random.hash_one(2u8) | 1,
        }
    }

    fn hash_prefixes<'a>(
        &self,
        root_first: impl Iterator<Item = &'a LocationId>,
        out: &mut Vec<u64>,
    ) {
        let mut hash = self.seed;
        for (index, location) in root_first.enumerate() {
            let word = hash ^ (u64::from(location.0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let product = u128::from(word) * u128::from(self.factor);
            hash = (product as u64 ^ (product >> 64) as u64).wrapping_add(self.seed);
            if (index + 1) % LANDMARK_STEP == 0 {
                out.push(hash);
            }
        }
    }

    /// Reads what [`Landmarks::find`] will look at first.
    fn touch(&self, hash: u64) -> u64 {
        self.slots[hash as usize & (self.slots.len() - 1)].0
    }

    #[inline]
    fn find(&self, hash: u64) -> Option<ContextId> {
        let mask = self.slots.len() - 1;
        let mut index = hash as usize & mask;
        loop {
            match self.slots[index] {
                (_, ContextId::ROOT) => return None,
                (found, context) if found == hash => return Some(context),
                _ => index = (index + 1) & mask,
            }
        }
    }

    fn insert(&mut self, hash: u64, context: ContextId) {
        if self.used * 4 >= self.slots.len() * 3 {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![(0, ContextId::ROOT); old.len() * 2];
            for (hash, context) in
                old.into_iter().filter(|(_, context)| *context != ContextId::ROOT)
            {
                self.place(hash, context);
            }
        }
        if self.place(hash, context) {
            self.used += 1;
        }
    }

    /// Whether the landmark is new.
    fn place(&mut self, hash: u64, context: ContextId) -> bool {
        let mask = self.slots.len() - 1;
        let mut index = hash as usize & mask;
        while self.slots[index].1 != ContextId::ROOT {
            if self.slots[index].0 == hash {
                return false;
            }
            index = (index + 1) & mask;
        }
        self.slots[index] = (hash, context);
        true
    }

    fn heap_bytes(&self) -> usize {
        self.slots.len() * size_of::<(u64, ContextId)>()
    }
}
