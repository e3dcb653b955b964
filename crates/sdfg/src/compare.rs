//! Two graphs of one program, such as before and after a transformation.
//!
//! What belongs together is found from the outside in. Nodes of one guid are one, where each side
//! has it once: DaCe keeps guids over transformations. Blocks go by kind and label, then by kind and
//! place; nodes by what they are, their label and the data around them, first within matched scopes
//! and then within matched states; edges by their ends and what they carry. Of several that are
//! equal in all of that the first is the first. Nothing prefers a side: swapped graphs have swapped
//! matches.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::Arc;

use crate::cost::{Cost, Costs};
use crate::expr::Expr;
use crate::model::{
    BlockIndex, BlockKind, EdgeIndex, NodeIndex, NodeKind, Program, Region, RegionIndex, State,
    StateIndex,
};

/// What two graphs have in common, and what not.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Of the whole, on both sides.
    pub total: Sides<Cost>,
    /// Bytes over the outermost edges of the outermost graphs in the whole run, by container, see
    /// [`Costs::moved_by_container`]; nothing where a side moves none of it.
    pub containers: BTreeMap<Arc<str>, Sides<Option<Expr>>>,
    /// Blocks other than the regions of whole graphs.
    pub blocks: Matches<(RegionIndex, BlockIndex)>,
    /// Nodes of all states.
    pub nodes: Matches<(StateIndex, NodeIndex)>,
    /// Dataflow edges of all states.
    pub edges: Matches<(StateIndex, EdgeIndex)>,
}

/// The same of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sides<T> {
    /// Before.
    pub base: T,
    /// After.
    pub new: T,
}

/// Elements of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matches<I> {
    /// On both sides, in the order of the base.
    pub both: Vec<Match<I>>,
    /// What the new side lacks, in order.
    pub only_base: Vec<I>,
    /// What the base lacks, in order.
    pub only_new: Vec<I>,
}

/// An element that is on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match<I> {
    /// Where it is.
    pub at: Sides<I>,
    /// Its costs are not the same expressions.
    pub differs: bool,
}

impl Comparison {
    /// Compares two graphs with their costs.
    pub fn of(base: (&Program, &Costs), new: (&Program, &Costs)) -> Comparison {
        let programs = Sides { base: base.0, new: new.0 };
        let costs = Sides { base: base.1, new: new.1 };
        let mut matching = Matching::new(programs);
        matching.run();
        let node_cost = |side: &Costs, (state, node): (StateIndex, NodeIndex)| {
            side.nodes[state.place()][node.place()].clone()
        };
        let block_cost =
            |program: &Program, side: &Costs, block| cost_of_block(program, side, block);
        let edge_cost = |side: &Costs, (state, edge): (StateIndex, EdgeIndex)| {
            let movement = side.edges[state.place()][edge.place()].as_ref();
            movement.map(|one| (one.elements.clone(), one.bytes.clone()))
        };
        Comparison {
            total: Sides { base: costs.base.total.clone(), new: costs.new.total.clone() },
            containers: containers(costs),
            blocks: matching.blocks.finish(programs.each(all_blocks), |at| {
                block_cost(programs.base, costs.base, at.base)
                    != block_cost(programs.new, costs.new, at.new)
            }),
            nodes: matching.nodes.finish(programs.each(all_nodes), |at| {
                node_cost(costs.base, at.base) != node_cost(costs.new, at.new)
            }),
            edges: matching.edges.finish(programs.each(all_edges), |at| {
                edge_cost(costs.base, at.base) != edge_cost(costs.new, at.new)
            }),
        }
    }
}

impl<T: Copy> Sides<T> {
    fn each<V>(self, of: impl Fn(T) -> V) -> Sides<V> {
        Sides { base: of(self.base), new: of(self.new) }
    }
}

/// Pairs that were found.
#[derive(Debug)]
struct Pairs<I> {
    new_of: HashMap<I, I>,
    taken: BTreeSet<I>,
}

impl<I: Copy + Ord + Hash> Pairs<I> {
    fn new() -> Pairs<I> {
        Pairs { new_of: HashMap::new(), taken: BTreeSet::new() }
    }

    fn add(&mut self, base: I, new: I) {
        self.new_of.insert(base, new);
        self.taken.insert(new);
    }

