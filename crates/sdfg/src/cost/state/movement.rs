//! What edges move: worked out from the innermost edges outwards, or as the file tells it.

use std::sync::Arc;

use crate::cost::adjacency::Adjacency;
use crate::cost::analysis::Analysis;
use crate::cost::certainty::Excess;
use crate::cost::costs::Movement;
use crate::cost::unknown::Unknown;
use crate::expr::{Expr, TooLarge};
use crate::model::{
    BlockIndex, ContainerKind, Edge, EdgeIndex, Graph, GraphIndex, Memlet, NodeIndex, NodeKind,
    RegionIndex, State, StateIndex,
};

/// Elements and bytes, and why they may be less.
#[derive(Clone)]
struct Volume {
    elements: Expr,
    bytes: Expr,
    excess: Option<Excess>,
}

impl<'p> Analysis<'p> {
    pub(super) fn movements(
        &mut self,
        index: StateIndex,
        order: &[NodeIndex],
        adjacency: &Adjacency,
    ) -> Vec<Option<Movement>> {
        let state = self.program.state(index);
        let tiles = beside_partial_tiles(state);
        let mut volumes = vec![];
        for (place, edge) in state.edges.iter().enumerate() {
            let declared_volume =
                edge.memlet.as_deref().map(|memlet| self.declared_volume(index, edge, memlet));
            let declared_volume = declared_volume.map(|declared_volume| Volume {
                excess: declared_volume.excess.or(tiles[place]
                    .then_some(Excess::PartialTiles)
                    .filter(|_| !self.rules.is_exact())),
                ..declared_volume
            });
            volumes.push(declared_volume);
        }
        let declared_volume: Vec<Option<Expr>> =
            volumes.iter().map(|one| one.as_ref().map(|one| one.elements.clone())).collect();
        if self.rules.is_exact() {
            for (place, edge) in state.edges.iter().enumerate() {
                if let (Some(inner), Some(_)) = (self.inside_nested(state, edge), &volumes[place]) {
                    volumes[place] = Some(inner);
                }
            }
            // An inner entry comes later in the order than those around it, an inner exit earlier.
            for &node in order.iter().rev() {
                self.through_scope(index, node, true, adjacency, &mut volumes);
            }
            for &node in order {
                self.through_scope(index, node, false, adjacency, &mut volumes);
            }
        }
        let mut all = vec![];
        for ((edge, volume), declared_volume) in
            state.edges.iter().zip(volumes).zip(declared_volume)
        {
            let is_seam = edge.binds_view();
            let is_outermost =
                state.scope_behind(edge.source).is_none() && !(is_seam && self.rules.is_exact());
            if is_seam && !is_outermost && volume.is_some() {
                self.note("edges that bind a view to its data move nothing");
            }
            all.push(volume.map(|Volume { elements, bytes, excess }| Movement {
                declared_volume: declared_volume.filter(|declared_volume| {
                    let plain = elements.without_clamps().ok();
                    *declared_volume != elements
                        && Some(declared_volume) != plain.as_ref()
                        && !is_seam
                }),
                elements,
                bytes,
                is_outermost,
                excess,
            }));
        }
        all
    }

    /// As the file has it.
    fn declared_volume(&mut self, index: StateIndex, edge: &Edge, memlet: &Memlet) -> Volume {
        let graph = self.program.graph_of(index);
        let unbounded = memlet.is_dynamic && memlet.volume.is_zero();
        let excess = if unbounded {
            Some(Excess::Unbounded)
        } else {
            memlet.is_dynamic.then_some(Excess::DataDecides)
        };
        let elements = if self.rules.is_exact() && self.hands_on_unseen(index, edge, memlet) {
            let why = "code passes it to an unknown function";
            let place = format!("{index:?} {:?} {:?}", edge.source, edge.target);
            let name = format!("{}_elements", memlet.data);
            self.unknown_of(&name, &place, Unknown::count(why))
        } else if self.rules.is_exact()
            && !memlet.is_dynamic
            && is_copy(self.program.state(index), edge)
        {
            // How much is copied the part says; a volume may be about that.
            let elements = self.copied_elements(memlet);
            self.or_unknown(elements, &format!("{}_elements", memlet.data))
        } else if unbounded && self.rules.is_exact() {
            let why = "data decides how many elements move";
            let unknown = Unknown::count(why).at_most(self.copied(index, edge, memlet));
            let place = format!("{index:?} {:?} {:?}", edge.source, edge.target);
            self.unknown_of(&format!("{}_elements", memlet.data), &place, unknown)
        } else if self.rules.is_exact() {
            let elements = self.not_less_than_none(memlet);
            self.or_unknown(elements, &format!("{}_elements", memlet.data))
        } else {
            (*memlet.volume).clone()
        };
        let bytes = self.bytes(graph, memlet, &elements);
        let bytes = self.or_unknown(bytes, &format!("{}_bytes", memlet.data));
        Volume { elements, bytes, excess }
    }

