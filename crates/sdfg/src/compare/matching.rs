//! What belongs together, from the outside in.

use std::collections::{BTreeSet, HashMap};

use super::Sides;
use super::comparison::{all_nodes, nodes_of};
use super::pairs::Pairs;
use crate::model::{
    BlockIndex, BlockKind, EdgeIndex, NodeIndex, NodeKind, Program, RegionIndex, State, StateIndex,
};

pub(super) struct Matching<'p> {
    programs: Sides<&'p Program>,
    /// Regions whose blocks are still to be matched.
    open: Vec<Sides<RegionIndex>>,
    /// Regions that were matched, by that of the base.
    seen: BTreeSet<RegionIndex>,
    pub(super) blocks: Pairs<(RegionIndex, BlockIndex)>,
    pub(super) nodes: Pairs<(StateIndex, NodeIndex)>,
    pub(super) edges: Pairs<(StateIndex, EdgeIndex)>,
}

impl<'p> Matching<'p> {
    pub(super) fn new(programs: Sides<&'p Program>) -> Matching<'p> {
        Matching {
            programs,
            open: vec![],
            seen: BTreeSet::new(),
            blocks: Pairs::new(),
            nodes: Pairs::new(),
            edges: Pairs::new(),
        }
    }

    pub(super) fn run(&mut self) {
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
