//! Nodes of a state, one after the other.

use super::conflicts::Conflicts;
use super::movement::movements;
use super::node::node_cost;
use super::scope::{Scopes, in_scope, scope_cost};
use crate::cost::adjacency::Adjacency;
use crate::cost::context::Context;
use crate::cost::costs::{Cost, Movement};
use crate::cost::found::{Flow, PartCosts};
use crate::expr::{Expr, TooLarge};
use crate::model::{NodeIndex, State, StateIndex};

/// What a state costs each time that it runs, with its parts.
pub(in crate::cost) struct StateCosts {
    pub(in crate::cost) nodes: Vec<Cost>,
    pub(in crate::cost) edges: Vec<Option<Movement>>,
    pub(in crate::cost) whole: Cost,
}

/// Works out everything of a state whose inner graphs are done.
pub(in crate::cost) fn state_costs(
    context: &mut Context<'_, '_>,
    done: &PartCosts,
    flow: &Flow,
    index: StateIndex,
) -> StateCosts {
    let program = context.known.program;
    let state = program.state(index);
    let graph = program.region(state.region).graph;
    let adjacency = Adjacency::new(state);
    let order = topological_order(state, &adjacency);
    let edges = movements(context, (&done.edges, flow), index, &order, &adjacency);
    let mut members: Vec<Vec<NodeIndex>> = vec![vec![]; state.nodes.len() + 1];
    let outermost = state.nodes.len();
    for &node in &order {
        let scope = state.nodes[node.place()].scope;
        members[scope.map_or(outermost, NodeIndex::place)].push(node);
    }
    let mut scopes = Scopes::new(state, members, &adjacency, &edges);
    // Inner scopes come later in the order than the entries around them.
    for &node in order.iter().rev() {
        let one = &state.nodes[node.place()];
        let cost = if one.kind.is_entry() {
            scope_cost(context, index, node, &mut scopes)
        } else {
            node_cost(context, &done.regions, index, node, &adjacency)
        };
        let cost = cost.and_then(|cost| cost.each(|part| context.symbols.resolved(part, graph)));
        scopes.costs[node.place()] = context.report.cost_or_unknown(cost, &one.label);
    }
    let whole = in_scope(context, index, None, &mut scopes);
    let mut whole = context.report.cost_or_unknown(whole, &state.label);
    if !context.known.rules.is_exact() {
        let moved = edges.iter().flatten();
        let moved = moved.filter(|edge| edge.is_outermost).map(|edge| edge.bytes.clone());
        whole.moved =
            context.report.or_unknown(Expr::sum(moved), &format!("{}_bytes", state.label));
    }
    let moved = context.symbols.resolved(&whole.moved, graph);
    whole.moved = context.report.or_unknown(moved, &format!("{}_bytes", state.label));
    let nodes = finished_nodes(context, index, scopes);
    StateCosts { nodes, edges, whole }
}

/// Adds to each node what conflicts at its edges cost, and what its edges move.
fn finished_nodes(
    context: &mut Context<'_, '_>,
    index: StateIndex,
    scopes: Scopes<'_>,
) -> Vec<Cost> {
    let state = context.known.program.state(index);
    let mut costs = scopes.costs;
    for (place, cost) in costs.iter_mut().enumerate() {
        let behind = scopes.exits[place].map_or(place, NodeIndex::place);
        let outgoing = &scopes.adjacency.outgoing[behind];
        if !state.nodes[place].kind.is_exit() {
            let conflicts = outgoing
                .iter()
                .map(|&edge| Conflicts::at(state, edge, scopes.adjacency, context.known.rules));
            let conflicts: Result<Vec<Conflicts>, TooLarge> = conflicts.collect();
            let excess = conflicts.iter().flatten().find_map(|one| one.excess);
            cost.at_most.depth = cost.at_most.depth.or(excess);
            let deeper = conflicts
                .map(|all| all.into_iter().map(|one| one.depth).collect())
                .and_then(Expr::largest_cost)
                .and_then(|conflicts| cost.depth.plus(&conflicts));
            let name = format!("{}_depth", state.nodes[place].label);
            cost.depth = context.report.or_unknown(deeper, &name);
        }
        // What comes to an exit is of one iteration, and goes on from it.
        let is_exit = state.nodes[place].kind.is_exit();
        let incoming = &scopes.adjacency.incoming[place];
        let all =
            incoming.iter().filter(|_| !is_exit || !context.known.rules.is_exact()).chain(outgoing);
        let bytes = all.filter_map(|edge| scopes.edges[edge.place()].as_ref());
        let bytes: Vec<&Movement> = bytes.collect();
        let moved = Expr::sum(bytes.iter().map(|edge| edge.bytes.clone()));
        cost.at_most.moved = bytes.iter().find_map(|edge| edge.excess);
        let name = format!("{}_bytes", state.nodes[place].label);
        cost.moved = context.report.or_unknown(moved, &name);
    }
    costs
}

/// Nodes behind all that come before them; those on cycles are left out.
pub(crate) fn topological_order(state: &State, adjacency: &Adjacency) -> Vec<NodeIndex> {
    let mut waiting: Vec<usize> = adjacency.incoming.iter().map(Vec::len).collect();
    let ready = waiting.iter().enumerate().filter(|(_, waiting)| **waiting == 0);
    let mut order: Vec<NodeIndex> = ready.map(|(place, _)| NodeIndex(place as u32)).collect();
    let mut done = 0;
    while let Some(&node) = order.get(done) {
        done += 1;
        for edge in &adjacency.outgoing[node.place()] {
            let target = state.edges[edge.place()].target;
            waiting[target.place()] -= 1;
            if waiting[target.place()] == 0 {
                order.push(target);
            }
        }
    }
    order
}