    /// Pairs what has the same key, in the order that it comes in, and gives the new pairs.
    fn by_key<K: Eq + Hash>(
        &mut self,
        base: &[I],
        new: &[I],
        key: impl Fn(bool, I) -> Option<K>,
    ) -> Vec<Sides<I>> {
        let mut waiting: HashMap<K, Vec<I>> = HashMap::new();
        for &one in new.iter().rev().filter(|one| !self.taken.contains(one)) {
            if let Some(key) = key(true, one) {
                waiting.entry(key).or_default().push(one);
            }
        }
        let mut found = vec![];
        for &one in base.iter().filter(|one| !self.new_of.contains_key(one)) {
            let same = key(false, one).and_then(|key| waiting.get_mut(&key)?.pop());
            found.extend(same.map(|same| Sides { base: one, new: same }));
        }
        for pair in &found {
            self.add(pair.base, pair.new);
        }
        found
    }

    fn finish(self, all: Sides<Vec<I>>, differs: impl Fn(Sides<I>) -> bool) -> Matches<I> {
        let mut matches = Matches { both: vec![], only_base: vec![], only_new: vec![] };
        for base in all.base {
            match self.new_of.get(&base) {
                Some(&new) => {
                    let at = Sides { base, new };
                    matches.both.push(Match { at, differs: differs(at) });
                }
                None => matches.only_base.push(base),
            }
        }
        matches.only_new = all.new;
        matches.only_new.retain(|new| !self.taken.contains(new));
        matches
    }
}

struct Matching<'p> {
    programs: Sides<&'p Program>,
    /// Regions whose blocks are still to be matched.
    open: Vec<Sides<RegionIndex>>,
    /// Regions that were matched, by that of the base.
    seen: BTreeSet<RegionIndex>,
    blocks: Pairs<(RegionIndex, BlockIndex)>,
    nodes: Pairs<(StateIndex, NodeIndex)>,
    edges: Pairs<(StateIndex, EdgeIndex)>,
}

impl<'p> Matching<'p> {
    fn new(programs: Sides<&'p Program>) -> Matching<'p> {
        Matching {
            programs,
            open: vec![],
            seen: BTreeSet::new(),
            blocks: Pairs::new(),
            nodes: Pairs::new(),
            edges: Pairs::new(),
        }
    }

    fn run(&mut self) {
        let guids = self.programs.each(nodes_by_guid);
        for (guid, &base) in &guids.base {
            if let Some((base, new)) = base.zip(guids.new.get(guid).copied().flatten()) {
                self.nodes.add(base, new);
                self.nested(&[base]);
            }
        }
        if let (Some(base), Some(new)) = (self.programs.base.root(), self.programs.new.root()) {
            self.open.push(Sides { base: base.region, new: new.region });
        }
        while let Some(pair) = self.open.pop() {
            if self.seen.insert(pair.base) {
                self.region(pair);
            }
        }
    }

    fn side(&self, is_new: bool) -> &'p Program {
        if is_new { self.programs.new } else { self.programs.base }
    }

    /// Blocks of matched regions.
    fn region(&mut self, regions: Sides<RegionIndex>) {
        let blocks = |program: &Program, region: RegionIndex| {
            let count = program.region(region).blocks.len();
            let all: Vec<_> = (0..count).map(|block| (region, BlockIndex(block as u32))).collect();
            all
        };
        let base = blocks(self.programs.base, regions.base);
        let new = blocks(self.programs.new, regions.new);
        let programs = self.programs;
        let block_of = |is_new: bool, (region, block): (RegionIndex, BlockIndex)| {
            let program: &Program = if is_new { programs.new } else { programs.base };
            program.region(region).block(block)
        };
        let by_label = |is_new: bool, at| {
            let block = block_of(is_new, at);
            Some((std::mem::discriminant(&block.kind), &block.label))
        };
        let by_place = |is_new: bool, at: (RegionIndex, BlockIndex)| {
            Some((std::mem::discriminant(&block_of(is_new, at).kind), at.1))
        };
        let mut found = self.blocks.by_key(&base, &new, by_label);
        found.extend(self.blocks.by_key(&base, &new, by_place));
        for pair in found {
            self.inside_block(&block_of(false, pair.base).kind, &block_of(true, pair.new).kind);
        }
    }

    fn inside_block(&mut self, base: &BlockKind, new: &BlockKind) {
        match (base, new) {
            (BlockKind::State(base), BlockKind::State(new)) => {
                self.state(Sides { base: *base, new: *new });
            }
            (BlockKind::Region(base), BlockKind::Region(new)) => {
                self.open.push(Sides { base: *base, new: *new });
            }
            (
                BlockKind::Conditional { branches: base, .. },
                BlockKind::Conditional { branches: new, .. },
            ) => {
                for ((_, base), (_, new)) in base.iter().zip(new) {
                    self.open.push(Sides { base: *base, new: *new });
                }
            }
            _ => {}
        }
    }

