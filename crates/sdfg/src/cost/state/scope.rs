//! Scopes: what their iterations cost, and the longest way through them.

use crate::cost::{Adjacency, Analysis, Cost, Rules};
use crate::expr::{Expr, TooLarge};
use crate::model::{EdgeIndex, NodeIndex, NodeKind, State, StateIndex};

pub(super) struct Scopes<'s> {
    /// By entry, and behind all nodes those of the state; in topological order.
    members: Vec<Vec<NodeIndex>>,
    /// The exit of each entry.
    pub(super) exits: Vec<Option<NodeIndex>>,
    pub(super) adjacency: &'s Adjacency,
    pub(super) costs: Vec<Cost>,
    /// The longest way to the end of each node, in its scope.
    depths: Vec<Expr>,
}

impl<'s> Scopes<'s> {
    pub(super) fn of(
        state: &State,
        members: Vec<Vec<NodeIndex>>,
        adjacency: &'s Adjacency,
    ) -> Scopes<'s> {
        let mut exits = vec![None; state.nodes.len()];
        for (place, node) in state.nodes.iter().enumerate() {
            if let (true, Some(entry)) = (node.kind.is_exit(), node.scope) {
                exits[entry.place()] = Some(NodeIndex(place as u32));
            }
        }
        let costs = vec![Cost::default(); state.nodes.len()];
        let depths = vec![Expr::default(); state.nodes.len()];
        Scopes { members, exits, adjacency, costs, depths }
    }
}

impl<'p> Analysis<'p> {
    /// A scope with all its iterations.
    pub(super) fn scope(
        &mut self,
        index: StateIndex,
        entry: NodeIndex,
        scopes: &mut Scopes<'_>,
    ) -> Result<Cost, TooLarge> {
        let state = self.program.state(index);
        let one = self.in_scope(index, Some(entry), scopes)?;
        let node = &state.nodes[entry.place()];
        let work = match &node.kind {
            NodeKind::MapEntry(map) => self.mapped(&one.work, map, Analysis::summed)?,
            _ if self.rules == Rules::Exact && !one.work.is_zero() => {
                one.work.times(&self.consumed(&node.label))?
            }
            _ => one.work,
        };
        let is_tiled = matches!(&node.kind, NodeKind::MapEntry(map) if map.has_partial_tiles());
        let has_partial_tiles = one.has_partial_tiles || is_tiled && !work.is_zero();
        Ok(Cost { work, has_partial_tiles, ..one })
    }

    /// One iteration of a scope, or a state: all work, and the longest way through.
    pub(super) fn in_scope(
        &mut self,
        index: StateIndex,
        entry: Option<NodeIndex>,
        scopes: &mut Scopes<'_>,
    ) -> Result<Cost, TooLarge> {
        let state = self.program.state(index);
        let members = match entry {
            Some(entry) => &scopes.members[entry.place()],
            None => &scopes.members[state.nodes.len()],
        };
        let mut work = Expr::default();
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
                    Expr::default()
                } else {
                    conflict_depth(state, edge)?
                };
                before.push(scopes.depths[from].plus(&conflicts)?);
            }
            let before = self.largest(before, &state.label)?;
            work = work.plus(&scopes.costs[place].work)?;
            scopes.depths[place] = before.plus(&scopes.costs[place].depth)?;
            let behind = scopes.exits[place].map_or(place, NodeIndex::place);
            let is_end = scopes.adjacency.outgoing[behind].is_empty();
            if is_end || state.nodes[place].kind.is_exit() {
                ends.push(scopes.depths[place].clone());
            }
        }
        let depth = self.largest(ends, &state.label)?;
        let has_partial_tiles =
            members.iter().any(|node| scopes.costs[node.place()].has_partial_tiles);
        Ok(Cost { work, depth, has_partial_tiles, ..Cost::default() })
    }
}

/// Writes to one place come one after the other: how many there are to each.
pub(super) fn conflict_depth(state: &State, edge: EdgeIndex) -> Result<Expr, TooLarge> {
    let Some(memlet) = &state.edges[edge.place()].memlet else { return Ok(Expr::default()) };
    match (&memlet.wcr, &memlet.subset) {
        (Some(_), Some(subset)) => memlet.volume.quotient(&subset.element_count()?),
        _ => Ok(Expr::default()),
    }
}