    /// Whether code gets more than one element to hand on to what may do anything with them.
    fn hands_on_unseen(&self, index: StateIndex, edge: &Edge, memlet: &Memlet) -> bool {
        let state = self.program.state(index);
        // A part that moves as one is a pointer to it.
        let part = memlet.subset.as_ref().filter(|subset| !subset.is_union());
        let is_one = *memlet.volume == Expr::integer(1)
            && part.is_none_or(|part| {
                part.element_count().is_ok_and(|count| count == Expr::integer(1))
            });
        !is_one
            && [edge.source, edge.target]
                .into_iter()
                .any(|node| self.is_opaque(&state.nodes[node.place()]))
    }

    /// Elements of the part that a copy is of.
    fn copied_elements(&self, memlet: &Memlet) -> Result<Expr, TooLarge> {
        match &memlet.subset {
            Some(subset) if !subset.is_union() => {
                let sizes = subset.dimensions.iter();
                let sizes = sizes.map(|one| self.facts.at_least_zero(&one.count()?));
                sizes.into_iter().try_fold(Expr::integer(1), |all, size| all.times(&size?))
            }
            _ => self.not_less_than_none(memlet),
        }
    }

    /// The volume, which is none where a size is below what a stencil needs: of a part without indices
    /// nothing moves.
    fn not_less_than_none(&self, memlet: &Memlet) -> Result<Expr, TooLarge> {
        let whole = match &memlet.subset {
            Some(subset) if !subset.is_union() => subset.element_count()? == *memlet.volume,
            _ => false,
        };
        let (Some(subset), true) = (&memlet.subset, whole) else {
            return self.facts.at_least_zero(&memlet.volume);
        };
        // Tiles that are cut count as what is left of them.
        let sizes = subset.dimensions.iter().map(|one| self.facts.at_least_zero(&one.count()?));
        sizes.into_iter().try_fold(Expr::integer(1), |all, size| all.times(&size?))
    }

    /// What an inner graph accesses of an argument that an edge brings to it, or takes from it.
    fn inside_nested(&mut self, state: &State, edge: &Edge) -> Option<Volume> {
        let nested = |node: NodeIndex| match &state.nodes[node.place()].kind {
            NodeKind::Nested { graph: Some(graph), symbol_mapping } => {
                Some((*graph, symbol_mapping))
            }
            _ => None,
        };
        let (graph, mapping, name, is_read) = match (nested(edge.target), nested(edge.source)) {
            (Some((graph, mapping)), _) => (graph, mapping, edge.target_connector.as_ref()?, true),
            (None, Some((graph, mapping))) => {
                (graph, mapping, edge.source_connector.as_ref()?, false)
            }
            (None, None) => return None,
        };
        if !self.roots.is_accessed(graph, name) {
            return None;
        }
        let inner = self.accessed(graph, name, is_read);
        let outer = |expr: &Expr| {
            expr.substituted(&|name| mapping.get(name).map(|value| (**value).clone()))
        };
        let name = name.clone();
        inner
            .and_then(|inner| {
                let (elements, bytes) = (outer(&inner.elements)?, outer(&inner.bytes)?);
                Ok(Volume { elements, bytes, ..inner })
            })
            .ok()
            .or_else(|| {
                let why = Unknown::count(TooLarge.to_string());
                let elements = self.unknown(&format!("{name}_elements"), why.clone());
                let bytes = self.unknown(&format!("{name}_bytes"), why);
                Some(Volume { elements, bytes, excess: None })
            })
    }

