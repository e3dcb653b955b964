//! Scopes: what their iterations cost, and the longest way through them.

use super::conflicts::Conflicts;
use super::counted::counted;
use crate::cost::adjacency::Adjacency;
use crate::cost::certainty::{AtMost, Excess};
use crate::cost::context::Context;
use crate::cost::costs::{Cost, Movement};
use crate::cost::known::Known;
use crate::cost::maps::{in_scope_times, map_iterations, mapped};
use crate::cost::sums::most_over;
use crate::expr::{Expr, TooLarge};
use crate::model::{EdgeIndex, NodeIndex, NodeKind, State, StateIndex};

pub(super) struct Scopes<'s> {
    /// By entry, and behind all nodes those of the state; in topological order.
    members: Vec<Vec<NodeIndex>>,
    /// The exit of each entry.
    pub(super) exits: Vec<Option<NodeIndex>>,
    pub(super) adjacency: &'s Adjacency,
    pub(super) edges: &'s [Option<Movement>],
    pub(super) costs: Vec<Cost>,
    /// The longest way to the end of each node, in its scope.
    depths: Vec<Expr>,
}

impl<'s> Scopes<'s> {
    pub(super) fn new(
        state: &State,
        members: Vec<Vec<NodeIndex>>,
        adjacency: &'s Adjacency,
        edges: &'s [Option<Movement>],
    ) -> Scopes<'s> {
        let mut exits = vec![None; state.nodes.len()];
        for (place, node) in state.nodes.iter().enumerate() {
            if let (true, Some(entry)) = (node.kind.is_exit(), node.scope) {
                exits[entry.place()] = Some(NodeIndex(place as u32));
            }
        }
        let costs = vec![Cost::default(); state.nodes.len()];
        let depths = vec![Expr::default(); state.nodes.len()];
        Scopes { members, exits, adjacency, edges, costs, depths }
    }
}

/// A scope with all its iterations.
pub(super) fn scope_cost(
    context: &mut Context<'_, '_>,
    index: StateIndex,
    entry: NodeIndex,
    scopes: &mut Scopes<'_>,
) -> Result<Cost, TooLarge> {
    let state = context.known.program.state(index);
    let one = in_scope(context, index, Some(entry), scopes)?;
    let node = &state.nodes[entry.place()];
    let NodeKind::MapEntry(map) = &node.kind else {
        if !context.known.rules.is_exact() {
            return Ok(one);
        }
        let work = in_scope_times(context, &one.work, index, entry)?;
        return Ok(Cost { work, moved: in_scope_times(context, &one.moved, index, entry)?, ..one });
    };
    let work = mapped(context, &one.work, map, index, entry)?;
    let moved = mapped(context, &one.moved, map, index, entry)?;
    let mut depth = one.depth;
    let mut at_most = one.at_most;
    if context.known.rules.is_exact() {
        for place in (0..map.parameters.len().min(map.range.len())).rev() {
            let iterations = map_iterations(context, map, place, index, entry)?;
            depth = most_over(context.known, &depth, &iterations)?;
        }
    } else if map.has_partial_tiles() && !work.is_zero() {
        at_most.work = Some(Excess::PartialTiles);
    }
    Ok(Cost { work, depth, moved, at_most })
}

/// One iteration of a scope, or a state: all work, and the longest way through.
pub(super) fn in_scope(
    context: &mut Context<'_, '_>,
    index: StateIndex,
    entry: Option<NodeIndex>,
    scopes: &mut Scopes<'_>,
) -> Result<Cost, TooLarge> {
    let state = context.known.program.state(index);
    let members = match entry {
        Some(entry) => &scopes.members[entry.place()],
        None => &scopes.members[state.nodes.len()],
    };
    let (mut work, mut moved) = (vec![], vec![]);
    let mut at_most = AtMost::default();
    let mut ends = vec![];
    for &node in members {
        let place = node.place();
        let mut before = vec![];
        for &edge in &scopes.adjacency.incoming[place] {
            let from = state.edges[edge.place()].source.place();
            // An inner scope is one node: what leaves its exit leaves its entry.
            let from = if state.nodes[from].kind.is_exit() {
                state.nodes[from].scope.map_or(from, NodeIndex::place)
            } else {
                from
            };
            if entry.is_some_and(|entry| entry.place() == from) {
                continue;
            }
            // Conflicts inside a scope are counted once, where they leave it.
            let conflicts = if state.nodes[place].kind.is_exit() {
                Conflicts::default()
            } else {
                Conflicts::at(state, edge, scopes.adjacency, context.known.rules)?
            };
            at_most.depth = at_most.depth.or(conflicts.excess);
            before.push(scopes.depths[from].plus(&conflicts.depth)?);
        }
        let before = context.report.largest(before, &state.label)?;
        work.push(scopes.costs[place].work.clone());
        moved.push(scopes.costs[place].moved.clone());
        at_most = at_most.or(scopes.costs[place].at_most);
        for node in std::iter::once(node).chain(scopes.exits[place]) {
            let edges = &scopes.adjacency.outgoing[node.place()];
            moved.extend(counted_bytes(
                context.known,
                index,
                (edges, scopes.edges),
                entry,
                &mut at_most,
            ));
        }
        scopes.depths[place] = before.plus(&scopes.costs[place].depth)?;
        let behind = scopes.exits[place].map_or(place, NodeIndex::place);
        let is_end = scopes.adjacency.outgoing[behind].is_empty();
        if is_end || state.nodes[place].kind.is_exit() {
            ends.push(scopes.depths[place].clone());
        }
    }
    let depth = context.report.largest(ends, &state.label)?;
    if let Some(entry) = entry {
        let edges = &scopes.adjacency.outgoing[entry.place()];
        moved.extend(counted_bytes(
            context.known,
            index,
            (edges, scopes.edges),
            Some(entry),
            &mut at_most,
        ));
    }
    Ok(Cost { work: Expr::sum(work)?, depth, moved: Expr::sum(moved)?, at_most })
}

/// What edges of a scope move that are counted there.
fn counted_bytes(
    known: &Known<'_>,
    index: StateIndex,
    (edges, movements): (&[EdgeIndex], &[Option<Movement>]),
    entry: Option<NodeIndex>,
    at_most: &mut AtMost,
) -> Vec<Expr> {
    if !known.rules.is_exact() {
        return vec![];
    }
    let state = known.program.state(index);
    let counted = edges.iter().filter_map(|edge| {
        let one = &state.edges[edge.place()];
        let movement = movements[edge.place()].as_ref()?;
        if state.scope_behind(one.source) != entry || counted(known, index, one).is_none() {
            return None;
        }
        at_most.moved = at_most.moved.or(movement.excess);
        Some(movement.bytes.clone())
    });
    counted.collect()
}
