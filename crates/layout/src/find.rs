//! Where the frames that a search finds stand in a flame graph.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use analysis::{Marks, NodeId, Tree};
use work::long_steps;

/// A node and its place. Horizontal positions are shares of the root node's width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The node.
    pub node: NodeId,
    /// Row; the root node is row 0.
    pub row: u32,
    /// Left edge.
    pub x: f64,
    /// Width.
    pub width: f64,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The widest first, of equal ones the outermost, then from left to right.
    pub places: Vec<Place>,
    /// Whether there are further ones.
    pub more: bool,
}

/// Most nodes that are looked at.
const MOST_VISITED: usize = 1_000_000;

/// Finds the widest nodes at and below `root` that `matches`. `marks` are those of all frames that
/// may match, so that what leads to none is not unfolded.
pub fn find(
    tree: &mut Tree,
    root: NodeId,
    marks: &Marks,
    most: usize,
    matches: impl Fn(&Tree, NodeId) -> bool,
) -> Found {
    tree.widen();
    let mut found = Found { places: vec![], more: false };
    let mut open = BinaryHeap::from([Widest(Place { node: root, row: 0, x: 0.0, width: 1.0 })]);
    // No child is wider than its parent, so the widest that is open comes before all that follow.
    for _ in long_steps("finding frames", 0..MOST_VISITED) {
        let Some(Widest(place)) = open.pop() else { return found };
        if place.width > 0.0 && matches(tree, place.node) {
            if found.places.len() == most {
                found.more = true;
                return found;
            }
            found.places.push(place);
        }
        if tree.leads_to(place.node, marks) {
            open.extend(children(tree, place).into_iter().map(Widest));
        }
    }
    found.more = !open.is_empty();
    found
}

/// The places of a node's children.
fn children(tree: &mut Tree, Place { node, row, x, width }: Place) -> Vec<Place> {
    let children = tree.children(node).map(NodeId);
    let sum: f64 = children.clone().map(|child| tree.node(child).weight as f64).sum();
    let whole = (tree.node(node).weight as f64).max(sum);
    if whole <= 0.0 {
        return vec![];
    }
    let mut at = x;
    let place = |child| {
        let left = at;
        let width = tree.node(child).weight as f64 / whole * width;
        at += width;
        Place { node: child, row: row + 1, x: left, width }
    };
    children.map(place).collect()
}

/// A place in the order of what is found.
struct Widest(Place);

impl Ord for Widest {
    fn cmp(&self, other: &Widest) -> Ordering {
        let (a, b) = (&self.0, &other.0);
        a.width.total_cmp(&b.width).then(b.row.cmp(&a.row)).then(b.x.total_cmp(&a.x))
    }
}

impl PartialOrd for Widest {
    fn partial_cmp(&self, other: &Widest) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Widest {
    fn eq(&self, other: &Widest) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Widest {}