    /// What a graph reads or writes of a container, or of views of it, each time that it runs.
    fn accessed(
        &mut self,
        graph: GraphIndex,
        name: &Arc<str>,
        is_read: bool,
    ) -> Result<Volume, TooLarge> {
        let program = self.program;
        let mut all = Volume { elements: Expr::default(), bytes: Expr::default(), excess: None };
        for index in self.states_of[graph.place()].clone() {
            let state = program.state(index);
            let (mut elements, mut bytes) = (vec![], vec![]);
            for (edge, movement) in state.edges.iter().zip(&self.costs.edges[index.place()]) {
                let Some(movement) = movement.as_ref().filter(|one| one.is_outermost) else {
                    continue;
                };
                let end = if is_read { edge.source } else { edge.target };
                let NodeKind::Access { data } = &state.nodes[end.place()].kind else { continue };
                if self.roots.in_state(graph, index, data) == Some(name) {
                    elements.push(movement.elements.clone());
                    bytes.push(movement.bytes.clone());
                    all.excess = all.excess.or(movement.excess);
                }
            }
            let each_run = |analysis: &mut Self, parts: Vec<Expr>| {
                let sum = analysis.resolved(&Expr::sum(parts)?, graph)?;
                analysis.repeated(sum, state.region, state.block)
            };
            if !elements.is_empty() {
                let is_certain = self.is_reach_known(state.region, state.block);
                all.excess = all.excess.or((!is_certain).then_some(Excess::Branches));
                all.elements = all.elements.plus(&each_run(self, elements)?)?;
                all.bytes = all.bytes.plus(&each_run(self, bytes)?)?;
            }
        }
        if is_read {
            self.add_control_reads(graph, name, &mut all)?;
        }
        Ok(all)
    }

    /// Adds what control flow of a graph reads of a container each time that the graph runs.
    fn add_control_reads(
        &mut self,
        graph: GraphIndex,
        name: &Arc<str>,
        all: &mut Volume,
    ) -> Result<(), TooLarge> {
        for (place, region) in self.program.regions.iter().enumerate() {
            if region.graph != graph {
                continue;
            }
            let index = RegionIndex(place as u32);
            for block in (0..region.blocks.len() as u32).map(BlockIndex) {
                for read in self.control_reads(index, block)? {
                    if self.roots.in_graph(graph, &read.data) != Some(name) {
                        continue;
                    }
                    let is_certain = self.is_reach_known(index, block);
                    all.excess = all.excess.or(read.excess);
                    all.excess = all.excess.or((!is_certain).then_some(Excess::Branches));
                    let [elements, bytes] = [read.elements, read.bytes].map(|part| {
                        let part = self.resolved(&part, graph)?;
                        self.repeated(part, index, block)
                    });
                    all.elements = all.elements.plus(&elements?)?;
                    all.bytes = all.bytes.plus(&bytes?)?;
                }
            }
        }
        Ok(())
    }

    /// Fills in what goes into an entry or comes out of an exit: what its inner edges of the same
    /// connector move, in all iterations.
    fn through_scope(
        &mut self,
        index: StateIndex,
        node: NodeIndex,
        is_entry: bool,
        adjacency: &Adjacency,
        volumes: &mut [Option<Volume>],
    ) {
        let state = self.program.state(index);
        let kind = &state.nodes[node.place()].kind;
        if !(if is_entry { kind.is_entry() } else { kind.is_exit() }) {
            return;
        }
        let entry = if is_entry { Some(node) } else { state.nodes[node.place()].scope };
        let Some(entry) = entry else { return };
        let (incoming, outgoing) =
            (&adjacency.incoming[node.place()], &adjacency.outgoing[node.place()]);
        let (outer, inner) = if is_entry { (incoming, outgoing) } else { (outgoing, incoming) };
        for &edge in outer {
            let one = &state.edges[edge.place()];
            let Some(name) = passage(one, is_entry) else { continue };
            let is_same =
                |inner: &&EdgeIndex| passage(&state.edges[inner.place()], !is_entry) == Some(name);
            let parts: Vec<Volume> = inner
                .iter()
                .filter(is_same)
                .filter_map(|inner| volumes[inner.place()].clone())
                .collect();
            if parts.is_empty() || volumes[edge.place()].is_none() {
                continue;
            }
            let excess = parts.iter().find_map(|part| part.excess);
            let sum = |analysis: &mut Self, part: fn(&Volume) -> &Expr| {
                let body = Expr::sum(parts.iter().map(|one| part(one).clone()))?;
                analysis.in_scope_times(&body, index, entry)
            };
            let (elements, bytes) = (sum(self, |one| &one.elements), sum(self, |one| &one.bytes));
            let data = one.memlet.as_ref().map_or("", |memlet| &*memlet.data);
            volumes[edge.place()] = Some(Volume {
                elements: self.or_unknown(elements, &format!("{data}_elements")),
                bytes: self.or_unknown(bytes, &format!("{data}_bytes")),
                excess,
            });
        }
    }

