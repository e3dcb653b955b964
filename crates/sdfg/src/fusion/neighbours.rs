//! Pairs of maps with containers between them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::elements::{Body, Place, obstacle};
use super::ranges::{compare, is_permuted};
use super::{Fusion, Intermediate, Obstacle, Ranges, Saved};
use crate::cost::roots::Roots;
use crate::cost::{Adjacency, Costs, Excess, topological_order};
use crate::expr::{Expr, TooLarge};
use crate::model::{
    Block, ContainerKind, EdgeIndex, GraphIndex, InterstateEdge, NodeIndex, NodeKind, Program,
    RegionKind, State, StateIndex,
};

/// Of a state; access nodes that would make it more are left out.
const MOST_PAIRS: usize = 1 << 16;

/// All pairs, by state.
pub(super) fn find(program: &Program, costs: &Costs) -> Vec<Fusion> {
    let roots = Roots::new(program);
    let uses = Uses::new(program, &roots);
    let has_references = has_references(program);
    let mut all = vec![];
    for place in 0..program.states.len() {
        let state = StateIndex(place as u32);
        let pass = Pass { program, costs, roots: &roots, uses: &uses, state };
        pass.pairs(&mut all, &has_references);
    }
    all
}

/// By graph: it, or a graph in it, has references.
fn has_references(program: &Program) -> Vec<bool> {
    let is_reference = |kind: &ContainerKind| *kind == ContainerKind::Reference;
    let graphs = program.graphs.iter();
    let mut all: Vec<bool> =
        graphs.map(|graph| graph.containers.values().any(|one| is_reference(&one.kind))).collect();
    // Inner graphs stand behind those around them.
    for (place, graph) in program.graphs.iter().enumerate().rev() {
        if let Some((state, _)) = graph.holder {
            let around = program.region(program.state(state).region).graph;
            all[around.place()] |= all[place];
        }
    }
    all
}

/// How often containers are used in a graph: by access nodes, and by conditions and assignments.
struct Uses {
    accesses: HashMap<(GraphIndex, Arc<str>), usize>,
    in_control_flow: HashSet<(GraphIndex, String)>,
}

impl Uses {
    fn new(program: &Program, roots: &Roots) -> Uses {
        let mut uses = Uses { accesses: HashMap::new(), in_control_flow: HashSet::new() };
        for (place, state) in program.states.iter().enumerate() {
            let graph = program.region(state.region).graph;
            for node in &state.nodes {
                if let NodeKind::Access { data } = &node.kind
                    && let Some(root) = roots.in_state(graph, StateIndex(place as u32), data)
                {
                    *uses.accesses.entry((graph, root.clone())).or_default() += 1;
                }
            }
        }
        for region in &program.regions {
            let header = match &region.kind {
                RegionKind::Loop(header) => Some(header),
                RegionKind::Graph | RegionKind::Plain => None,
            };
            let names = region.edges.iter().flat_map(InterstateEdge::names);
            let names = names.chain(region.blocks.iter().flat_map(Block::names));
            let names = names.chain(header.into_iter().flat_map(|header| header.names()));
            uses.in_control_flow.extend(names.map(|name| (region.graph, name)));
        }
        uses
    }
}

struct Pass<'a> {
    program: &'a Program,
    costs: &'a Costs,
    roots: &'a Roots,
    uses: &'a Uses,
    state: StateIndex,
}

/// Access nodes by the maps on both sides.
type Pairs = BTreeMap<(NodeIndex, NodeIndex), Vec<NodeIndex>>;

