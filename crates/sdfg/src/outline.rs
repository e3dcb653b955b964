//! What is in what: one tree over regions, states, scopes and nested graphs.
//!
//! ```text
//! outermost graph -- state -- access node, tasklet
//!        |             +----- map entry -- tasklet, map exit
//!        |             +----- nested graph -- state ...
//!        +-- loop -- state ...
//!        +-- conditional -- branch -- state ...
//! ```
//!
//! A region that is the whole of a block or of a nested graph is that block or node. Every element
//! has a number, which depends on the file alone.

use crate::model::{
    BlockIndex, BlockKind, EdgeIndex, ElementId, NodeIndex, NodeKind, Program, RegionIndex,
    RegionKind, StateIndex,
};

/// A part of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Element {
    /// The outermost graph, or a branch of a conditional.
    Region(RegionIndex),
    /// A state, a loop, a conditional.
    Block(RegionIndex, BlockIndex),
    /// A node; an entry is also its scope.
    Node(StateIndex, NodeIndex),
    /// An edge of dataflow.
    Edge(StateIndex, EdgeIndex),
    /// An edge between blocks.
    Transition(RegionIndex, EdgeIndex),
}

/// Numbers of elements.
#[derive(Debug, Clone)]
pub struct Outline {
    /// The first number of each region's blocks, state's nodes and so on; one more at the end.
    blocks: Vec<u32>,
    nodes: Vec<u32>,
    edges: Vec<u32>,
    transitions: Vec<u32>,
}

impl Outline {
    /// Numbers the elements; none where there are too many.
    pub fn new(program: &Program) -> Option<Outline> {
        let mut next = u32::try_from(program.regions.len()).ok()?;
        let mut number = |counts: &mut dyn Iterator<Item = usize>| {
            let mut firsts = vec![next];
            for count in counts {
                next = next.checked_add(u32::try_from(count).ok()?)?;
                firsts.push(next);
            }
            Some(firsts)
        };
        let (regions, states) = (&program.regions, &program.states);
        Some(Outline {
            blocks: number(&mut regions.iter().map(|region| region.blocks.len()))?,
            nodes: number(&mut states.iter().map(|state| state.nodes.len()))?,
            edges: number(&mut states.iter().map(|state| state.edges.len()))?,
            transitions: number(&mut regions.iter().map(|region| region.edges.len()))?,
        })
    }

    /// The number of an element.
    pub fn number(&self, element: Element) -> u32 {
        match element {
            Element::Region(region) => region.0,
            Element::Block(region, block) => self.blocks[region.place()] + block.0,
            Element::Node(state, node) => self.nodes[state.place()] + node.0,
            Element::Edge(state, edge) => self.edges[state.place()] + edge.0,
            Element::Transition(region, edge) => self.transitions[region.place()] + edge.0,
        }
    }

    /// The element of a number; none where there is none.
    pub fn element(&self, number: u32) -> Option<Element> {
        /// The list and the place in it.
        fn find(firsts: &[u32], number: u32) -> Option<(u32, u32)> {
            let (first, last) = (*firsts.first()?, *firsts.last()?);
            if !(first..last).contains(&number) {
                return None;
            }
            let list = firsts.partition_point(|&first| first <= number) - 1;
            Some((list as u32, number - firsts[list]))
        }
        if number < *self.blocks.first()? {
            return Some(Element::Region(RegionIndex(number)));
        }
        let block = |(list, at)| Element::Block(RegionIndex(list), BlockIndex(at));
        let node = |(list, at)| Element::Node(StateIndex(list), NodeIndex(at));
        let edge = |(list, at)| Element::Edge(StateIndex(list), EdgeIndex(at));
        let transition = |(list, at)| Element::Transition(RegionIndex(list), EdgeIndex(at));
        let block = || find(&self.blocks, number).map(block);
        let node = || find(&self.nodes, number).map(node);
        let edge = || find(&self.edges, number).map(edge);
        let transition = || find(&self.transitions, number).map(transition);
        block().or_else(node).or_else(edge).or_else(transition)
    }

    /// How many elements there are.
    pub fn count(&self) -> u32 {
        self.transitions.last().copied().unwrap_or_default()
    }
}

impl Program {
    /// What an element is in; none for the outermost graph.
    pub fn container_of(&self, element: Element) -> Option<Element> {
        match element {
            Element::Region(region) => {
                let (holder, block) = self.region(region).holder?;
                Some(Element::Block(holder, block))
            }
            Element::Block(region, _) | Element::Transition(region, _) => {
                Some(self.element_of_region(region))
            }
            Element::Node(state, node) => {
                let inside = self.state(state);
                Some(match inside.nodes[node.place()].scope {
                    Some(entry) => Element::Node(state, entry),
                    None => Element::Block(inside.region, inside.block),
                })
            }
            Element::Edge(state, edge) => {
                let source = self.state(state).edges[edge.place()].source;
                let node = &self.state(state).nodes[source.place()];
                let from = Element::Node(state, source);
                match &node.kind {
                    kind if kind.is_entry() => Some(from),
                    // What leaves a scope is outside of it.
                    kind if kind.is_exit() => match node.scope {
                        Some(entry) => self.container_of(Element::Node(state, entry)),
                        None => self.container_of(from),
                    },
                    _ => self.container_of(from),
                }
            }
        }
    }

    /// What a region is drawn as, and its blocks are in: a block, a nested graph, or the region
    /// itself.
    pub fn element_of_region(&self, region: RegionIndex) -> Element {
        let inside = self.region(region);
        match (&inside.kind, inside.holder) {
            (RegionKind::Graph, _) => match self.graph(inside.graph).holder {
                Some((state, node)) => Element::Node(state, node),
                None => Element::Region(region),
            },
            (_, Some((holder, block))) => match self.region(holder).block(block).kind {
                BlockKind::Conditional { .. } => Element::Region(region),
                _ => Element::Block(holder, block),
            },
            (_, None) => Element::Region(region),
        }
    }

    /// What an element is in, the outermost first; without itself.
    pub fn containers_of(&self, element: Element) -> Vec<Element> {
        let mut all = vec![];
        let mut inside = element;
        while let Some(container) = self.container_of(inside) {
            all.push(container);
            inside = container;
        }
        all.reverse();
        all
    }

    /// The region whose blocks are in an element.
    pub fn region_in(&self, element: Element) -> Option<RegionIndex> {
        match element {
            Element::Region(region) => Some(region),
            Element::Block(region, block) => match self.region(region).block(block).kind {
                BlockKind::Region(inner) => Some(inner),
                _ => None,
            },
            Element::Node(state, node) => match self.state(state).nodes[node.place()].kind {
                NodeKind::Nested { graph: Some(graph), .. } => Some(self.graph(graph).region),
                _ => None,
            },
            Element::Edge(..) | Element::Transition(..) => None,
        }
    }

    /// The state that a block is.
    pub fn state_of_block(&self, region: RegionIndex, block: BlockIndex) -> Option<StateIndex> {
        match self.region(region).block(block).kind {
            BlockKind::State(state) => Some(state),
            _ => None,
        }
    }

    /// How DaCe names an element.
    pub fn id_of(&self, element: Element) -> ElementId {
        match element {
            Element::Region(region) => self.region(region).id(),
            Element::Block(region, block) => self.id_of_block(region, block),
            Element::Node(state, node) => self.id_of_state(state).with_node(node),
            Element::Edge(state, edge) => self.id_of_state(state).with_edge(edge),
            Element::Transition(region, edge) => self.region(region).id().with_edge(edge),
        }
    }
}
