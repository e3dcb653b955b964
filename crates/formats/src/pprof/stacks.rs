//! From the location ids of samples to contexts.
//!
//! Samples come before the locations they name, so ids become dense location numbers in the order
//! of their first use. Three shortcuts make a stack cheap, tried in this order:
//! a stack with the same bytes was seen (a lookup by hash, verified by walking up the tree);
//! it begins like the stack before it (no lookup for the common part); a child is its parent's
//! neighbour (see [`profile::ContextTreeBuilder`]).

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
#[derive(Debug)]
pub(super) struct StackInterner {
    pub(super) locations: IdIndex,
    /// Recently seen stacks: part of the hash of their bytes, and the context.
    seen: Vec<(u32, ContextId)>,
    /// The stack before, root first: its locations and their contexts.
    previous: Vec<(LocationId, ContextId)>,
    stack: Vec<LocationId>,
}

/// Entries of the table of seen stacks (8 MiB): room for a million distinct stacks; more than that
/// replace each other.
const SEEN_STACKS: usize = 1 << 20;

/// What a packed list of ids is when it is not one.
pub(super) struct CutShort;

impl StackInterner {
    pub(super) fn new() -> Self {
        StackInterner {
            locations: IdIndex::default(),
            seen: Vec::new(),
            previous: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// The context of a packed list of ids.
    #[inline]
    pub(super) fn packed(
        &mut self,
        packed: &[u8],
        tree: &mut ContextTreeBuilder,
    ) -> Result<ContextId, CutShort> {
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
            return Ok(seen_context);
        }
        self.stack.clear();
        let mut position = 0;
        while position < packed.len() {
            let id = varint(packed, &mut position).ok_or(CutShort)?;
            self.stack.push(LocationId(self.locations.number(id)));
        }
        let context = self.walk(tree);
        self.seen[slot] = (mark, context);
        Ok(context)
    }

    /// The context of a list of ids.
    pub(super) fn ids(&mut self, ids: &[u64], tree: &mut ContextTreeBuilder) -> ContextId {
        self.stack.clear();
        for &id in ids {
            self.stack.push(LocationId(self.locations.number(id)));
        }
        self.walk(tree)
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

    /// The context of `self.stack`.
    #[inline]
    fn walk(&mut self, tree: &mut ContextTreeBuilder) -> ContextId {
        let root_first = self.stack.iter().rev();
        let common = root_first.clone().zip(&self.previous).take_while(|(a, (b, _))| *a == b).count();
        self.previous.truncate(common);
        let mut at = self.previous.last().map_or(ContextId::ROOT, |&(_, context)| context);
        for &location in root_first.skip(common) {
            at = tree.child(at, location);
            self.previous.push((location, at));
        }
        at
    }
}