impl Pass<'_> {
    fn pairs(&self, all: &mut Vec<Fusion>, has_references: &[bool]) {
        let state = self.program.state(self.state);
        let adjacency = Adjacency::new(state);
        let mut positions = vec![0; state.nodes.len()];
        for (position, node) in topological_order(state, &adjacency).into_iter().enumerate() {
            positions[node.place()] = position;
        }
        let mut exits = HashMap::new();
        for (place, node) in state.nodes.iter().enumerate() {
            if let (NodeKind::MapExit, Some(entry)) = (&node.kind, node.scope) {
                exits.insert(entry, NodeIndex(place as u32));
            }
        }
        let known = (self.costs, self.roots);
        let place = Place::new((self.program, self.state), known, &adjacency, has_references);
        let mut bodies: HashMap<NodeIndex, Body<'_>> = HashMap::new();
        let pairs: Vec<_> = neighbours(state, &adjacency).into_iter().collect();
        for ((first, second), accesses) in work::long_steps("looking for maps to fuse", pairs) {
            let accesses: Vec<NodeIndex> =
                accesses.into_iter().filter(|access| self.is_lasting(state, *access)).collect();
            if accesses.is_empty() {
                continue;
            }
            for entry in [first, second] {
                if let (NodeKind::MapEntry(map), Some(&exit)) =
                    (&state.nodes[entry.place()].kind, exits.get(&entry))
                {
                    bodies.entry(entry).or_insert_with(|| Body::new(&place, map, (entry, exit)));
                }
            }
            if let (Some(a), Some(b)) = (bodies.get(&first), bodies.get(&second))
                && let Ok(fusion) = self.fusion(a, b, &accesses, (&adjacency, &positions))
            {
                all.push(fusion);
            }
        }
    }

    /// Whether what an access node stands for is memory that is not of an iteration alone.
    fn is_lasting(&self, state: &State, access: NodeIndex) -> bool {
        let graph = self.program.region(state.region).graph;
        let NodeKind::Access { data } = &state.nodes[access.place()].kind else { return false };
        let container = self.program.graph(graph).containers.get(data);
        let holds = container.is_some_and(|container| container.kind != ContainerKind::Stream);
        holds && self.roots.named_in(graph, self.state, data).is_some()
    }

    fn fusion(
        &self,
        first: &Body<'_>,
        second: &Body<'_>,
        accesses: &[NodeIndex],
        (adjacency, positions): (&Adjacency, &[usize]),
    ) -> Result<Fusion, TooLarge> {
        let state = self.program.state(self.state);
        // Names that each map reads from data of its own may have other values.
        let (ranges, orders) = if [first, second].iter().any(|body| is_dynamic(state, body)) {
            (Ranges::Different, vec![])
        } else {
            compare(first.map, second.map)
        };
        let by_order = orders.iter().map(|order| (obstacle(first, second, order), order));
        let best = by_order.min_by_key(|(obstacle, _)| *obstacle);
        let ranges = match best {
            Some((_, order)) if is_permuted(order) => Ranges::Permuted,
            _ => ranges,
        };
        let obstacle = if best.is_none() {
            Some(Obstacle::Ranges)
        } else if first.map.schedule != second.map.schedule {
            Some(Obstacle::Schedule)
        } else if is_something_between(
            state,
            (adjacency, positions),
            (first.exit, second.entry),
            accesses,
        ) {
            Some(Obstacle::Between)
        } else {
            best.map_or(Some(Obstacle::Ranges), |(obstacle, _)| obstacle)
        };
        let between: Vec<Intermediate> = accesses
            .iter()
            .map(|&access| self.intermediate(access, first.exit, second.entry, adjacency))
            .collect();
        let edges = || between.iter().flat_map(|one| &one.edges);
        let movements: Vec<_> = edges()
            .filter_map(|edge| self.costs.edges[self.state.place()][edge.place()].as_ref())
            .collect();
        let excess = movements.iter().find_map(|movement| movement.excess);
        let bytes = Expr::sum(movements.iter().map(|movement| movement.bytes.clone()))?;
        let in_all: Option<Vec<Expr>> = edges()
            .map(|&edge| Some(self.costs.edge_in_all(self.program, self.state, edge)?.bytes))
            .collect();
        let is_certain = self.costs.times.are_certain[self.state.place()];
        let excess_in_all = excess.or((!is_certain).then_some(Excess::Branches));
        let saved_in_all = in_all
            .and_then(|parts| Expr::sum(parts).ok())
            .map(|bytes| Saved::new(self.costs, bytes, excess_in_all));
        Ok(Fusion {
            state: self.state,
            first: first.entry,
            second: second.entry,
            ranges,
            obstacle,
            saved: Saved::new(self.costs, bytes, excess),
            saved_in_all,
            between,
        })
    }

    fn intermediate(
        &self,
        access: NodeIndex,
        exit: NodeIndex,
        entry: NodeIndex,
        adjacency: &Adjacency,
    ) -> Intermediate {
        let state = self.program.state(self.state);
        let graph = self.program.region(state.region).graph;
        let data = match &state.nodes[access.place()].kind {
            NodeKind::Access { data } => data.clone(),
            _ => Arc::from(""),
        };
        let (incoming, outgoing) =
            (&adjacency.incoming[access.place()], &adjacency.outgoing[access.place()]);
        let writes = |edge: &EdgeIndex| state.edges[edge.place()].source == exit;
        let reads = |edge: &EdgeIndex| state.edges[edge.place()].target == entry;
        let is_transient = self.program.graph(graph).containers.get(&data).is_some_and(|one| {
            one.is_transient && matches!(one.kind, ContainerKind::Array | ContainerKind::Scalar)
        });
        let key = (graph, data.clone());
        let is_private = is_transient
            && incoming.iter().all(writes)
            && outgoing.iter().all(reads)
            && self.uses.accesses.get(&key) == Some(&1)
            && !self.uses.in_control_flow.contains(&(graph, data.to_string()));
        let written = incoming.iter().filter(|edge| is_private && writes(edge));
        let edges = written.chain(outgoing.iter().filter(|edge| reads(edge))).copied().collect();
        Intermediate { data, access, is_private, edges }
    }
}

