//! Scopes: what their iterations cost, and the longest way through them.

use super::conflicts::Conflicts;
use crate::cost::adjacency::Adjacency;
use crate::cost::analysis::Analysis;
use crate::cost::certainty::{AtMost, Excess};
use crate::cost::costs::Cost;
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
    pub(super) fn new(
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

impl Analysis<'_> {
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
        let NodeKind::MapEntry(map) = &node.kind else {
            if !self.rules.is_exact() {
                return Ok(one);
            }
            let work = self.in_scope_times(&one.work, index, entry)?;
            return Ok(Cost { work, moved: self.in_scope_times(&one.moved, index, entry)?, ..one });
        };
        let work = self.mapped(&one.work, map, index, entry)?;
        let moved = self.mapped(&one.moved, map, index, entry)?;
        let mut depth = one.depth;
        let mut at_most = one.at_most;
        if self.rules.is_exact() {
            for place in (0..map.parameters.len().min(map.range.len())).rev() {
                let iterations = self.map_iterations(map, place, index, entry)?;
                depth = self.most_over(&depth, &iterations)?;
            }
        } else if map.has_partial_tiles() && !work.is_zero() {
            at_most.work = Some(Excess::PartialTiles);
        }
        Ok(Cost { work, depth, moved, at_most })
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
                    Conflicts::at(state, edge, scopes.adjacency, self.rules)?
                };
                at_most.depth = at_most.depth.or(conflicts.excess);
                before.push(scopes.depths[from].plus(&conflicts.depth)?);
            }
            let before = self.largest(before, &state.label)?;
            work.push(scopes.costs[place].work.clone());
            moved.push(scopes.costs[place].moved.clone());
            at_most = at_most.or(scopes.costs[place].at_most);
            for node in std::iter::once(node).chain(scopes.exits[place]) {
                let edges = &scopes.adjacency.outgoing[node.place()];
                moved.extend(self.counted_bytes(index, edges, entry, &mut at_most));
            }
            scopes.depths[place] = before.plus(&scopes.costs[place].depth)?;
            let behind = scopes.exits[place].map_or(place, NodeIndex::place);
            let is_end = scopes.adjacency.outgoing[behind].is_empty();
            if is_end || state.nodes[place].kind.is_exit() {
                ends.push(scopes.depths[place].clone());
            }
        }
        let depth = self.largest(ends, &state.label)?;
        if let Some(entry) = entry {
            let edges = &scopes.adjacency.outgoing[entry.place()];
            moved.extend(self.counted_bytes(index, edges, Some(entry), &mut at_most));
        }
        Ok(Cost { work: Expr::sum(work)?, depth, moved: Expr::sum(moved)?, at_most })
    }

    /// What edges of a scope move that are counted there.
    fn counted_bytes(
        &self,
        index: StateIndex,
        edges: &[EdgeIndex],
        entry: Option<NodeIndex>,
        at_most: &mut AtMost,
    ) -> Vec<Expr> {
        if !self.rules.is_exact() {
            return vec![];
        }
        let state = self.program.state(index);
        let counted = edges.iter().filter_map(|edge| {
            let one = &state.edges[edge.place()];
            let movement = self.costs.edges[index.place()][edge.place()].as_ref()?;
            if state.scope_behind(one.source) != entry || self.counted(index, one).is_none() {
                return None;
            }
            at_most.moved = at_most.moved.or(movement.excess);
            Some(movement.bytes.clone())
        });
        counted.collect()
    }
}
