//! Nodes in a tree.

use hashbrown::HashMap;
use profile::{FunctionId, LocationId, ProfileBuilder};

use crate::Warnings;
use crate::graph::id_index::IdIndex;
use crate::graph::parents;
use crate::graph::parents::NONE;
use crate::graph::v8_nodes::resolved::ResolvedNodes;

/// The nodes in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct NodeTree {
    pub(super) nodes: Vec<Node>,
    /// Numbers of the nodes' ids, which may be named before the node is met.
    pub(super) ids: IdIndex,
    /// By number of its id, the row of the node.
    pub(super) rows: Vec<u32>,
    /// Rows of parents with numbers of their children.
    pub(super) links: Vec<(u32, u32)>,
    /// Hits by line, of all nodes.
    pub(super) ticks: Vec<(u32, i64)>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// Row of the parent.
    parent: u32,
    /// Number of the id of the parent.
    pub(super) parent_id: u32,
    pub(super) location: LocationId,
    pub(super) function: FunctionId,
    pub(super) kind: NodeKind,
    /// Hits or bytes of the node itself.
    pub(super) value: i64,
    /// Where its `ticks` start and end.
    pub(super) ticks: (u32, u32),
    pub(super) line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Frame,
    /// `(idle)`: nothing ran.
    Idle,
    /// `(root)`, which stands for the whole program.
    Root,
    /// `(garbage collector)` and `(program)`: work of V8 for whoever ran before.
    System,
}

impl NodeTree {
    /// The number of the node with this id.
    #[inline]
    pub(crate) fn number(&mut self, id: u64) -> u32 {
        self.ids.number(id)
    }

    /// Adds the nodes of a later part of the same tree. Gives the numbers here of its numbers.
    pub(crate) fn absorb(&mut self, part: NodeTree) -> Vec<u32> {
        let numbers: Vec<u32> = part.ids.ids().iter().map(|&id| self.ids.number(id)).collect();
        let (rows, ticks) = (self.nodes.len() as u32, self.ticks.len() as u32);
        for (number, row) in part.rows.into_iter().enumerate().filter(|&(_, row)| row != NONE) {
            let number = numbers[number] as usize;
            if self.rows.len() <= number {
                self.rows.resize(number + 1, NONE);
            }
            self.rows[number] = rows + row;
        }
        self.nodes.extend(part.nodes.into_iter().map(|mut node| {
            node.parent = if node.parent == NONE { NONE } else { rows + node.parent };
            node.parent_id = match node.parent_id {
                NONE => NONE,
                number => numbers[number as usize],
            };
            node.ticks = (node.ticks.0 + ticks, node.ticks.1 + ticks);
            node
        }));
        let links = part.links.into_iter();
        self.links.extend(links.map(|(parent, child)| (rows + parent, numbers[child as usize])));
        self.ticks.extend(part.ticks);
        numbers
    }

    /// Bytes held.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.ids.heap_bytes()
            + (self.rows.capacity() + 2 * self.links.capacity()) * 4
            + self.ticks.capacity() * 16
    }

    /// Whether there are no nodes.
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Makes the contexts, once all nodes are read.
    pub(crate) fn resolve(
        mut self,
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) -> ResolvedNodes {
        self.join();
        self.forget_lines_elsewhere();
        let rows: Vec<u32> = self.nodes.iter().map(|node| node.parent).collect();
        let location = |row: usize| {
            let node = &self.nodes[row];
            (node.kind != NodeKind::Root).then_some(node.location)
        };
        let contexts = parents::contexts(&rows, location, &mut builder.contexts, || {
            warnings.add("circles", || "nodes of the tree are their own ancestors".to_owned());
        });
        ResolvedNodes { tree: self, contexts, lines: HashMap::new(), dealt: HashMap::new() }
    }

    pub(super) fn push(&mut self, parent: u32) -> u32 {
        self.nodes.push(Node {
            parent,
            parent_id: NONE,
            location: LocationId(NONE),
            function: FunctionId(NONE),
            kind: NodeKind::Root,
            value: 0,
            ticks: (0, 0),
            line: 0,
        });
        self.nodes.len() as u32 - 1
    }

    /// V8 counts what it inlined as lines of the function that it was inlined into, by their numbers in
    /// their own files. Those before the function begins are none of its lines.
    fn forget_lines_elsewhere(&mut self) {
        for node in &self.nodes {
            let (start, end) = node.ticks;
            for (line, _) in &mut self.ticks[start as usize..end as usize] {
                if *line < node.line {
                    *line = 0;
                }
            }
        }
    }

    /// Gives every node its parent's row.
    fn join(&mut self) {
        self.rows.resize(self.ids.ids().len(), NONE);
        for node in &mut self.nodes {
            if node.parent_id != NONE {
                node.parent = self.rows[node.parent_id as usize];
            }
        }
        for (parent, child) in std::mem::take(&mut self.links) {
            if let Some(node) = self.nodes.get_mut(self.rows[child as usize] as usize) {
                node.parent = parent;
            }
        }
    }
}
