//! How often parts are reached, each time that their graph runs and in the whole run.

use super::certain::{is_reached_for_certain, is_region_reached_for_certain};
use super::context::Context;
use super::costs::Times;
use super::found::Flow;
use super::repeated::{in_whole_run, region_in_whole_run, repeated, sum_inside};
use crate::expr::Expr;
use crate::model::{NodeIndex, RegionIndex, StateIndex};

/// How often each state runs each time that its graph does, at most.
pub(super) fn executions(context: &mut Context<'_, '_>, flow: &Flow) -> Vec<Expr> {
    let mut all = vec![];
    for state in work::long_steps("counting executions", &context.known.program.states) {
        let count = repeated(context, flow, Expr::integer(1), state.region, state.block);
        all.push(context.report.or_unknown(count, &format!("{}_executions", state.label)));
    }
    all
}

/// How often everything is reached in the whole run.
pub(super) fn times(context: &mut Context<'_, '_>, flow: &Flow) -> Times {
    let program = context.known.program;
    let once = Expr::integer(1);
    let mut states = vec![];
    let mut insides = vec![];
    for (index, state) in program.states.iter().enumerate() {
        states.push(in_whole_run(context, flow, once.clone(), state.region, state.block).ok());
        let inside = (0..state.nodes.len()).map(|node| {
            let is_entry = state.nodes[node].kind.is_entry();
            let entry = Some(NodeIndex(node as u32));
            let index = StateIndex(index as u32);
            is_entry.then(|| sum_inside(context, flow, &once, index, entry).ok()).flatten()
        });
        insides.push(inside.collect());
    }
    let all = (0..program.regions.len()).map(|region| RegionIndex(region as u32));
    let regions = all.clone();
    let regions = regions
        .map(|region| region_in_whole_run(context, flow, once.clone(), region).ok())
        .collect();
    let are_certain = program.states.iter();
    let are_certain = are_certain
        .map(|state| is_reached_for_certain(context.known, flow, state.region, state.block))
        .collect();
    let regions_are_certain =
        all.map(|region| is_region_reached_for_certain(context.known, flow, region)).collect();
    Times { states, insides, regions, are_certain, regions_are_certain }
}
