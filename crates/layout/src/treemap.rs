//! Trees as boxes in boxes: areas are values, and every level is set in from the one around it.
//!
//! ```text
//! +- main ---------------------------+
//! | +- parse ----------+ +- write -+ |   a box has its name at its head and its parts below; what is
//! | | +- read -+       | |         | |   left plain there is its own
//! | | |        |  own  | +---------+ |
//! | | +--------+       | +- 12 -----+|   parts that are too small are one box together
//! | +------------------+ +- smaller-+|
//! +----------------------------------+
//! ```

use analysis::{NO_VALUE, NodeId, Shape, Tree};

use crate::flame::FlameBox;
use crate::squarify::{Rect, squarify};

/// Room for a name above the parts of a box, in view units.
const HEAD: f64 = 18.0;
/// Between a box and its parts on the other sides.
const INSET: f64 = 3.0;
/// The same around what is the only part of a box, and above it: their names stand together in the
/// head of the innermost.
const THIN: f64 = 2.0;
/// A box that is narrower is closed: its name and its parts have no room.
const LEAST_WIDTH: f64 = 44.0;
/// Height that parts have together at least, below the head.
const LEAST_ROOM: f64 = 14.0;
/// Area of the smallest box of its own, in square view units.
const LEAST_AREA: f64 = 48.0;

/// The wanted treemap.
#[derive(Debug, Clone, PartialEq)]
pub struct TreemapView {
    /// Node that fills the picture.
    pub root: NodeId,
    /// Width of the picture in view units.
    pub width: f64,
    /// Height of the picture in view units.
    pub height: f64,
    /// Share of the root that a box of its own has at least.
    pub least: f64,
    /// Most boxes to give.
    pub most_boxes: usize,
}

/// One box.
#[derive(Debug, Clone, PartialEq)]
pub struct TreemapBox {
    /// What it is of; its place and width are in view units.
    pub of: FlameBox,
    /// Upper edge in view units.
    pub y: f64,
    /// Height in view units.
    pub height: f64,
}

/// The boxes of a treemap.
#[derive(Debug, Clone, PartialEq)]
pub struct TreemapLayout {
    /// By level from the root, and there by parent and then from the largest.
    pub boxes: Vec<TreemapBox>,
    /// Nodes that stand in merged boxes.
    pub merged: u64,
    /// Levels that have boxes.
    pub levels: u32,
    /// Share of the root that a box of its own has at least: what was asked for, or more where there
    /// would be too many boxes.
    pub least: f64,
}

/// Lays out a treemap. Areas of siblings are in proportion to their weights, and what their parent
/// has itself stays free among them. Across parents areas compare less exactly, as every level
/// takes room for its rims.
pub fn treemap(tree: &mut Tree, view: &TreemapView) -> TreemapLayout {
    tree.widen();
    let mut least = view.least.max(0.0);
    loop {
        match treemap_at(tree, view, least) {
            Some(layout) => return layout,
            None => least = (least * 1.5).max(1e-4),
        }
    }
}

/// A box whose parts are to be placed.
#[derive(Debug, Clone, Copy)]
struct Open {
    node: NodeId,
    rect: Rect,
    row: u32,
}

fn treemap_at(tree: &mut Tree, view: &TreemapView, least: f64) -> Option<TreemapLayout> {
    let whole = tree.node(view.root).weight as f64;
    let mut layout = TreemapLayout { boxes: vec![], merged: 0, levels: 1, least };
    let rect = Rect { x: 0.0, y: 0.0, width: view.width, height: view.height };
    layout.boxes.push(box_of(tree, view.root, rect, 0));
    let mut open = vec![Open { node: view.root, rect, row: 0 }];
    let mut next = 0;
    while let Some(&parent) = open.get(next) {
        next += 1;
        open.extend(place_parts(tree, parent, whole * least, &mut layout));
        if layout.boxes.len() > view.most_boxes.max(1) && least < 1.0 {
            return None;
        }
    }
    Some(layout)
}

