//! Nodes of a state, one after the other.

use std::collections::HashMap;

use super::conflicts::Conflicts;
use super::scope::Scopes;
use crate::cost::adjacency::Adjacency;
use crate::cost::analysis::Analysis;
use crate::cost::costs::Cost;
use crate::cost::found::{Inputs, Iterations};
use crate::cost::rules::Rules;
use crate::cost::unknown::Unknown;
use crate::expr::{Expr, Progression, TooLarge};
use crate::model::{Map, NodeIndex, Program, State, StateIndex};

impl Analysis<'_> {
    /// Fills in everything of a state, and gives what it costs each time that it runs.
    pub(in crate::cost) fn state(&mut self, index: StateIndex) -> Cost {
        let program = self.program;
        let state = program.state(index);
        let graph = program.region(state.region).graph;
        let adjacency = Adjacency::new(state);
        let order = topological_order(state, &adjacency);
        self.costs.edges[index.place()] = self.movements(index, &order, &adjacency);
        let mut members: Vec<Vec<NodeIndex>> = vec![vec![]; state.nodes.len() + 1];
        let outermost = state.nodes.len();
        for &node in &order {
            let scope = state.nodes[node.place()].scope;
            members[scope.map_or(outermost, NodeIndex::place)].push(node);
        }
        let mut scopes = Scopes::new(state, members, &adjacency);
        // Inner scopes come later in the order than the entries around them.
        for &node in order.iter().rev() {
            let one = &state.nodes[node.place()];
            let cost = if one.kind.is_entry() {
                self.scope(index, node, &mut scopes)
            } else {
                self.node(index, node, &adjacency)
            };
            let cost = cost.and_then(|cost| cost.each(|part| self.resolved(part, graph)));
            scopes.costs[node.place()] = self.cost_or_unknown(cost, &one.label);
        }
        let whole = self.in_scope(index, None, &mut scopes);
        let mut whole = self.cost_or_unknown(whole, &state.label);
        if !self.rules.is_exact() {
            let moved = self.costs.edges[index.place()].iter().flatten();
            let moved = moved.filter(|edge| edge.is_outermost).map(|edge| edge.bytes.clone());
            whole.moved = self.or_unknown(Expr::sum(moved), &format!("{}_bytes", state.label));
        }
        let moved = self.resolved(&whole.moved, graph);
        whole.moved = self.or_unknown(moved, &format!("{}_bytes", state.label));
        self.finish_nodes(index, scopes);
        self.costs.states[index.place()] = whole.clone();
        whole
    }

    /// Adds to each node what conflicts at its edges cost, and what its edges move.
    fn finish_nodes(&mut self, index: StateIndex, scopes: Scopes<'_>) {
        let state = self.program.state(index);
        let mut costs = scopes.costs;
        for (place, cost) in costs.iter_mut().enumerate() {
            let behind = scopes.exits[place].map_or(place, NodeIndex::place);
            let outgoing = &scopes.adjacency.outgoing[behind];
            if !state.nodes[place].kind.is_exit() {
                let conflicts = outgoing
                    .iter()
                    .map(|&edge| Conflicts::at(state, edge, scopes.adjacency, self.rules));
                let conflicts: Result<Vec<Conflicts>, TooLarge> = conflicts.collect();
                let excess = conflicts.iter().flatten().find_map(|one| one.excess);
                cost.at_most.depth = cost.at_most.depth.or(excess);
                let deeper = conflicts
                    .map(|all| all.into_iter().map(|one| one.depth).collect())
                    .and_then(Expr::largest_cost)
                    .and_then(|conflicts| cost.depth.plus(&conflicts));
                let name = format!("{}_depth", state.nodes[place].label);
                cost.depth = self.or_unknown(deeper, &name);
            }
            // What comes to an exit is of one iteration, and goes on from it.
            let is_exit = state.nodes[place].kind.is_exit();
            let incoming = &scopes.adjacency.incoming[place];
            let all =
                incoming.iter().filter(|_| !is_exit || !self.rules.is_exact()).chain(outgoing);
            let bytes =
                all.filter_map(|edge| self.costs.edges[index.place()][edge.place()].as_ref());
            let bytes: Vec<&crate::cost::Movement> = bytes.collect();
            let moved = Expr::sum(bytes.iter().map(|edge| edge.bytes.clone()));
            cost.at_most.moved = bytes.iter().find_map(|edge| edge.excess);
            let name = format!("{}_bytes", state.nodes[place].label);
            cost.moved = self.or_unknown(moved, &name);
        }
        self.costs.nodes[index.place()] = costs;
    }

    /// How often a consume scope runs.
    pub(in crate::cost) fn consumed(&mut self, label: &str) -> Expr {
        let why = "how often a consume scope runs depends on its stream";
        self.unknown(&format!("{label}_iterations"), Unknown::count(why))
    }

    /// What happens in each iteration of a map, over all of them.
    pub(in crate::cost) fn mapped(
        &mut self,
        body: &Expr,
        map: &Map,
        index: StateIndex,
        entry: NodeIndex,
    ) -> Result<Expr, TooLarge> {
        let mut all = body.clone();
        // Inner ranges may depend on outer parameters.
        for (place, parameter) in map.parameters.iter().enumerate().rev() {
            let Some(range) = map.range.get(place) else { continue };
            all = match self.rules {
                Rules::Dace1 => all.times(&range.size()?)?,
                Rules::Dace2 => {
                    let (first, step) = ((*range.start).clone(), (*range.step).clone());
                    let values = Progression { first, step, count: range.size()? };
                    self.summed(&all, &Iterations { variable: parameter.clone(), values })?
                }
                Rules::Exact | Rules::Every => {
                    let iterations = self.map_iterations(map, place, index, entry)?;
                    self.summed(&all, &iterations)?
                }
            };
        }
        Ok(all)
    }

    /// One range of a map. How long it is is an unknown where data decides.
    pub(in crate::cost) fn map_iterations(
        &mut self,
        map: &Map,
        place: usize,
        index: StateIndex,
        entry: NodeIndex,
    ) -> Result<Iterations, TooLarge> {
        let state = self.program.state(index);
        let graph = self.program.region(state.region).graph;
        let range = &map.range[place];
        let (first, step) = ((*range.start).clone(), (*range.step).clone());
        let count = self.resolved(&range.count()?, graph)?;
        let dynamic = self.dynamic.get(&(index, entry));
        let mut read = dynamic.into_iter().flatten().filter(|(name, _)| {
            [&count, &first, &step].into_iter().any(|one| one.symbols().contains(&***name))
        });
        let why = match (read.next(), read.next()) {
            (Some((_, one)), Some((_, other))) if one == other => {
                Some((format!("{one}_length"), format!("on average: the range is read from {one}")))
            }
            (Some((_, one)), _) => Some((
                format!("{}_iterations", state.nodes[entry.place()].label),
                format!("on average: the range is read from {one}"),
            )),
            (None, _) => self.read_in(&count, graph, &state.nodes[entry.place()].label),
        };
        let count = match why {
            Some((name, why)) => self.unknown(&name, Unknown::count(why)),
            None => count,
        };
        let values = Progression { first, step, count };
        Ok(Iterations { variable: map.parameters[place].clone(), values })
    }

    /// Comparing many with each other takes too long: then an unknown stands for them.
    pub(in crate::cost) fn largest(&mut self, all: Vec<Expr>, of: &str) -> Result<Expr, TooLarge> {
        /// Different ones.
        const MOST: usize = 128;
        let all = Expr::candidates(all);
        match all.len() {
            0..=MOST => Expr::largest_cost(all),
            _ => {
                Ok(self.unknown(&format!("{of}_largest"), Unknown::new("the largest of too many")))
            }
        }
    }
}

/// Those of all maps that have some.
pub(in crate::cost) fn dynamic_inputs(
    program: &Program,
) -> HashMap<(StateIndex, NodeIndex), Inputs<'_>> {
    let mut all = HashMap::<(StateIndex, NodeIndex), Inputs<'_>>::new();
    for (place, state) in program.states.iter().enumerate() {
        for edge in &state.edges {
            let (Some(connector), Some(memlet)) = (&edge.target_connector, &edge.memlet) else {
                continue;
            };
            let is_entry = state.nodes[edge.target.place()].kind.is_entry();
            if is_entry && !connector.starts_with("IN_") {
                let of = (StateIndex(place as u32), edge.target);
                all.entry(of).or_default().push((connector, &memlet.data));
            }
        }
    }
    all
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
