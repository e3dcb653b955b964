//! The calling context tree.

use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use crate::ids::{NONE, optional};
use crate::{ContextId, LocationId};

/// The calling context tree in preorder: a context's descendants are the contexts after it, up to
/// its `end`. Twelve bytes a context.
///
/// ```text
/// index     0      1     2      3     4
/// tree      root   main  parse  read  print      main calls parse and print, parse calls read
/// parent    -      0     1      2     1
/// end       5      5     4      4     5
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contexts {
    parent: Vec<u32>,
    location: Vec<u32>,
    end: Vec<u32>,
}

impl Contexts {
    /// How many contexts there are, the root counted; at least one.
    #[expect(clippy::len_without_is_empty, reason = "never empty: the root always exists")]
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// The caller's context; none for the root.
    pub fn parent(&self, context: ContextId) -> Option<ContextId> {
        optional(self.parent[context.index()]).map(ContextId)
    }

    /// Parents by context, in preorder; the root's is `u32::MAX`. For passes over all contexts.
    pub fn parents(&self) -> &[u32] {
        &self.parent
    }

    /// The place in code; none for the root.
    pub fn location(&self, context: ContextId) -> Option<LocationId> {
        optional(self.location[context.index()]).map(LocationId)
    }

    /// The first context after the descendants.
    pub fn end(&self, context: ContextId) -> u32 {
        self.end[context.index()]
    }

    /// The context and its descendants.
    pub fn subtree(&self, context: ContextId) -> Range<u32> {
        context.0..self.end[context.index()]
    }

    /// The children, in the order in which the file first names them.
    pub fn children(&self, context: ContextId) -> impl Iterator<Item = ContextId> + '_ {
        let stop = self.end[context.index()];
        let mut next = context.0 + 1;
        std::iter::from_fn(move || {
            (next < stop).then(|| {
                let child = ContextId(next);
                next = self.end[child.index()];
                child
            })
        })
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        (self.parent.capacity() + self.location.capacity() + self.end.capacity()) * 4
    }
}

/// Bytes of a finished context and its new number.
const FINISHED: usize = 16;

/// Builds the tree while stacks arrive in any order.
///
/// A context's first child is always the next node, unless something else came in between, so
/// most steps down a stack look at the neighbouring eight bytes. Only children that are not such
/// neighbours stand in the hash table: one entry a branch instead of one a context.
#[derive(Debug)]
pub struct ContextTreeBuilder {
    /// Parent and location.
    nodes: Vec<[u32; 2]>,
    /// Open addressing with linear probing. A slot holds the context in its low half and the hash
    /// in its high half, so that looking past other entries and growing touch the table only; 0
    /// is an empty slot (the root is nobody's child).
    table: Vec<u64>,
    branches: usize,
    seed: u64,
}

impl Default for ContextTreeBuilder {
    fn default() -> Self {
        ContextTreeBuilder {
            nodes: vec![[NONE, NONE]],
            table: vec![0; 1024],
            branches: 0,
            // Random, so that no file can be made whose contexts all collide.
            seed: RandomState::new().hash_one(0u64),
        }
    }
}

