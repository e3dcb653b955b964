//! Whether symbols are set before they are used.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};

use crate::expr::Expr;
use crate::model::{
    Dimension, GraphIndex, NodeKind, Program, RegionIndex, RegionKind, State, Subset,
};

/// A block of a region.
pub(super) type At = (RegionIndex, usize);

/// Where names are used and set in a graph.
pub(super) struct Uses<'p> {
    program: &'p Program,
    used: HashMap<&'p str, BTreeSet<At>>,
    /// Those of `used` where more than the edges out of a block use it.
    inside: HashMap<&'p str, BTreeSet<At>>,
    /// The regions whose edges set a name.
    set_in: HashMap<&'p str, BTreeSet<RegionIndex>>,
    /// Blocks and edges that may still be looked at.
    left: Cell<usize>,
}

/// Enough for 4,000 names in regions of 10,000 blocks.
const MOST_LOOKS: usize = 40_000_000;

impl<'p> Uses<'p> {
    /// Of these names.
    pub(super) fn new(program: &'p Program, graph: GraphIndex, names: &BTreeSet<&'p str>) -> Self {
        let left = Cell::new(MOST_LOOKS);
        let (used, inside) = (HashMap::new(), HashMap::new());
        let mut uses = Uses { program, used, inside, set_in: HashMap::new(), left };
        if names.is_empty() {
            return uses;
        }
        for (place, region) in program.regions.iter().enumerate() {
            let index = RegionIndex(place as u32);
            if region.graph != graph {
                continue;
            }
            for edge in &region.edges {
                let at = (index, edge.source.place());
                let values = edge.assignments.iter().map(|(_, value)| value);
                for expr in values.chain(&edge.condition) {
                    for name in expr.symbols().into_iter().filter_map(|one| names.get(one)) {
                        uses.used.entry(name).or_default().insert(at);
                    }
                }
                for (name, _) in &edge.assignments {
                    if let Some(name) = names.get(&**name) {
                        uses.set_in.entry(name).or_default().insert(index);
                    }
                }
            }
            if let (RegionKind::Loop(header), Some((around, block))) = (&region.kind, region.holder)
            {
                uses.add_names(header.names(), names, (around, block.place()));
            }
            for (block, one) in region.blocks.iter().enumerate() {
                uses.add_names(one.names(), names, (index, block));
            }
        }
        for state in &program.states {
            if program.region(state.region).graph == graph {
                uses.add_state(state, names);
            }
        }
        uses
    }

    /// Whether all uses of a name stand behind an edge that sets it; no where too much was looked at.
    pub(super) fn is_set_before(&self, name: &str) -> bool {
        let none = BTreeSet::new();
        let (used, set_in) = (self.used.get(name).unwrap_or(&none), self.set_in.get(name));
        let looks: usize = (set_in.into_iter().flatten())
            .map(|region| self.program.region(*region))
            .map(|region| region.blocks.len() + region.edges.len())
            .sum();
        let Some(left) = self.left.get().checked_sub(looks) else { return false };
        self.left.set(left);
        let regions: Vec<(RegionIndex, Vec<bool>)> = (set_in.into_iter().flatten())
            .map(|region| (*region, self.reached_unset(*region, name)))
            .collect();
        used.iter().all(|at| {
            regions.iter().any(|(region, unset)| {
                self.block_in(*region, *at).is_some_and(|block| !unset[block])
            })
        })
    }

    /// Whether a block, what is in it or an edge out of it uses a name.
    pub(super) fn is_used_in(&self, name: &str, (region, block): At) -> bool {
        let used = self.used.get(name).into_iter().flatten();
        used.into_iter().any(|&at| self.block_in(region, at) == Some(block))
    }

    /// The blocks that use a name, whatever the edges out of them do.
    pub(super) fn inside_blocks(&self, name: &str) -> BTreeSet<At> {
        self.inside.get(name).cloned().unwrap_or_default()
    }

    /// The regions whose edges set a name.
    pub(super) fn regions_that_set(&self, name: &str) -> BTreeSet<RegionIndex> {
        self.set_in.get(name).cloned().unwrap_or_default()
    }

    /// How much may still be looked at.
    pub(super) fn left(&self) -> usize {
        self.left.get()
    }

    /// The same, after something was.
    pub(super) fn set_left(&self, left: usize) {
        self.left.set(left);
    }

    /// By block, whether a way leads there on which nothing sets a name.
    fn reached_unset(&self, region: RegionIndex, name: &str) -> Vec<bool> {
        let region = self.program.region(region);
        let mut is_reached = vec![false; region.blocks.len()];
        let mut ways = vec![vec![]; region.blocks.len()];
        for edge in &region.edges {
            if edge.assignments.iter().all(|(set, _)| **set != *name) {
                ways[edge.source.place()].push(edge.target.place());
            }
        }
        let mut open: Vec<usize> = region.start.map(|start| start.place()).into_iter().collect();
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut is_reached[block], true) {
                open.extend(&ways[block]);
            }
        }
        is_reached
    }

    /// The block of a region that a place is in.
    fn block_in(&self, region: RegionIndex, (mut around, mut block): At) -> Option<usize> {
        while around != region {
            let (outer, holder) = self.program.region(around).holder?;
            (around, block) = (outer, holder.place());
        }
        Some(block)
    }

    fn add(&mut self, expr: &Expr, names: &BTreeSet<&'p str>, at: At) {
        for symbol in expr.symbols() {
            if let Some(name) = names.get(symbol) {
                self.used.entry(name).or_default().insert(at);
                self.inside.entry(name).or_default().insert(at);
            }
        }
    }

    fn add_names(&mut self, used: impl Iterator<Item = String>, names: &BTreeSet<&'p str>, at: At) {
        for name in used {
            if let Some(name) = names.get(&*name) {
                self.used.entry(name).or_default().insert(at);
                self.inside.entry(name).or_default().insert(at);
            }
        }
    }

    fn add_state(&mut self, state: &'p State, names: &BTreeSet<&'p str>) {
        let at = (state.region, state.block.place());
        for node in &state.nodes {
            match &node.kind {
                NodeKind::MapEntry(map) => self.add_dimensions(&map.range, names, at),
                NodeKind::Nested { symbol_mapping, .. } => {
                    symbol_mapping.iter().for_each(|(_, value)| self.add(value, names, at));
                }
                _ => {}
            }
        }
        for memlet in state.edges.iter().filter_map(|edge| edge.memlet.as_ref()) {
            self.add(&memlet.volume, names, at);
            let subsets = memlet.subset.iter().chain(&memlet.other_subset);
            for Subset { dimensions, further } in subsets {
                self.add_dimensions(dimensions, names, at);
                further.iter().for_each(|one| self.add_dimensions(one, names, at));
            }
        }
    }

    fn add_dimensions(&mut self, all: &[Dimension], names: &BTreeSet<&'p str>, at: At) {
        for one in all {
            [&one.start, &one.end, &one.step, &one.tile]
                .into_iter()
                .for_each(|part| self.add(part, names, at));
        }
    }
}
