//! The nodes with their contexts.

use hashbrown::HashMap;
use profile::{ContextId, Location, ProfileBuilder};

use crate::graph::parents::NONE;
use crate::graph::v8_nodes::{NodeKind, NodeTree};

/// The nodes with their contexts.
#[derive(Debug)]
pub(crate) struct ResolvedNodes {
    pub(crate) tree: NodeTree,
    /// By row.
    pub(crate) contexts: Vec<ContextId>,
    /// Contexts of nodes whose line is known for one sample.
    pub(crate) lines: HashMap<(u32, u32), ContextId>,
    /// By row, the nodes whose samples were asked for their lines.
    pub(crate) dealt: HashMap<u32, Dealt>,
}

/// The lines of a node, dealt out to its samples: which of them was on which line is not recorded.
///
/// With `n` hits in all, the samples take the hits at 0, `stride`, 2 `stride`, … modulo `n`. As
/// `stride` and `n` have no common divisor, `n` samples take every hit once; as it is about 0.618
/// `n`, any few of them that follow each other are spread over the lines.
#[derive(Debug)]
pub(crate) struct Dealt {
    /// Lines with the number of hits up to and with theirs.
    ends: Vec<(u32, u64)>,
    stride: u64,
    at: u64,
}

impl Dealt {
    fn new(ticks: &[(u32, i64)]) -> Dealt {
        let mut hits = 0_u64;
        let mut ends = vec![];
        for &(line, count) in ticks {
            // More hits than this are not a count, and their sums stay numbers.
            hits += u64::try_from(count).unwrap_or(0).min(1 << 32);
            ends.push((line, hits));
        }
        let mut stride = (hits as f64 * 0.618) as u64 + 1;
        while gcd(stride, hits) > 1 {
            stride += 1;
        }
        Dealt { ends, stride, at: 0 }
    }

    /// The line of the next sample; 0 where none is known.
    fn next(&mut self) -> u32 {
        let hits = self.ends.last().map_or(0, |&(_, end)| end);
        if hits == 0 {
            return 0;
        }
        let place = self.ends.partition_point(|&(_, end)| end <= self.at);
        self.at = (self.at + self.stride) % hits;
        self.ends[place].0
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
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

    /// The line of the next sample of the node with this number, by its hits; 0 where there are
    /// none.
    pub(crate) fn next_line(&mut self, number: u32) -> u32 {
        let row = self.tree.rows.get(number as usize).map_or(NONE, |&row| row);
        let Some(node) = self.tree.nodes.get(row as usize) else { return 0 };
        let (start, end) = node.ticks;
        if start == end {
            return 0;
        }
        let ticks = &self.tree.ticks[start as usize..end as usize];
        self.dealt.entry(row).or_insert_with(|| Dealt::new(ticks)).next()
    }

    pub(crate) fn kind(&self, number: u32) -> NodeKind {
        let row = self.tree.rows.get(number as usize).map_or(NONE, |&row| row);
        self.tree.nodes.get(row as usize).map_or(NodeKind::Root, |node| node.kind)
    }

    /// The context of a sample, by what ran before it.
    pub(crate) fn sampled(
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
