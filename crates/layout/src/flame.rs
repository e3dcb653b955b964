//! Flame graphs.

use analysis::{NO_VALUE, NodeId, Tree};

/// The wanted part of a flame graph. Horizontal positions are shares of the root node's width.
#[derive(Debug, Clone, PartialEq)]
pub struct FlameView {
    /// Node that fills the width.
    pub root: NodeId,
    /// Left edge.
    pub from: f64,
    /// Right edge.
    pub to: f64,
    /// Width of the wanted part in view units.
    pub width: f64,
    /// First wanted row; the root node is row 0.
    pub first_row: u32,
    /// Number of wanted rows.
    pub rows: u32,
    /// Most boxes to give.
    pub most_boxes: usize,
}

/// One box.
#[derive(Debug, Clone, PartialEq)]
pub struct FlameBox {
    /// The node; of a merged box its first.
    pub node: NodeId,
    /// Row.
    pub row: u32,
    /// Left edge as a share of the root node's width.
    pub x: f64,
    /// Width as a share of the root node's width.
    pub width: f64,
    /// 0 for a node's own box; n for n siblings narrower than a view unit, drawn as one.
    pub merged: u32,
    /// Self value in the tree's metric; of a merged box the sum is not known and 0.
    pub self_value: i64,
    /// Total value in the tree's metric; [`NO_VALUE`] where there is none, as for merged boxes in
    /// a derived metric or the flat shape.
    pub total_value: i64,
}

/// The boxes of a part of a flame graph.
#[derive(Debug, Clone, PartialEq)]
pub struct FlameLayout {
    /// By row, then from left to right.
    pub boxes: Vec<FlameBox>,
    /// Nodes that stand in merged boxes.
    pub merged: u64,
    /// Rows down to the deepest box of the wanted horizontal part.
    pub total_rows: u32,
    /// Narrowest box that was given on its own, in view units.
    pub narrowest: f64,
}

/// Lays out the wanted part. Siblings narrower than a view unit become one box with those next to
/// them, so the number of boxes follows from the size of the view, not of the profile; where that
/// is still more than `most_boxes`, the narrowest box grows until it is not.
pub fn flame(tree: &mut Tree, view: &FlameView) -> FlameLayout {
    tree.widen();
    let mut narrowest = 1.0;
    loop {
        match flame_at(tree, view, narrowest) {
            Some(layout) => return layout,
            None => narrowest *= 1.5,
        }
    }
}

fn flame_at(tree: &mut Tree, view: &FlameView, narrowest: f64) -> Option<FlameLayout> {
    let span = (view.to - view.from).max(f64::MIN_POSITIVE);
    let unit = span / view.width.max(1.0) * narrowest;
    let rows = view.first_row..view.first_row.saturating_add(view.rows);
    let mut layout = FlameLayout { boxes: vec![], merged: 0, total_rows: 0, narrowest };
    let mut current = vec![(view.root, 0.0, 1.0)];
    let mut row = 0;
    while !current.is_empty() {
        layout.total_rows = row + 1;
        let wanted = rows.contains(&row);
        let mut next = vec![];
        for &(node, x, width) in &current {
            if wanted {
                let total_value = tree.node(node).total;
                let self_value = tree.self_value(node);
                layout.boxes.push(FlameBox {
                    node,
                    row,
                    x,
                    width,
                    merged: 0,
                    self_value,
                    total_value,
                });
            }
            place_children(tree, view, unit, (node, x, width), &mut next, |merged| {
                if rows.contains(&(row + 1)) {
                    layout.merged += u64::from(merged.merged);
                    layout.boxes.push(FlameBox { row: row + 1, ..merged });
                }
            });
            if layout.boxes.len() > view.most_boxes.max(1) && narrowest < view.width {
                return None;
            }
        }
        current = next;
        row += 1;
    }
    if layout.boxes.iter().any(|b| b.merged > 0 && b.row >= layout.total_rows) {
        layout.total_rows += 1;
    }
    // Merged boxes came with the row above theirs.
    layout.boxes.sort_by(|a, b| a.row.cmp(&b.row).then(a.x.total_cmp(&b.x)));
    Some(layout)
}

/// Places the children of a node that reach into the view: those of a unit or more into `next`,
/// runs of narrower ones as merged boxes.
fn place_children(
    tree: &mut Tree,
    view: &FlameView,
    unit: f64,
    (node, x, width): (NodeId, f64, f64),
    next: &mut Vec<(NodeId, f64, f64)>,
    mut merge: impl FnMut(FlameBox),
) {
    let children = tree.children(node);
    let adds_up = tree.totals_add_up(node);
    let sum: f64 = children.clone().map(|child| tree.node(NodeId(child)).weight as f64).sum();
    // Signed values may add up to less than their parts.
    let whole = (tree.node(node).weight as f64).max(sum);
    if whole <= 0.0 {
        return;
    }
    let mut run: Option<FlameBox> = None;
    let mut at = x;
    for child in children.map(NodeId) {
        let entry = tree.node(child);
        let child_width = entry.weight as f64 / whole * width;
        let left = at;
        at += child_width;
        let inside = left < view.to && left + child_width > view.from;
        if child_width >= unit {
            if let Some(run) = run.take() {
                merge(run);
            }
            if inside {
                next.push((child, left, child_width));
            }
        } else if inside || (left >= view.from && left < view.to) {
            let total = if adds_up { entry.total } else { NO_VALUE };
            match &mut run {
                Some(run) => {
                    run.merged += 1;
                    run.width = at - run.x;
                    if total != NO_VALUE {
                        run.total_value = run.total_value.saturating_add(total);
                    }
                }
                None => {
                    run = Some(FlameBox {
                        node: child,
                        row: 0,
                        x: left,
                        width: child_width,
                        merged: 1,
                        self_value: 0,
                        total_value: total,
                    });
                }
            }
        }
    }
    if let Some(run) = run {
        merge(run);
    }
}
