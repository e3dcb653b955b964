//! What became of the parts of two graphs.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::matching::Matching;
use crate::cost::{Cost, Costs};
use crate::expr::Expr;
use crate::model::{
    BlockIndex, BlockKind, EdgeIndex, NodeIndex, Program, Region, RegionIndex, State, StateIndex,
};

/// What two graphs have in common, and what not.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Of the whole, on both sides.
    pub total: Sides<Cost>,
    /// Bytes over the outermost edges of the outermost graphs in the whole run, by container, see
    /// [`Costs::moved_by_container`]; nothing where a side moves none of it.
    pub containers: BTreeMap<Arc<str>, Sides<Option<Expr>>>,
    /// Blocks other than the regions of whole graphs.
    pub blocks: Matches<(RegionIndex, BlockIndex)>,
    /// Nodes of all states.
    pub nodes: Matches<(StateIndex, NodeIndex)>,
    /// Dataflow edges of all states.
    pub edges: Matches<(StateIndex, EdgeIndex)>,
}

/// The same of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sides<T> {
    /// Before.
    pub base: T,
    /// After.
    pub new: T,
}

/// Elements of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matches<I> {
    /// On both sides, in the order of the base.
    pub both: Vec<Match<I>>,
    /// What the new side lacks, in order.
    pub only_base: Vec<I>,
    /// What the base lacks, in order.
    pub only_new: Vec<I>,
}

/// An element that is on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match<I> {
    /// Where it is.
    pub at: Sides<I>,
    /// Its costs are not the same expressions.
    pub differs: bool,
}

impl Comparison {
    /// Compares two graphs with their costs.
    pub fn new(base: (&Program, &Costs), new: (&Program, &Costs)) -> Comparison {
        let programs = Sides { base: base.0, new: new.0 };
        let costs = Sides { base: base.1, new: new.1 };
        let mut matching = Matching::new(programs);
        matching.run();
        let node_cost = |side: &Costs, (state, node): (StateIndex, NodeIndex)| {
            side.nodes[state.place()][node.place()].clone()
        };
        let block_cost =
            |program: &Program, side: &Costs, block| cost_of_block(program, side, block);
        let edge_cost = |side: &Costs, (state, edge): (StateIndex, EdgeIndex)| {
            let movement = side.edges[state.place()][edge.place()].as_ref();
            movement.map(|one| (one.elements.clone(), one.bytes.clone()))
        };
        Comparison {
            total: Sides { base: costs.base.total.clone(), new: costs.new.total.clone() },
            containers: containers(costs),
            blocks: matching.blocks.finish(programs.each(all_blocks), |at| {
                block_cost(programs.base, costs.base, at.base)
                    != block_cost(programs.new, costs.new, at.new)
            }),
            nodes: matching.nodes.finish(programs.each(all_nodes), |at| {
                node_cost(costs.base, at.base) != node_cost(costs.new, at.new)
            }),
            edges: matching.edges.finish(programs.each(all_edges), |at| {
                edge_cost(costs.base, at.base) != edge_cost(costs.new, at.new)
            }),
        }
    }
}

impl<T: Copy> Sides<T> {
    pub(super) fn each<V>(self, of: impl Fn(T) -> V) -> Sides<V> {
        Sides { base: of(self.base), new: of(self.new) }
    }
}

pub(super) fn nodes_of(program: &Program, state: StateIndex) -> Vec<(StateIndex, NodeIndex)> {
    let count = program.state(state).nodes.len();
    (0..count).map(|node| (state, NodeIndex(node as u32))).collect()
}

fn all_blocks(program: &Program) -> Vec<(RegionIndex, BlockIndex)> {
    let of_region = |(index, region): (usize, &Region)| {
        let blocks = 0..region.blocks.len();
        blocks
            .map(|block| (RegionIndex(index as u32), BlockIndex(block as u32)))
            .collect::<Vec<_>>()
    };
    program.regions.iter().enumerate().flat_map(of_region).collect()
}

pub(super) fn all_nodes(program: &Program) -> Vec<(StateIndex, NodeIndex)> {
    let states = (0..program.states.len()).map(|state| StateIndex(state as u32));
    states.flat_map(|state| nodes_of(program, state)).collect()
}

fn all_edges(program: &Program) -> Vec<(StateIndex, EdgeIndex)> {
    let of_state = |(index, state): (usize, &State)| {
        let edges = 0..state.edges.len();
        edges.map(|edge| (StateIndex(index as u32), EdgeIndex(edge as u32))).collect::<Vec<_>>()
    };
    program.states.iter().enumerate().flat_map(of_state).collect()
}

fn cost_of_block(
    program: &Program,
    costs: &Costs,
    (region, block): (RegionIndex, BlockIndex),
) -> Vec<Cost> {
    match &program.region(region).block(block).kind {
        BlockKind::State(state) => vec![costs.states[state.place()].clone()],
        BlockKind::Region(inner) => vec![costs.regions[inner.place()].clone()],
        BlockKind::Conditional { branches, .. } => {
            branches.iter().map(|(_, branch)| costs.regions[branch.place()].clone()).collect()
        }
        BlockKind::Break | BlockKind::Continue | BlockKind::Return | BlockKind::Opaque(_) => vec![],
    }
}

fn containers(costs: Sides<&Costs>) -> BTreeMap<Arc<str>, Sides<Option<Expr>>> {
    let mut all = BTreeMap::<Arc<str>, Sides<Option<Expr>>>::new();
    for (name, moved) in &costs.base.moved_by_container {
        all.entry(name.clone()).or_default().base = Some(moved.clone());
    }
    for (name, moved) in &costs.new.moved_by_container {
        all.entry(name.clone()).or_default().new = Some(moved.clone());
    }
    all
}