    /// All iterations of a scope.
    pub(super) fn in_scope_times(
        &mut self,
        body: &Expr,
        index: StateIndex,
        entry: NodeIndex,
    ) -> Result<Expr, TooLarge> {
        let node = &self.program.state(index).nodes[entry.place()];
        match &node.kind {
            NodeKind::MapEntry(map) => self.mapped(body, map, index, entry),
            _ if body.is_zero() => Ok(Expr::default()),
            _ => body.times(&self.consumed(&node.label)),
        }
    }

    /// The container whose accesses an edge counts as: an innermost edge at one that lives outside of
    /// scopes. What an inner graph accesses is counted in it.
    pub(in crate::cost) fn counted(&self, index: StateIndex, edge: &Edge) -> Option<Arc<str>> {
        let memlet = edge.memlet.as_ref()?;
        let state = self.program.state(index);
        let graph = self.program.region(state.region).graph;
        let kind = |node: NodeIndex| &state.nodes[node.place()].kind;
        // An argument that only conditions and assignments read has its edge alone.
        let is_nested = |node: NodeIndex, name: &Option<Arc<str>>| match (kind(node), name) {
            (NodeKind::Nested { graph: Some(graph), .. }, Some(name)) => {
                self.roots.is_accessed(*graph, name)
            }
            (NodeKind::Nested { graph, .. }, None) => graph.is_some(),
            _ => false,
        };
        let begins = |connector: &Option<Arc<str>>, with: &str| {
            connector.as_deref().is_none_or(|name| name.starts_with(with))
        };
        let is_around = kind(edge.target).is_entry() && begins(&edge.target_connector, "IN_")
            || kind(edge.source).is_exit() && begins(&edge.source_connector, "OUT_");
        if edge.binds_view()
            || is_around
            || is_nested(edge.source, &edge.source_connector)
            || is_nested(edge.target, &edge.target_connector)
        {
            return None;
        }
        self.roots
            .named_in(graph, index, &memlet.data)
            .or_else(|| self.roots.named_in(graph, index, far_end(state, edge, true)?))
            .or_else(|| self.roots.named_in(graph, index, far_end(state, edge, false)?))
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
            Some(subset) if !subset.is_union() => subset.element_count().ok()?,
            _ => graph.containers.get(&memlet.data)?.element_count().ok()?,
        };
        let graph = self.program.region(state.region).graph;
        let names = &self.symbols.outside[graph.place()];
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

/// Whether an edge copies from one container to another, neither of which is a stream's.
fn is_copy(state: &State, edge: &Edge) -> bool {
    let is_access =
        |node: NodeIndex| matches!(state.nodes[node.place()].kind, NodeKind::Access { .. });
    (is_access(edge.source) || is_access(edge.target))
        && edge.memlet.as_ref().is_some_and(|memlet| memlet.wcr.is_none())
        && far_end(state, edge, true).is_some()
        && far_end(state, edge, false).is_some()
}

/// What an edge carries through the entry or the exit of a scope, in or out of it: by the connector, or
/// by the data where it has none. Other connectors decide a range.
pub(crate) fn passage(edge: &Edge, is_in: bool) -> Option<&str> {
    let own = if is_in { &edge.target_connector } else { &edge.source_connector };
    match own {
        Some(own) => own.strip_prefix(if is_in { "IN_" } else { "OUT_" }),
        None => edge.memlet.as_ref().map(|memlet| &*memlet.data),
    }
}

/// The container at the end of an edge's way out of scopes.
pub(in crate::cost) fn far_end<'s>(
    state: &'s State,
    edge: &'s Edge,
    is_source: bool,
) -> Option<&'s str> {
    let mut edge = edge;
    for _ in 0..=state.nodes.len() {
        let node = if is_source { edge.source } else { edge.target };
        let kind = &state.nodes[node.place()].kind;
        if let NodeKind::Access { data } = kind {
            return Some(data);
        }
        if !(if is_source { kind.is_entry() } else { kind.is_exit() }) {
            return None;
        }
        let name = passage(edge, !is_source)?;
        edge = state.edges.iter().find(|next| {
            let at = if is_source { next.target } else { next.source };
            at == node && passage(next, is_source) == Some(name)
        })?;
    }
    None
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