/// Places the parts of a box; gives those that may have parts themselves.
fn place_parts(tree: &mut Tree, parent: Open, least: f64, layout: &mut TreemapLayout) -> Vec<Open> {
    let weight_of = |tree: &Tree, node: NodeId| tree.node(node).weight as f64;
    let mut parts: Vec<NodeId> = tree.children(parent.node).map(NodeId).collect();
    parts.retain(|&part| tree.node(part).weight > 0);
    parts.sort_by(|&a, &b| weight_of(tree, b).total_cmp(&weight_of(tree, a)).then(a.cmp(&b)));
    let sum: f64 = parts.iter().map(|&part| weight_of(tree, part)).sum();
    // Signed values may add up to less than their parts.
    let whole = weight_of(tree, parent.node).max(sum);
    let is_only = parts.len() == 1 && sum >= whole;
    let Some(room) = room_in(parent, is_only) else { return vec![] };
    let least = least.max(LEAST_AREA / room.area() * whole);
    let shown = parts.partition_point(|&part| weight_of(tree, part) >= least);
    // One that is too small is drawn as what it is where nothing would be merged with it.
    let shown = if parts.len() == shown + 1 { parts.len() } else { shown };
    let (shown, small) = parts.split_at(shown);
    let rest: f64 = small.iter().map(|&part| weight_of(tree, part)).sum();
    let mut places = Places::default();
    places.weights.extend(shown.iter().map(|&part| (weight_of(tree, part), Some(part))));
    if let Some(&first) = small.first() {
        places.add(rest, Some(first));
    }
    // Adding up floating numbers leaves a little over that is nobody's.
    if whole - sum > whole * 1e-12 {
        places.add(whole - sum, None);
    }
    let rects = places.rects(room);
    let row = parent.row + 1;
    let mut open = vec![];
    for &part in shown {
        let Some(rect) = places.of(&rects, part) else { continue };
        layout.boxes.push(box_of(tree, part, rect, row));
        open.push(Open { node: part, rect, row });
    }
    if let Some(rect) = small.first().and_then(|&first| places.of(&rects, first)) {
        layout.merged += small.len() as u64;
        layout.boxes.push(merged(tree, small, rect, row));
    }
    if !shown.is_empty() || !small.is_empty() {
        layout.levels = layout.levels.max(row + 1);
    }
    open
}

/// Where the parts of a box may stand; nothing where it is closed.
fn room_in(parent: Open, is_only: bool) -> Option<Rect> {
    let Rect { x, y, width, height } = parent.rect;
    let (side, head) = if is_only { (THIN, THIN) } else { (INSET, HEAD) };
    let room =
        Rect { x: x + side, y: y + head, width: width - 2.0 * side, height: height - head - side };
    let is_open = width >= LEAST_WIDTH && height >= HEAD + LEAST_ROOM + INSET;
    is_open.then_some(room)
}

/// What is to be placed in a box, the heaviest first.
#[derive(Default)]
struct Places {
    /// None of what is the parent's own.
    weights: Vec<(f64, Option<NodeId>)>,
}

impl Places {
    fn add(&mut self, weight: f64, of: Option<NodeId>) {
        let at = self.weights.partition_point(|&(other, _)| other >= weight);
        self.weights.insert(at, (weight, of));
    }

    fn rects(&self, room: Rect) -> Vec<Rect> {
        let weights: Vec<f64> = self.weights.iter().map(|&(weight, _)| weight).collect();
        squarify(&weights, room)
    }

    fn of(&self, rects: &[Rect], node: NodeId) -> Option<Rect> {
        let at = self.weights.iter().position(|&(_, of)| of == Some(node))?;
        rects.get(at).copied()
    }
}

fn box_of(tree: &mut Tree, node: NodeId, rect: Rect, row: u32) -> TreemapBox {
    let total_value = tree.node(node).total;
    let self_value = tree.self_value(node);
    let Rect { x, y, width, height } = rect;
    let of = FlameBox { node, row, x, width, merged: 0, self_value, total_value };
    TreemapBox { of, y, height }
}

fn merged(tree: &mut Tree, nodes: &[NodeId], rect: Rect, row: u32) -> TreemapBox {
    let is_flat = tree.shape() == Shape::Flat;
    let adds_up = tree.totals_add_up(tree.node(nodes[0]).parent);
    let mut sums = [NO_VALUE; 2];
    if !tree.is_derived() {
        let own = |tree: &mut Tree, node| if is_flat { tree.self_value(node) } else { 0 };
        let own: Vec<i64> = nodes.iter().map(|&node| own(tree, node)).collect();
        let total = nodes.iter().map(|&node| tree.node(node).total);
        sums = [
            own.into_iter().fold(0, i64::saturating_add),
            if adds_up { total.fold(0, i64::saturating_add) } else { NO_VALUE },
        ];
    }
    let [self_value, total_value] = sums;
    let Rect { x, y, width, height } = rect;
    let count = nodes.len() as u32;
    let of = FlameBox { node: nodes[0], row, x, width, merged: count, self_value, total_value };
    TreemapBox { of, y, height }
}