    /// Nodes and edges of matched states.
    fn state(&mut self, states: Sides<StateIndex>) {
        let signatures = Sides {
            base: signatures(self.programs.base.state(states.base)),
            new: signatures(self.programs.new.state(states.new)),
        };
        let members = Sides {
            base: scope_members(self.programs.base, states.base),
            new: scope_members(self.programs.new, states.new),
        };
        let mut scopes = vec![Sides { base: None, new: None }];
        scopes.extend(self.matched_entries(states));
        self.scopes(&mut scopes, &members, &signatures);
        // What moved into another scope.
        let all = Sides {
            base: nodes_of(self.programs.base, states.base),
            new: nodes_of(self.programs.new, states.new),
        };
        for is_exact in [true, false] {
            let found = self.pair_nodes(&all.base, &all.new, &signatures, is_exact);
            scopes.extend(found.iter().map(|pair| pair.each(|(_, node)| Some(node))));
            self.scopes(&mut scopes, &members, &signatures);
        }
        self.nested(&all.base);
        self.state_edges(states);
    }

    /// Entries of two states that have one guid.
    fn matched_entries(&self, states: Sides<StateIndex>) -> Vec<Sides<Option<NodeIndex>>> {
        let all = nodes_of(self.programs.base, states.base);
        let pairs = all.into_iter().filter_map(|base| {
            let &(state, new) = self.nodes.new_of.get(&base)?;
            (state == states.new).then_some(Sides { base: Some(base.1), new: Some(new) })
        });
        pairs.collect()
    }

    fn scopes(
        &mut self,
        open: &mut Vec<Sides<Option<NodeIndex>>>,
        members: &Sides<Members>,
        signatures: &Sides<Vec<Signature<'p>>>,
    ) {
        while let Some(scope) = open.pop() {
            let (Some(base), Some(new)) =
                (members.base.get(&scope.base), members.new.get(&scope.new))
            else {
                continue;
            };
            for is_exact in [true, false] {
                let found = self.pair_nodes(base, new, signatures, is_exact);
                open.extend(found.iter().map(|pair| pair.each(|(_, node)| Some(node))));
            }
        }
    }

    fn pair_nodes(
        &mut self,
        base: &[(StateIndex, NodeIndex)],
        new: &[(StateIndex, NodeIndex)],
        signatures: &Sides<Vec<Signature<'p>>>,
        is_exact: bool,
    ) -> Vec<Sides<(StateIndex, NodeIndex)>> {
        self.nodes.by_key(base, new, |is_new, (_, node)| {
            let of_side = if is_new { &signatures.new } else { &signatures.base };
            let Signature { kind, label, data } = &of_side[node.place()];
            Some((kind, label, is_exact.then_some(data)))
        })
    }

    /// Graphs in nodes that are matched.
    fn nested(&mut self, nodes: &[(StateIndex, NodeIndex)]) {
        for &(state, node) in nodes {
            let Some(&(new_state, new)) = self.nodes.new_of.get(&(state, node)) else { continue };
            let graph = |is_new: bool, state: StateIndex, node: NodeIndex| {
                let program = self.side(is_new);
                match &program.state(state).nodes[node.place()].kind {
                    NodeKind::Nested { graph, .. } => graph.map(|one| program.graph(one).region),
                    _ => None,
                }
            };
            if let (Some(base), Some(new)) =
                (graph(false, state, node), graph(true, new_state, new))
            {
                self.open.push(Sides { base, new });
            }
        }
    }

    /// Edges between matched nodes: first those that are the same in all they say.
    fn state_edges(&mut self, states: Sides<StateIndex>) {
        let edges = |program: &Program, state: StateIndex| {
            let count = program.state(state).edges.len();
            let all: Vec<_> = (0..count).map(|edge| (state, EdgeIndex(edge as u32))).collect();
            all
        };
        let base = edges(self.programs.base, states.base);
        let new = edges(self.programs.new, states.new);
        for is_exact in [true, false] {
            let (programs, nodes) = (self.programs, &self.nodes);
            self.edges.by_key(&base, &new, |is_new, (index, edge)| {
                let program: &Program = if is_new { programs.new } else { programs.base };
                let state = program.state(index);
                let edge = &state.edges[edge.place()];
                let end = |node: NodeIndex| {
                    if is_new {
                        Some((index, node))
                    } else {
                        nodes.new_of.get(&(index, node)).copied()
                    }
                };
                let ends = (end(edge.source)?, end(edge.target)?);
                let data = edge.memlet.as_ref().map(|memlet| &*memlet.data);
                let connectors =
                    (edge.source_connector.as_deref(), edge.target_connector.as_deref());
                Some((ends, data, is_exact.then_some(connectors)))
            });
        }
    }
}

