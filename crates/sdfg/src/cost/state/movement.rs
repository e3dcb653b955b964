//! What edges move.

use crate::cost::{Analysis, Excess, Movement, Rules, Unknown};
use crate::expr::{Expr, TooLarge};
use crate::model::{ContainerKind, Edge, Graph, Memlet, NodeIndex, NodeKind, State, StateIndex};

impl<'p> Analysis<'p> {
    pub(super) fn movements(&mut self, index: StateIndex) -> Vec<Option<Movement>> {
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
