//! What happens as often as what is around it runs.

use super::context::Context;
use super::found::{Flow, LoopBetween};
use super::iterations::region_iterations;
use super::maps::over_scopes;
use super::sums::{behind_last, summed};
use crate::expr::{Expr, TooLarge};
use crate::model::{BlockIndex, GraphIndex, NodeIndex, NodeKind, RegionIndex, StateIndex};

/// What happens each time that a block runs, each time that its graph does.
pub(super) fn repeated(
    context: &mut Context<'_, '_>,
    flow: &Flow,
    each: Expr,
    region: RegionIndex,
    block: BlockIndex,
) -> Result<Expr, TooLarge> {
    let mut all = each;
    let mut place = Some((region, block));
    while let Some((region, block)) = place {
        let around = flow.around(region, block);
        if !around.is_reached {
            return Ok(Expr::default());
        }
        if let Some(weight) = &around.weight {
            all = all.times(weight)?;
        }
        let mut inner = around.innermost;
        let mut is_header = around.is_header;
        while let Some(index) = inner {
            let LoopBetween { iterations, around, weight, asks_first } =
                &flow.loops[region.place()].loops[index];
            let once_more = if is_header && *asks_first {
                behind_last(context.known, &all, iterations)?
            } else {
                Expr::default()
            };
            all = summed(context.known, &all, iterations)?.plus(&once_more)?;
            if let Some(weight) = weight {
                all = all.times(weight)?;
            }
            is_header = false;
            inner = *around;
        }
        let inside = context.known.program.region(region);
        if let Some(iterations) = region_iterations(context, inside) {
            all = summed(context.known, &all, &iterations)?;
        }
        if let Some(weight) = flow.branch_weight(region) {
            all = all.times(weight)?;
        }
        place = inside.holder;
    }
    Ok(all)
}

/// What happens each time that a block runs, in the whole run.
pub(super) fn in_whole_run(
    context: &mut Context<'_, '_>,
    flow: &Flow,
    each: Expr,
    region: RegionIndex,
    block: BlockIndex,
) -> Result<Expr, TooLarge> {
    let all = repeated(context, flow, each, region, block)?;
    let graph = context.known.program.region(region).graph;
    graph_times(context, flow, all, graph)
}

/// What happens each time that a region is reached, in the whole run.
pub(super) fn region_in_whole_run(
    context: &mut Context<'_, '_>,
    flow: &Flow,
    each: Expr,
    index: RegionIndex,
) -> Result<Expr, TooLarge> {
    let region = context.known.program.region(index);
    let Some((around, block)) = region.holder else {
        return graph_times(context, flow, each, region.graph);
    };
    let each = match flow.branch_weight(index) {
        Some(weight) => each.times(weight)?,
        None => each,
    };
    in_whole_run(context, flow, each, around, block)
}

/// What happens each time that a graph runs, in the whole run.
pub(super) fn graph_times(
    context: &mut Context<'_, '_>,
    flow: &Flow,
    each: Expr,
    graph: GraphIndex,
) -> Result<Expr, TooLarge> {
    let program = context.known.program;
    let (mut all, mut graph) = (each, graph);
    while let Some((index, node)) = program.graph(graph).holder {
        let state = program.state(index);
        let NodeKind::Nested { symbol_mapping, .. } = &state.nodes[node.place()].kind else {
            break;
        };
        all = all.substituted(&|name| symbol_mapping.get(name).map(|value| (**value).clone()))?;
        graph = program.region(state.region).graph;
        all = context.symbols.resolved(&all, graph)?;
        all = over_scopes(context, all, index, state.nodes[node.place()].scope)?.ok_or(TooLarge)?;
        all = repeated(context, flow, all, state.region, state.block)?;
    }
    Ok(all)
}

/// What happens each time in a scope, in the whole run.
pub(super) fn sum_inside(
    context: &mut Context<'_, '_>,
    flow: &Flow,
    each: &Expr,
    index: StateIndex,
    scope: Option<NodeIndex>,
) -> Result<Expr, TooLarge> {
    let state = context.known.program.state(index);
    let all = over_scopes(context, each.clone(), index, scope)?.ok_or(TooLarge)?;
    in_whole_run(context, flow, all, state.region, state.block)
}
