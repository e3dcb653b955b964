//! What parts cost in the whole run where the times that they are reached differ.

use std::collections::BTreeSet;

use super::certain::is_reached_for_certain;
use super::changing::set_inside;
use super::context::Context;
use super::costs::{Conditional, Cost, Differing, Movement};
use super::found::{Flow, PartCosts};
use super::outermost::cost_in_outermost;
use super::repeated::{in_whole_run, region_in_whole_run, sum_inside};
use super::report::Report;
use crate::expr::{Expr, TooLarge};
use crate::model::{BlockIndex, EdgeIndex, NodeIndex, NodeKind, Program, RegionIndex, StateIndex};

/// Sums over all times that parts are reached. Costs are still in the symbols of their own graphs.
pub(super) fn differing(
    context: &mut Context<'_, '_>,
    flow: &Flow,
    parts: &PartCosts,
) -> Differing {
    let program = context.known.program;
    let names = differing_names(program);
    let mut all = Differing::default();
    for place in 0..program.states.len() {
        differ_in_state(context, flow, parts, (StateIndex(place as u32), &names), &mut all);
    }
    for (place, region) in program.regions.iter().enumerate() {
        let index = RegionIndex(place as u32);
        let each = &parts.regions[place];
        if each.depends_on(&names) {
            let [work, moved] = [&each.work, &each.moved]
                .map(|part| region_in_whole_run(context, flow, part.clone(), index));
            let cost = in_all(context.report, each, work, moved, &region.label);
            all.regions.insert(index, cost);
        }
    }
    for (&place, each) in &flow.conditionals {
        all.conditionals.insert(place, conditional_cost(context, flow, each, place, &names));
    }
    all
}

/// Names that hold something else at other times that a part is reached.
fn differing_names(program: &Program) -> BTreeSet<&str> {
    let mut names = set_inside(program);
    // A symbol of an inner graph may stand for what changes in an outer one; those come first.
    for (state, node) in program.graphs.iter().filter_map(|graph| graph.holder) {
        let node = &program.state(state).nodes[node.place()];
        let NodeKind::Nested { symbol_mapping, .. } = &node.kind else { continue };
        let changing = symbol_mapping.iter().filter(|(_, value)| depends(value, &names));
        let changing: Vec<&str> = changing.map(|(name, _)| &**name).collect();
        names.extend(changing);
    }
    names
}

fn differ_in_state(
    context: &mut Context<'_, '_>,
    flow: &Flow,
    parts: &PartCosts,
    (index, names): (StateIndex, &BTreeSet<&str>),
    all: &mut Differing,
) {
    let state = context.known.program.state(index);
    for (place, each) in parts.nodes[index.place()].iter().enumerate() {
        if each.depends_on(names) {
            let node = NodeIndex(place as u32);
            let inside = (index, state.scope_around(node));
            let sum = cost_inside(context, flow, each, inside, &state.nodes[place].label);
            all.nodes.insert((index, node), sum);
        }
    }
    for (place, each) in parts.edges[index.place()].iter().enumerate() {
        let Some(each) = each else { continue };
        if depends(&each.elements, names) || depends(&each.bytes, names) {
            let scope = state.scope_behind(state.edges[place].source);
            let [elements, bytes] = [&each.elements, &each.bytes]
                .map(|part| sum_inside(context, flow, part, index, scope));
            let mut named = |sum, what| {
                context.report.or_unknown(sum, &format!("{}_{what}_in_all", state.label))
            };
            let (elements, bytes) = (named(elements, "elements"), named(bytes, "bytes"));
            let sum = Movement { elements, bytes, ..each.clone() };
            all.edges.insert((index, EdgeIndex(place as u32)), sum);
        }
    }
    let each = &parts.states[index.place()];
    if each.depends_on(names) {
        let sum = cost_inside(context, flow, each, (index, None), &state.label);
        all.states.insert(index, sum);
    }
}

fn conditional_cost(
    context: &mut Context<'_, '_>,
    flow: &Flow,
    each: &Cost,
    (region, block): (RegionIndex, BlockIndex),
    names: &BTreeSet<&str>,
) -> Conditional {
    let inside = context.known.program.region(region);
    let times = in_whole_run(context, flow, Expr::integer(1), region, block).ok();
    let in_all = if each.depends_on(names) {
        let [work, moved] = [&each.work, &each.moved]
            .map(|part| in_whole_run(context, flow, part.clone(), region, block));
        Some(in_all(context.report, each, work, moved, &inside.block(block).label))
    } else {
        times.as_ref().and_then(|times| each.repeated(times).ok())
    };
    let is_certain = is_reached_for_certain(context.known, flow, region, block);
    let each = cost_in_outermost(context.symbols, each, inside.graph);
    Conditional { each, times, in_all, is_certain }
}

/// What happens each time in a scope of a state, in the whole run.
fn cost_inside(
    context: &mut Context<'_, '_>,
    flow: &Flow,
    each: &Cost,
    (state, scope): (StateIndex, Option<NodeIndex>),
    label: &str,
) -> Cost {
    let [work, moved] =
        [&each.work, &each.moved].map(|part| sum_inside(context, flow, part, state, scope));
    in_all(context.report, each, work, moved, label)
}

/// Work and movement of all times together; what runs several times is as deep as each.
fn in_all(
    report: &mut Report,
    each: &Cost,
    work: Result<Expr, TooLarge>,
    moved: Result<Expr, TooLarge>,
    label: &str,
) -> Cost {
    Cost {
        work: report.or_unknown(work, &format!("{label}_work_in_all")),
        moved: report.or_unknown(moved, &format!("{label}_bytes_in_all")),
        ..each.clone()
    }
}

impl Cost {
    fn depends_on(&self, names: &BTreeSet<&str>) -> bool {
        depends(&self.work, names) || depends(&self.moved, names)
    }
}

fn depends(expr: &Expr, names: &BTreeSet<&str>) -> bool {
    expr.symbols().into_iter().any(|name| names.contains(name))
}