/// What a node is known by.
struct Signature<'p> {
    kind: &'p str,
    label: &'p str,
    /// Names of what comes in and goes out.
    data: (Vec<&'p str>, Vec<&'p str>),
}

fn signatures(state: &State) -> Vec<Signature<'_>> {
    let of_node = state.nodes.iter().map(|node| Signature {
        kind: node.kind.name(),
        label: &node.label,
        data: (vec![], vec![]),
    });
    let mut all: Vec<Signature<'_>> = of_node.collect();
    for edge in &state.edges {
        let Some(memlet) = &edge.memlet else { continue };
        all[edge.source.place()].data.1.push(&memlet.data);
        all[edge.target.place()].data.0.push(&memlet.data);
    }
    for one in &mut all {
        one.data.0.sort_unstable();
        one.data.1.sort_unstable();
    }
    all
}

/// Nodes by the entry around them.
type Members = HashMap<Option<NodeIndex>, Vec<(StateIndex, NodeIndex)>>;

fn scope_members(program: &Program, index: StateIndex) -> Members {
    let mut members = Members::new();
    for (place, node) in program.state(index).nodes.iter().enumerate() {
        members.entry(node.scope).or_default().push((index, NodeIndex(place as u32)));
    }
    members
}

fn nodes_of(program: &Program, state: StateIndex) -> Vec<(StateIndex, NodeIndex)> {
    let count = program.state(state).nodes.len();
    (0..count).map(|node| (state, NodeIndex(node as u32))).collect()
}

/// Nothing for a guid that several nodes have.
fn nodes_by_guid(program: &Program) -> HashMap<&str, Option<(StateIndex, NodeIndex)>> {
    let mut found = HashMap::new();
    for at in all_nodes(program) {
        let node = &program.state(at.0).nodes[at.1.place()];
        if let Some(guid) = &node.guid {
            found.entry(&**guid).and_modify(|one| *one = None).or_insert(Some(at));
        }
    }
    found
}

fn all_blocks(program: &Program) -> Vec<(RegionIndex, BlockIndex)> {
    let of_region = |(index, region): (usize, &Region)| {
        let blocks = 0..region.blocks.len();
        blocks
            .map(|block| (RegionIndex(index as u32), BlockIndex(block as u32)))
            .collect::<Vec<_>>()
    };
    program.regions.iter().enumerate().flat_map(of_region).collect()
}

fn all_nodes(program: &Program) -> Vec<(StateIndex, NodeIndex)> {
    let states = (0..program.states.len()).map(|state| StateIndex(state as u32));
    states.flat_map(|state| nodes_of(program, state)).collect()
}

fn all_edges(program: &Program) -> Vec<(StateIndex, EdgeIndex)> {
    let of_state = |(index, state): (usize, &State)| {
        let edges = 0..state.edges.len();
        edges.map(|edge| (StateIndex(index as u32), EdgeIndex(edge as u32))).collect::<Vec<_>>()
    };
    program.states.iter().enumerate().flat_map(of_state).collect()
}

fn cost_of_block(
    program: &Program,
    costs: &Costs,
    (region, block): (RegionIndex, BlockIndex),
) -> Vec<Cost> {
    match &program.region(region).block(block).kind {
        BlockKind::State(state) => vec![costs.states[state.place()].clone()],
        BlockKind::Region(inner) => vec![costs.regions[inner.place()].clone()],
        BlockKind::Conditional { branches, .. } => {
            branches.iter().map(|(_, branch)| costs.regions[branch.place()].clone()).collect()
        }
        BlockKind::Break | BlockKind::Continue | BlockKind::Return | BlockKind::Opaque(_) => vec![],
    }
}

fn containers(costs: Sides<&Costs>) -> BTreeMap<Arc<str>, Sides<Option<Expr>>> {
    let mut all = BTreeMap::<Arc<str>, Sides<Option<Expr>>>::new();
    for (name, moved) in &costs.base.moved_by_container {
        all.entry(name.clone()).or_default().base = Some(moved.clone());
    }
    for (name, moved) in &costs.new.moved_by_container {
        all.entry(name.clone()).or_default().new = Some(moved.clone());
    }
    all
}