impl ContextTreeBuilder {
    /// How many contexts there are, the root counted.
    #[expect(clippy::len_without_is_empty, reason = "never empty: the root always exists")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        (self.nodes.capacity() + self.table.capacity()) * 8
    }

    /// Bytes that the finished tree takes, with the new numbers.
    pub fn finished_bytes(&self) -> usize {
        self.nodes.len() * FINISHED
    }

    /// The parent and location of a context that is not the root.
    #[inline]
    pub fn node(&self, context: ContextId) -> (ContextId, LocationId) {
        let [parent, location] = self.nodes[context.index()];
        (ContextId(parent), LocationId(location))
    }

    /// Reads what [`ContextTreeBuilder::find`] will look at first. Called for several stacks before
    /// any of them goes on, it has the memory fetch their cache lines at the same time. What it
    /// gives means nothing.
    #[inline]
    pub fn touch(&self, parent: ContextId, location: LocationId) -> u64 {
        let slot = self.hash([parent.0, location.0]) as usize & (self.table.len() - 1);
        let neighbour = self.nodes.get(parent.index() + 1).map_or(0, |node| node[1]);
        self.table[slot] ^ u64::from(neighbour)
    }

    /// The child of `parent` at `location`, if there is one.
    #[inline]
    pub fn find(&self, parent: ContextId, location: LocationId) -> Option<ContextId> {
        self.search([parent.0, location.0]).ok()
    }

    /// The child of `parent` at `location`, made if it is new.
    #[inline]
    pub fn child(&mut self, parent: ContextId, location: LocationId) -> ContextId {
        let wanted = [parent.0, location.0];
        self.search(wanted).unwrap_or_else(|slot| self.insert(wanted, slot))
    }

    /// The context, or the slot where it would go.
    #[inline]
    fn search(&self, wanted: [u32; 2]) -> Result<ContextId, usize> {
        let neighbour = wanted[0] + 1;
        match self.nodes.get(neighbour as usize) {
            Some(node) if *node == wanted => return Ok(ContextId(neighbour)),
            Some(_) => {}
            // The newest context has no children; its first will be its neighbour, without a slot.
            None => return Err(usize::MAX),
        }
        let mask = self.table.len() - 1;
        let hash = self.hash(wanted);
        let mut slot = hash as usize & mask;
        loop {
            match self.table[slot] {
                0 => return Err(slot),
                entry
                    if (entry >> 32) as u32 == hash
                        && self.nodes[entry as u32 as usize] == wanted =>
                {
                    return Ok(ContextId(entry as u32));
                }
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn insert(&mut self, node: [u32; 2], slot: usize) -> ContextId {
        let id = self.nodes.len() as u32;
        assert!(id < NONE, "readers stop at their limits, long before 2^32 - 1 contexts");
        self.nodes.push(node);
        if id != node[0] + 1 {
            self.table[slot] = self.entry(id);
            self.branches += 1;
            if self.branches * 2 > self.table.len() {
                self.grow();
            }
        }
        ContextId(id)
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.table);
        let mask = old.len() * 4 - 1;
        self.table = vec![0; mask + 1];
        for entry in old.into_iter().filter(|&entry| entry != 0) {
            let mut slot = (entry >> 32) as usize & mask;
            while self.table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.table[slot] = entry;
        }
    }

    /// Forgets all contexts from number `len` on.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.nodes.truncate(len);
        self.table.fill(0);
        let mask = self.table.len() - 1;
        for id in 1..self.nodes.len() as u32 {
            if id != self.nodes[id as usize][0] + 1 {
                let entry = self.entry(id);
                let mut slot = (entry >> 32) as usize & mask;
                while self.table[slot] != 0 {
                    slot = (slot + 1) & mask;
                }
                self.table[slot] = entry;
            }
        }
        self.branches = self.table.iter().filter(|&&entry| entry != 0).count();
    }

    fn entry(&self, id: u32) -> u64 {
        u64::from(self.hash(self.nodes[id as usize])) << 32 | u64::from(id)
    }

    #[inline]
    fn hash(&self, [parent, location]: [u32; 2]) -> u32 {
        let word = (u64::from(parent) << 32 | u64::from(location)) ^ self.seed;
        let product = u128::from(word) * 0x9e37_79b9_7f4a_7c15_u128;
        ((product as u64 ^ (product >> 64) as u64) >> 32) as u32
    }

    /// The tree in preorder, and for each context its new number.
    pub fn finish(self) -> (Contexts, Vec<ContextId>) {
        let nodes = self.nodes;
        drop(self.table);
        let count = nodes.len();

        let mut size = vec![1u32; count];
        for index in (1..count).rev() {
            size[nodes[index][0] as usize] += size[index];
        }
        // `cursor` is where a context's next child goes. Once a context has its place its size is
        // no longer needed, so the new numbers replace the sizes.
        let mut cursor = vec![1u32; count];
        size[0] = 0;
        for index in 1..count {
            let parent = nodes[index][0] as usize;
            let new = cursor[parent];
            cursor[parent] += size[index];
            cursor[index] = new + 1;
            size[index] = new;
        }
        drop(cursor);
        let renumbered = size;

        let mut location = vec![NONE; count];
        let mut parent = vec![NONE; count];
        for (node, &new) in nodes.iter().zip(&renumbered).skip(1) {
            location[new as usize] = node[1];
            parent[new as usize] = renumbered[node[0] as usize];
        }
        drop(nodes);

        // Backwards, the first child met is the last one, and ends where its parent ends.
        let mut end = vec![0u32; count];
        for index in (0..count).rev() {
            if end[index] == 0 {
                end[index] = index as u32 + 1;
            }
            if index > 0 && end[parent[index] as usize] == 0 {
                end[parent[index] as usize] = end[index];
            }
        }
        let renumbered = renumbered.into_iter().map(ContextId).collect();
        (Contexts { parent, location, end }, renumbered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_order_of_stacks_gives_preorder() {
        let mut tree = ContextTreeBuilder::default();
        let mut stack = |path: &[u32]| {
            path.iter().fold(ContextId::ROOT, |at, &l| tree.child(at, LocationId(l)))
        };
        let read = stack(&[1, 2, 3]);
        let print = stack(&[1, 4]);
        let other = stack(&[9]);
        let late = stack(&[1, 2, 5]);
        assert_eq!(stack(&[1, 2, 3]), read);
        assert_eq!(stack(&[1, 4]), print);
        let (contexts, renumbered) = tree.finish();
        let path = |mut id: ContextId| {
            let mut path = vec![];
            while let Some(location) = contexts.location(id) {
                path.push(location.0);
                id = contexts.parent(id).unwrap();
            }
            path.reverse();
            path
        };
        assert_eq!(path(renumbered[read.index()]), [1, 2, 3]);
        assert_eq!(path(renumbered[print.index()]), [1, 4]);
        assert_eq!(path(renumbered[other.index()]), [9]);
        assert_eq!(path(renumbered[late.index()]), [1, 2, 5]);
        assert_eq!(contexts.subtree(ContextId::ROOT), 0..7);
        let children: Vec<_> = contexts.children(ContextId::ROOT).map(path).collect();
        assert_eq!(children, [[1], [9]]);
    }

    #[test]
    fn what_is_taken_back_can_be_added_again() {
        let mut tree = ContextTreeBuilder::default();
        let mut state = 1u32;
        let mut path = |tree: &mut ContextTreeBuilder| {
            (0..5).fold(ContextId::ROOT, |at, _| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                tree.child(at, LocationId(state >> 29))
            })
        };
        (0..500).for_each(|_| {
            path(&mut tree);
        });
        let before: Vec<_> = (0..tree.len() as u32).map(|id| tree.nodes[id as usize]).collect();
        (0..2000).for_each(|_| {
            path(&mut tree);
        });
        assert!(tree.len() > before.len());
        tree.truncate(before.len());
        for (id, &[parent, location]) in before.iter().enumerate().skip(1) {
            let found = tree.find(ContextId(parent), LocationId(location));
            assert_eq!(found, Some(ContextId(id as u32)));
        }
        let new = tree.child(ContextId::ROOT, LocationId(99));
        assert_eq!(new, ContextId(before.len() as u32));
    }

    #[test]
    fn a_stack_of_a_hundred_thousand_frames() {
        let mut tree = ContextTreeBuilder::default();
        let mut at = ContextId::ROOT;
        for depth in 0..100_000 {
            at = tree.child(at, LocationId(depth % 7));
        }
        let (contexts, renumbered) = tree.finish();
        assert_eq!(renumbered[at.index()], ContextId(100_000));
        assert_eq!(contexts.len(), 100_001);
    }
}