/// Maps with access nodes between them.
fn neighbours(state: &State, adjacency: &Adjacency) -> Pairs {
    let mut pairs = Pairs::new();
    for (place, node) in state.nodes.iter().enumerate() {
        if !matches!(node.kind, NodeKind::Access { .. }) {
            continue;
        }
        let firsts = adjacency.incoming[place].iter().filter_map(|edge| {
            let from = &state.nodes[state.edges[edge.place()].source.place()];
            from.scope.filter(|_| matches!(from.kind, NodeKind::MapExit))
        });
        let ways = (adjacency.incoming[place].len(), adjacency.outgoing[place].len());
        if ways.0.saturating_mul(ways.1).saturating_add(pairs.len()) > MOST_PAIRS {
            continue;
        }
        for first in firsts {
            for edge in &adjacency.outgoing[place] {
                let target = state.edges[edge.place()].target;
                if matches!(state.nodes[target.place()].kind, NodeKind::MapEntry(_)) {
                    let accesses = pairs.entry((first, target)).or_default();
                    if accesses.last() != Some(&NodeIndex(place as u32)) {
                        accesses.push(NodeIndex(place as u32));
                    }
                }
            }
        }
    }
    pairs
}

/// Whether a way leads from one map to another that is more than a container between them, or an edge
/// that only orders, or decides a range.
fn is_something_between(
    state: &State,
    (adjacency, positions): (&Adjacency, &[usize]),
    (exit, entry): (NodeIndex, NodeIndex),
    accesses: &[NodeIndex],
) -> bool {
    let is_short = |edge: &EdgeIndex| {
        let edge = &state.edges[edge.place()];
        let is_read = edge.memlet.is_some()
            && edge.target_connector.as_deref().is_none_or(|name| name.starts_with("IN_"));
        edge.target == entry && accesses.contains(&edge.source) && is_read
    };
    let mut seen: HashSet<NodeIndex> = HashSet::new();
    let mut waiting = vec![exit];
    while let Some(node) = waiting.pop() {
        for edge in adjacency.outgoing[node.place()].iter().filter(|edge| !is_short(edge)) {
            let target = state.edges[edge.place()].target;
            if target == entry {
                return true;
            }
            // What comes behind the second map in an order leads nowhere before it.
            let is_before = positions[target.place()] < positions[entry.place()];
            if is_before && seen.insert(target) {
                waiting.push(target);
            }
        }
    }
    false
}

/// Whether the range of a map is decided by data that its entry reads.
fn is_dynamic(state: &State, body: &Body<'_>) -> bool {
    let connectors = state.edges.iter().filter(|edge| edge.target == body.entry);
    let mut read = connectors.filter_map(|edge| edge.target_connector.as_deref());
    read.any(|connector| {
        body.map.range.iter().any(|range| {
            let parts = [&range.start, &range.end, &range.step, &range.tile];
            parts.into_iter().any(|part| part.symbols().contains(connector))
        })
    })
}
