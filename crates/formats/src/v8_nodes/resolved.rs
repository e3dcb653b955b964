//! The nodes with their contexts.

use hashbrown::HashMap;
use profile::{ContextId, Location, ProfileBuilder};

use super::{NodeKind, NodeTree};
use crate::parents::NONE;

/// The nodes with their contexts.
#[derive(Debug)]
pub(crate) struct ResolvedNodes {
    pub(super) tree: NodeTree,
    /// By row.
    pub(super) contexts: Vec<ContextId>,
    /// Contexts of nodes whose line is known for one sample.
    pub(super) lines: HashMap<(u32, u32), ContextId>,
}

impl ResolvedNodes {
    /// The context of the node with this number.
    pub(crate) fn context(&self, number: u32) -> Option<ContextId> {
        let row = *self.tree.rows.get(number as usize)?;
        self.contexts.get(row as usize).copied()
    }

    /// Context and value of every node.
    pub(crate) fn values(&self) -> impl Iterator<Item = (ContextId, i64)> {
        self.contexts.iter().zip(&self.tree.nodes).map(|(&context, node)| (context, node.value))
    }

    /// Tells the hits of every node, those by line each with their line.
    pub(crate) fn hits(
        &self,
        builder: &mut ProfileBuilder,
        mut tell: impl FnMut(&mut ProfileBuilder, ContextId, i64),
    ) {
        for (row, node) in self.tree.nodes.iter().enumerate() {
            let mut left = node.value;
            let (start, end) = node.ticks;
            for &(line, count) in &self.tree.ticks[start as usize..end as usize] {
                let context = self.at_line(builder, row, line);
                tell(builder, context, count);
                left = left.saturating_sub(count);
            }
            if left > 0 {
                tell(builder, self.contexts[row], left);
            }
        }
    }

    /// The context of a node at another of its lines.
    fn at_line(&self, builder: &mut ProfileBuilder, row: usize, line: u32) -> ContextId {
        let context = self.contexts[row];
        let node = &self.tree.nodes[row];
        if node.kind == NodeKind::Root || line == 0 || line == node.line {
            return context;
        }
        let (parent, _) = builder.contexts.node(context);
        let location = builder.location(Location::default(), &[(Some(node.function), line, 0)]);
        builder.contexts.child(parent, location)
    }

    pub(super) fn kind(&self, number: u32) -> NodeKind {
        let row = self.tree.rows.get(number as usize).map_or(NONE, |&row| row);
        self.tree.nodes.get(row as usize).map_or(NodeKind::Root, |node| node.kind)
    }

    /// The context of a sample, by what ran before it.
    pub(super) fn sampled(
        &mut self,
        builder: &mut ProfileBuilder,
        number: u32,
        line: u32,
        before: ContextId,
    ) -> Option<ContextId> {
        let context = self.context(number)?;
        if self.kind(number) == NodeKind::System {
            let (_, location) = builder.contexts.node(context);
            return Some(builder.contexts.child(before, location));
        }
        if line == 0 {
            return Some(context);
        }
        if let Some(&known) = self.lines.get(&(number, line)) {
            return Some(known);
        }
        let context = self.at_line(builder, self.tree.rows[number as usize] as usize, line);
        self.lines.insert((number, line), context);
        Some(context)
    }
}
