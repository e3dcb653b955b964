//! The pass that costs parts: nodes, edges, states, regions, loops and branches.
//!
//! What is inside comes later in the tables of a program, so that one pass from the last region to the
//! first finds all that is inside done.

use super::certainty::{AtMost, Excess};
use super::components::reached_from;
use super::context::Context;
use super::control_reads::with_control_reads;
use super::costs::Cost;
use super::found::{Around, BlockLoops, Flow, PartCosts};
use super::iterations::region_iterations;
use super::paths::{Blocks, paths};
use super::reach::branch_weights;
use super::state::{StateCosts, state_costs};
use super::sums::summed_cost;
use super::unknown::Unknown;
use crate::expr::TooLarge;
use crate::model::{Block, BlockIndex, BlockKind, Code, GraphIndex, RegionIndex, StateIndex};

/// What all parts cost each time that they are reached, and the loops and branches around them.
pub(super) fn cost_parts(context: &mut Context<'_, '_>) -> (PartCosts, Flow) {
    let program = context.known.program;
    let (mut parts, mut flow) = (PartCosts::new(program), Flow::new(program));
    for region in work::long_steps("working out costs", (0..program.regions.len()).rev()) {
        cost_region(context, &mut parts, &mut flow, RegionIndex(region as u32));
    }
    (parts, flow)
}

/// Fills in everything of a region whose inner regions are done.
fn cost_region(
    context: &mut Context<'_, '_>,
    parts: &mut PartCosts,
    flow: &mut Flow,
    index: RegionIndex,
) {
    let region = context.known.program.region(index);
    let count = region.blocks.len();
    let mut costs = vec![];
    for block in &region.blocks {
        costs.push(block_cost(context, parts, flow, region.graph, block));
    }
    for (place, cost) in costs.iter_mut().enumerate() {
        let label = &region.blocks[place].label;
        let with =
            with_control_reads(context, std::mem::take(cost), index, BlockIndex(place as u32));
        *cost = context.report.cost_or_unknown(with, label);
    }
    for (place, (block, cost)) in region.blocks.iter().zip(&costs).enumerate() {
        if matches!(block.kind, BlockKind::Conditional { .. }) {
            flow.conditionals.insert((index, BlockIndex(place as u32)), cost.clone());
        }
    }
    let mut successors = vec![vec![]; count];
    let mut predecessors = vec![vec![]; count];
    for edge in &region.edges {
        successors[edge.source.place()].push(edge.target.place());
        predecessors[edge.target.place()].push(edge.source.place());
    }
    let mut loops = BlockLoops { around: vec![Around::default(); count], loops: vec![] };
    let blocks = Blocks { region: index, costs, successors, predecessors };
    let reached = reached_from(region.start, &blocks.successors);
    let body = paths(context, &mut loops, &blocks, &reached, (None, None), None, 0);
    flow.loops[index.place()] = loops;
    let cost = body.and_then(|body| match region_iterations(context, region) {
        Some(iterations) => summed_cost(context.known, &body, &iterations),
        None => Ok(body),
    });
    parts.regions[index.place()] = context.report.cost_or_unknown(cost, &region.label);
}

fn block_cost(
    context: &mut Context<'_, '_>,
    parts: &mut PartCosts,
    flow: &mut Flow,
    graph: GraphIndex,
    block: &Block,
) -> Cost {
    match &block.kind {
        BlockKind::State(state) => cost_state(context, parts, flow, *state),
        BlockKind::Region(inner) => parts.regions[inner.place()].clone(),
        BlockKind::Conditional { branches, .. } => {
            let cost = conditional(context, &parts.regions, flow, graph, branches);
            context.report.cost_or_unknown(cost, &block.label)
        }
        BlockKind::Break | BlockKind::Continue | BlockKind::Return => {
            context.report.note("break, continue and return are ignored: costs are upper bounds");
            Cost { at_most: AtMost::all(Excess::EarlyExit), ..Cost::default() }
        }
        BlockKind::Opaque(name) => {
            let why = Unknown::count(format!("costs of a block of the unknown kind {name}"));
            Cost {
                work: context.report.unknown(&format!("{}_work", block.label), why.clone()),
                depth: context.report.unknown(&format!("{}_depth", block.label), why.clone()),
                moved: context.report.unknown(&format!("{}_bytes", block.label), why),
                at_most: AtMost::default(),
            }
        }
    }
}

/// Fills in everything of a state.
fn cost_state(
    context: &mut Context<'_, '_>,
    parts: &mut PartCosts,
    flow: &Flow,
    index: StateIndex,
) -> Cost {
    let StateCosts { nodes, edges, whole } = state_costs(context, parts, flow, index);
    parts.nodes[index.place()] = nodes;
    parts.edges[index.place()] = edges;
    parts.states[index.place()] = whole.clone();
    whole
}

/// Each branch as often as its condition holds; the most expensive one where data decides.
fn conditional(
    context: &mut Context<'_, '_>,
    regions: &[Cost],
    flow: &mut Flow,
    graph: GraphIndex,
    branches: &[(Option<Code>, RegionIndex)],
) -> Result<Cost, TooLarge> {
    let Some(weights) = branch_weights(context.known, context.symbols, graph, branches) else {
        let is_any = branches.iter().any(|(condition, _)| condition.is_none());
        let nothing = Some(Cost::default()).filter(|_| !is_any && context.known.rules.is_exact());
        let branches = branches.iter().map(|(_, branch)| &regions[branch.place()]);
        return Cost::largest(branches.chain(&nothing));
    };
    let mut sum = Cost::default();
    for ((_, branch), weight) in branches.iter().zip(weights) {
        sum = sum.plus(&regions[branch.place()].weighted(&weight)?)?;
        flow.branch_weights[branch.place()] = Some(weight);
    }
    Ok(sum)
}
