//! Which containers are open.

use std::collections::HashSet;

use protocol::GraphView;
use sdfg::model::{BlockIndex, BlockKind, NodeIndex, Program, RegionIndex, StateIndex};
use sdfg::outline::{Element, Outline};

/// Boxes that a drawing has at first, at most, unless the first level alone has more.
const MOST_AT_FIRST: usize = 150;
/// So few boxes show nothing of a program that has more.
const FEW: usize = 10;
/// Boxes that are drawn at first where there would be few otherwise.
const MOST_FOR_A_PICTURE: usize = 5_000;
/// What is deeper stays closed: drawing it would take more room than any screen has.
const DEEPEST: u32 = 100;

/// What is in what, ready to be walked.
#[derive(Debug)]
pub(crate) struct Tree {
    /// By state: nodes outside of scopes, then, by node, those in the scope that it begins.
    scopes: Vec<Scopes>,
    /// By depth: how many boxes there are.
    counts: Vec<usize>,
}

#[derive(Debug)]
struct Scopes {
    top: Vec<NodeIndex>,
    within: Vec<(NodeIndex, Vec<NodeIndex>)>,
}

impl Tree {
    pub(crate) fn new(program: &Program) -> Tree {
        let scopes = program.states.iter().map(|state| {
            let mut top = vec![];
            let mut within: Vec<Vec<NodeIndex>> = vec![vec![]; state.nodes.len()];
            for (index, node) in state.nodes.iter().enumerate() {
                let index = NodeIndex(index as u32);
                match node.scope {
                    Some(entry) => within[entry.place()].push(index),
                    None => top.push(index),
                }
            }
            let within = within.into_iter().enumerate();
            let within = within.filter(|(_, nodes)| !nodes.is_empty());
            let within = within.map(|(entry, nodes)| (NodeIndex(entry as u32), nodes));
            Scopes { top, within: within.collect() }
        });
        let mut tree = Tree { scopes: scopes.collect(), counts: vec![] };
        let mut open: Vec<(Element, usize)> =
            program.root().map(|root| (Element::Region(root.region), 0)).into_iter().collect();
        while let Some((element, depth)) = open.pop() {
            if tree.counts.len() <= depth {
                tree.counts.resize(depth + 1, 0);
            }
            tree.counts[depth] += 1;
            open.extend(tree.children(program, element).into_iter().map(|one| (one, depth + 1)));
        }
        tree
    }

    /// How deep containers nest.
    pub(crate) fn depth(&self) -> u32 {
        (self.counts.len() as u32).saturating_sub(1).min(DEEPEST)
    }

    /// How deep to open at first: as deep as leaves few boxes, and deeper where these show nothing
    /// yet.
    fn first_depth(&self) -> u32 {
        let mut boxes = 0;
        let mut depth = 0;
        for (level, count) in self.counts.iter().enumerate() {
            let shown = boxes + count;
            let is_overlooked = shown <= MOST_AT_FIRST;
            let shows_nothing_yet = boxes < FEW && shown <= MOST_FOR_A_PICTURE;
            if level > 1 && !is_overlooked && !shows_nothing_yet {
                break;
            }
            (boxes, depth) = (shown, level as u32);
        }
        depth.clamp(1, self.depth().max(1))
    }

    /// The boxes in a box.
    pub(crate) fn children(&self, program: &Program, element: Element) -> Vec<Element> {
        if let Some(region) = program.region_in(element) {
            let blocks = 0..program.region(region).blocks.len() as u32;
            return blocks.map(|block| Element::Block(region, BlockIndex(block))).collect();
        }
        let nodes = |state: StateIndex, nodes: &[NodeIndex]| {
            nodes.iter().map(|&node| Element::Node(state, node)).collect()
        };
        match element {
            Element::Block(region, block) => match &program.region(region).block(block).kind {
                BlockKind::State(state) => nodes(*state, &self.scopes[state.place()].top),
                BlockKind::Conditional { branches, .. } => {
                    branches.iter().map(|&(_, branch)| Element::Region(branch)).collect()
                }
                _ => vec![],
            },
            Element::Node(state, node) => nodes(state, self.within(state, node)),
            _ => vec![],
        }
    }

    /// The nodes in the scope that a node begins.
    fn within(&self, state: StateIndex, entry: NodeIndex) -> &[NodeIndex] {
        let within = &self.scopes[state.place()].within;
        match within.binary_search_by_key(&entry, |&(entry, _)| entry) {
            Ok(found) => &within[found].1,
            Err(_) => &[],
        }
    }

    /// Whether there is something in a box.
    pub(crate) fn is_container(&self, program: &Program, element: Element) -> bool {
        let has_blocks = |region: RegionIndex| !program.region(region).blocks.is_empty();
        match (program.region_in(element), element) {
            (Some(region), _) => has_blocks(region),
            (None, Element::Node(state, node)) => !self.within(state, node).is_empty(),
            (None, Element::Block(..)) => !self.children(program, element).is_empty(),
            (None, _) => false,
        }
    }
}

/// Which containers are open in a view.
pub(crate) struct Folds<'v> {
    /// Containers less deep than this are, unless they are named.
    pub(crate) depth: u32,
    opened: HashSet<u32>,
    closed: HashSet<u32>,
    outline: &'v Outline,
}

impl<'v> Folds<'v> {
    pub(crate) fn new(view: &GraphView, tree: &Tree, outline: &'v Outline) -> Folds<'v> {
        let depth = view.depth.unwrap_or_else(|| tree.first_depth()).min(DEEPEST);
        let opened = view.opened.iter().copied().collect();
        Folds { depth, opened, closed: view.closed.iter().copied().collect(), outline }
    }

    /// Whether a container of a depth is open; the outermost always is.
    pub(crate) fn is_open(&self, element: Element, depth: u32) -> bool {
        let number = self.outline.number(element);
        match depth {
            0 => true,
            DEEPEST.. => false,
            _ if self.closed.contains(&number) => false,
            _ => depth <= self.depth.saturating_sub(1) || self.opened.contains(&number),
        }
    }
}
