//! Costs inside a state.

use super::library::{library_depth, library_work};
use super::times::Sum;
use super::{Adjacency, Analysis, Cost, Excess, Iterations, Movement, Rules, Unknown, cpp, python};
use crate::expr::{Expr, Progression, TooLarge};
use crate::model::{
    Code, ContainerKind, Edge, EdgeIndex, Graph, Language, Map, Memlet, Node, NodeIndex, NodeKind,
    State, StateIndex,
};

impl<'p> Analysis<'p> {
    /// Fills in everything of a state, and gives what it costs each time that it runs.
    pub(super) fn state(&mut self, index: StateIndex) -> Cost {
        let program = self.program;
        let state = program.state(index);
        let graph = program.region(state.region).graph;
        let adjacency = Adjacency::of(state);
        self.edges[index.place()] = self.movements(index);
        let order = topological_order(state, &adjacency);
        let mut members: Vec<Vec<NodeIndex>> = vec![vec![]; state.nodes.len() + 1];
        let outermost = state.nodes.len();
        for &node in &order {
            let scope = state.nodes[node.place()].scope;
            members[scope.map_or(outermost, NodeIndex::place)].push(node);
        }
        let mut scopes = Scopes::of(state, members, &adjacency);
        // Inner scopes come later in the order than the entries around them.
        for &node in order.iter().rev() {
            let one = &state.nodes[node.place()];
            let cost = if one.kind.is_entry() {
                self.scope(index, node, &mut scopes)
            } else {
                self.node(index, node, &adjacency)
            };
            let cost = cost.and_then(|cost| cost.each(|part| self.resolved(part, graph)));
            let mut cost = self.cost_or_unknown(cost, &one.label);
            cost.moved = Expr::default();
            scopes.costs[node.place()] = cost;
        }
        let whole = self.in_scope(index, None, &mut scopes);
        let mut whole = self.cost_or_unknown(whole, &state.label);
        let moved = self.edges[index.place()].iter().flatten().filter(|edge| edge.is_outermost);
        let moved: Result<Expr, TooLarge> =
            moved.map(|edge| &edge.bytes).try_fold(Expr::default(), |sum, one| sum.plus(one));
        let moved = moved.and_then(|moved| self.resolved(&moved, graph));
        whole.moved = self.or_unknown(moved, &format!("{}_bytes", state.label));
        self.finish_nodes(index, scopes);
        self.states[index.place()] = whole.clone();
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
                let conflicts: Result<Vec<Expr>, TooLarge> =
                    outgoing.iter().map(|&edge| conflict_depth(state, edge)).collect();
                let deeper = conflicts
                    .and_then(Expr::largest_cost)
                    .and_then(|conflicts| cost.depth.plus(&conflicts));
                let name = format!("{}_depth", state.nodes[place].label);
                cost.depth = self.or_unknown(deeper, &name);
            }
            let all = scopes.adjacency.incoming[place].iter().chain(outgoing);
            let bytes = all.filter_map(|edge| self.edges[index.place()][edge.place()].as_ref());
            let moved = bytes.map(|edge| &edge.bytes);
            let moved = moved.into_iter().try_fold(Expr::default(), |sum, one| sum.plus(one));
            let name = format!("{}_bytes", state.nodes[place].label);
            cost.moved = self.or_unknown(moved, &name);
        }
        self.nodes[index.place()] = costs;
    }

    /// A scope with all its iterations.
    fn scope(
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

    /// How often a consume scope runs.
    pub(super) fn consumed(&mut self, label: &str) -> Expr {
        let why = "how often a consume scope runs depends on its stream";
        self.unknown(&format!("{label}_iterations"), Unknown::count(why))
    }

    /// What happens in each iteration of a map, over all of them.
    pub(super) fn mapped(
        &mut self,
        body: &Expr,
        map: &Map,
        sum: Sum<'p>,
    ) -> Result<Expr, TooLarge> {
        let mut work = body.clone();
        // Inner ranges may depend on outer parameters.
        for (parameter, range) in map.parameters.iter().zip(&map.range).rev() {
            let count = range.size()?;
            work = match self.rules {
                Rules::Dace1 => work.times(&count)?,
                Rules::Exact | Rules::Dace2 => {
                    let (first, step) = ((*range.start).clone(), (*range.step).clone());
                    let values = Progression { first, step, count };
                    sum(self, &work, &Iterations { variable: parameter.clone(), values })?
                }
            };
        }
        Ok(work)
    }

    /// One iteration of a scope, or a state: all work, and the longest way through.
    fn in_scope(
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

    /// Comparing many with each other takes too long: then an unknown stands for them.
    pub(super) fn largest(&mut self, all: Vec<Expr>, of: &str) -> Result<Expr, TooLarge> {
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

    fn node(
        &mut self,
        index: StateIndex,
        node: NodeIndex,
        adjacency: &Adjacency,
    ) -> Result<Cost, TooLarge> {
        let program = self.program;
        let state = program.state(index);
        let Node { kind, label, .. } = &state.nodes[node.place()];
        match kind {
            NodeKind::Access { .. }
            | NodeKind::MapEntry(_)
            | NodeKind::MapExit
            | NodeKind::ConsumeEntry(_)
            | NodeKind::ConsumeExit => Ok(Cost::default()),
            NodeKind::Tasklet(code) => {
                self.tasklet(state, code, label, &adjacency.outgoing[node.place()])
            }
            NodeKind::Nested { graph: None, .. } => Ok(Cost::default()),
            NodeKind::Nested { graph: Some(graph), symbol_mapping } => {
                let inner = &self.regions[program.graph(*graph).region.place()];
                inner.each(|part| {
                    part.substituted(&|name| {
                        symbol_mapping.get(name).map(|value| (**value).clone())
                    })
                })
            }
            NodeKind::Library(library) => {
                let memlet = |connector: &str, edges: &[EdgeIndex], is_input: bool| {
                    let found = edges.iter().map(|edge| &state.edges[edge.place()]).find(|edge| {
                        let own =
                            if is_input { &edge.target_connector } else { &edge.source_connector };
                        own.as_deref() == Some(connector)
                    });
                    found.and_then(|edge| edge.memlet.as_deref())
                };
                let incoming = &adjacency.incoming[node.place()];
                let outgoing = &adjacency.outgoing[node.place()];
                let only = match incoming[..] {
                    [edge] => state.edges[edge.place()].memlet.as_deref(),
                    _ => None,
                };
                let around = super::library::Around {
                    input: &|name| memlet(name, incoming, true),
                    output: &|name| memlet(name, outgoing, false),
                    only_input: only,
                };
                let why = format!("operations of the library node {}", library.class());
                let why = Unknown::count(why);
                let work = match library_work(library, &around, self.rules)? {
                    Some(work) => work,
                    None => self.unknown(&format!("{label}_work"), why.clone()),
                };
                let depth = match library_depth(library, &around, self.rules, &work)? {
                    Some(depth) => depth,
                    None => self.unknown(&format!("{label}_depth"), why),
                };
                Ok(Cost { work, depth, ..Cost::default() })
            }
            NodeKind::Opaque(name) => {
                let why = format!("operations of a node of the unknown kind {name}");
                let why = Unknown::count(why);
                Ok(Cost {
                    work: self.unknown(&format!("{label}_work"), why.clone()),
                    depth: self.unknown(&format!("{label}_depth"), why),
                    ..Cost::default()
                })
            }
        }
    }

    fn tasklet(
        &mut self,
        state: &State,
        code: &Code,
        label: &str,
        outgoing: &[EdgeIndex],
    ) -> Result<Cost, TooLarge> {
        let counted = match (&code.language, self.rules) {
            (Language::Python, rules) => python::count_statements(&code.text, rules),
            (Language::Cpp, Rules::Exact) => cpp::count_cpp(&code.text),
            (Language::Cpp, Rules::Dace1) => {
                let first =
                    outgoing.first().and_then(|edge| state.edges[edge.place()].memlet.as_ref());
                let work = first.map_or(Expr::integer(1), |memlet| (*memlet.volume).clone());
                return self.with_conflicts(
                    Cost { depth: work.clone(), work, ..Cost::default() },
                    state,
                    outgoing,
                );
            }
            (_, Rules::Dace1 | Rules::Dace2) => {
                Some(python::Operations { count: 1, depth: 1, unknown_calls: 0 })
            }
            (Language::Other(_), Rules::Exact) => None,
        };
        let cost = match counted {
            Some(operations) => {
                if operations.unknown_calls > 0 {
                    self.note("calls of unknown functions in tasklets count as no operation");
                }
                Cost {
                    work: Expr::integer(operations.count.into()),
                    depth: Expr::integer(operations.depth.into()),
                    ..Cost::default()
                }
            }
            None => {
                let why = "code with loops, in another language, or that cannot be read";
                let why = Unknown::count(why);
                Cost {
                    work: self.unknown(&format!("{label}_work"), why.clone()),
                    depth: self.unknown(&format!("{label}_depth"), why),
                    ..Cost::default()
                }
            }
        };
        self.with_conflicts(cost, state, outgoing)
    }

    /// Adds what combining writes costs.
    fn with_conflicts(
        &mut self,
        mut cost: Cost,
        state: &State,
        outgoing: &[EdgeIndex],
    ) -> Result<Cost, TooLarge> {
        let memlets = outgoing.iter().filter_map(|edge| state.edges[edge.place()].memlet.as_ref());
        for wcr in memlets.filter_map(|memlet| memlet.wcr.as_ref()) {
            match python::count_expression(wcr, self.rules) {
                Some(operations) => {
                    cost.work = cost.work.plus(&Expr::integer(operations.count.into()))?;
                }
                None => self.note("write conflicts that cannot be read count as no operation"),
            }
        }
        Ok(cost)
    }

    fn movements(&mut self, index: StateIndex) -> Vec<Option<Movement>> {
        let state = self.program.state(index);
        let graph = self.program.graph_of(index);
        let tiles = beside_partial_tiles(state);
        let mut all = vec![];
        for (place, edge) in state.edges.iter().enumerate() {
            let Some(memlet) = &edge.memlet else {
                all.push(None);
                continue;
            };
            let is_seam = edge.binds_view();
            let is_outermost = state.scope_behind(edge.source).is_none()
                && !(is_seam && self.rules == Rules::Exact);
            if is_seam && !is_outermost {
                self.note("edges that bind a view to its data move nothing");
            }
            let unbounded = memlet.is_dynamic && memlet.volume.is_zero();
            let excess = if unbounded {
                Some(Excess::Unbounded)
            } else if memlet.is_dynamic {
                Some(Excess::DataDecides)
            } else {
                tiles[place].then_some(Excess::PartialTiles)
            };
            let elements = if unbounded && self.rules == Rules::Exact {
                let why = "data decides how many elements move";
                let unknown = Unknown::count(why).at_most(self.copied(index, edge, memlet));
                self.unknown(&format!("{}_elements", memlet.data), unknown)
            } else {
                (*memlet.volume).clone()
            };
            let bytes = self.bytes(graph, memlet, &elements);
            all.push(Some(Movement {
                elements,
                bytes: self.or_unknown(bytes, &format!("{}_bytes", memlet.data)),
                is_outermost,
                excess,
            }));
        }
        all
    }

    /// The most elements that an edge between two containers moves: each once. Code and scopes may
    /// want an element again and again, and a stream holds any number over time.
    fn copied(&self, index: StateIndex, edge: &Edge, memlet: &Memlet) -> Option<Expr> {
        let (state, graph) = (self.program.state(index), self.program.graph_of(index));
        let holds_each_once = |node: NodeIndex| {
            let NodeKind::Access { data } = &state.nodes[node.place()].kind else { return false };
            let container = graph.containers.get(data);
            container.is_some_and(|container| container.kind != ContainerKind::Stream)
        };
        let adds_up = memlet.wcr.is_some();
        if adds_up || !holds_each_once(edge.source) || !holds_each_once(edge.target) {
            return None;
        }
        let elements = match &memlet.subset {
            Some(subset) if !subset.is_union => subset.element_count().ok()?,
            _ => graph.containers.get(&memlet.data)?.element_count().ok()?,
        };
        let graph = self.program.region(state.region).graph;
        let names = &self.outside[graph.place()];
        let elements = self.resolved(&elements, graph).ok()?;
        elements.substituted(&|name| names.get(name).cloned()).ok()
    }

    fn bytes(&mut self, graph: &Graph, memlet: &Memlet, elements: &Expr) -> Result<Expr, TooLarge> {
        let mut names = memlet.data.split('.');
        let mut container = names.next().and_then(|name| graph.containers.get(name));
        for member in names {
            container = container.and_then(|container| {
                let mut members = container.members.iter();
                members.find(|(name, _)| **name == *member).map(|(_, container)| container)
            });
        }
        let size = match container.and_then(|container| container.element.size) {
            Some(size) => Expr::integer(size.into()),
            None => {
                let why = "bytes of an element of a container whose type has no known size";
                self.unknown(&format!("{}_element_bytes", memlet.data), Unknown::count(why))
            }
        };
        elements.times(&size)
    }
}

struct Scopes<'s> {
    /// By entry, and behind all nodes those of the state; in topological order.
    members: Vec<Vec<NodeIndex>>,
    /// The exit of each entry.
    exits: Vec<Option<NodeIndex>>,
    adjacency: &'s Adjacency,
    costs: Vec<Cost>,
    /// The longest way to the end of each node, in its scope.
    depths: Vec<Expr>,
}

impl<'s> Scopes<'s> {
    fn of(state: &State, members: Vec<Vec<NodeIndex>>, adjacency: &'s Adjacency) -> Scopes<'s> {
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

/// Nodes behind all that come before them; those on cycles are left out.
fn topological_order(state: &State, adjacency: &Adjacency) -> Vec<NodeIndex> {
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

/// Writes to one place come one after the other: how many there are to each.
fn conflict_depth(state: &State, edge: EdgeIndex) -> Result<Expr, TooLarge> {
    let Some(memlet) = &state.edges[edge.place()].memlet else { return Ok(Expr::default()) };
    match (&memlet.wcr, &memlet.subset) {
        (Some(_), Some(subset)) => memlet.volume.quotient(&subset.element_count()?),
        _ => Ok(Expr::default()),
    }
}

/// Edges at a map whose tiles may be partial, and at the scopes around it.
fn beside_partial_tiles(state: &State) -> Vec<bool> {
    let mut is_tiled = vec![false; state.nodes.len()];
    for (place, node) in state.nodes.iter().enumerate() {
        let NodeKind::MapEntry(map) = &node.kind else { continue };
        if !map.has_partial_tiles() {
            continue;
        }
        let mut entry = Some(NodeIndex(place as u32));
        while let Some(one) = entry.filter(|one| !is_tiled[one.place()]) {
            is_tiled[one.place()] = true;
            entry = state.nodes[one.place()].scope;
        }
    }
    let exits_too = |node: NodeIndex| {
        let one = &state.nodes[node.place()];
        let ends = one.kind.is_exit() && one.scope.is_some_and(|entry| is_tiled[entry.place()]);
        is_tiled[node.place()] || ends
    };
    // What a tiled scope moves inside, each time, is exact.
    let is_outside = |edge: &crate::model::Edge| {
        exits_too(edge.target) && !state.nodes[edge.target.place()].kind.is_exit()
            || exits_too(edge.source) && state.nodes[edge.source.place()].kind.is_exit()
    };
    state.edges.iter().map(is_outside).collect()
}
