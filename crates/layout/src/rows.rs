//! Rows of tree tables.

use std::collections::HashSet;

use analysis::{NodeId, Tree};
use profile::MetricId;

/// The wanted part of a table.
#[derive(Debug, Clone)]
pub struct RowsView<'a> {
    /// Node whose children are the first level.
    pub root: NodeId,
    /// Unfolded nodes.
    pub expanded: &'a HashSet<u32>,
    /// Order among siblings.
    pub sort: RowSort,
    /// First wanted row.
    pub first: usize,
    /// Number of wanted rows.
    pub count: usize,
}

/// Order among siblings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowSort {
    /// By name, A first.
    Name {
        /// Z first.
        reverse: bool,
    },
    /// By self value, largest first.
    SelfValue {
        /// The metric.
        metric: MetricId,
        /// Smallest first.
        reverse: bool,
    },
    /// By total value, largest first.
    TotalValue {
        /// The metric.
        metric: MetricId,
        /// Smallest first.
        reverse: bool,
    },
}

/// One row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The node.
    pub node: NodeId,
    /// 0 for children of the root.
    pub depth: u32,
    /// Whether it is unfolded.
    pub expanded: bool,
}

/// The wanted rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowsLayout {
    /// The rows.
    pub rows: Vec<Row>,
    /// Visible rows in all.
    pub total: usize,
}

/// Lays out the wanted rows; `shows` decides whether a node shows at all.
pub fn rows(tree: &mut Tree, view: &RowsView, shows: impl Fn(&Tree, NodeId) -> bool) -> RowsLayout {
    let mut layout = RowsLayout { rows: vec![], total: 0 };
    let wanted = view.first..view.first.saturating_add(view.count);
    let mut open = vec![];
    push_children(tree, view, view.root, 0, &shows, &mut open);
    while let Some((node, depth)) = open.pop() {
        let expanded = view.expanded.contains(&node.0);
        if wanted.contains(&layout.total) {
            layout.rows.push(Row { node, depth, expanded });
        }
        layout.total += 1;
        if expanded {
            push_children(tree, view, node, depth + 1, &shows, &mut open);
        }
    }
    layout
}

/// Pushes the children so that the first is popped first.
fn push_children(
    tree: &mut Tree,
    view: &RowsView,
    node: NodeId,
    depth: u32,
    shows: &impl Fn(&Tree, NodeId) -> bool,
    open: &mut Vec<(NodeId, u32)>,
) {
    let children = tree.children(node);
    let mut shown: Vec<NodeId> = children.map(NodeId).filter(|&child| shows(tree, child)).collect();
    match view.sort {
        RowSort::Name { reverse } => {
            shown.sort_by_cached_key(|&child| tree.name(child).into_owned());
            if reverse {
                shown.reverse();
            }
        }
        RowSort::SelfValue { metric, reverse } => {
            sort_by_value(&mut shown, reverse, |child| tree.values(child, metric).0);
        }
        RowSort::TotalValue { metric, reverse } => {
            sort_by_value(&mut shown, reverse, |child| tree.values(child, metric).1);
        }
    }
    open.extend(shown.into_iter().rev().map(|child| (child, depth)));
}

/// Largest first; equal values keep the tree's order.
fn sort_by_value(nodes: &mut [NodeId], reverse: bool, mut value: impl FnMut(NodeId) -> i64) {
    nodes.sort_by_cached_key(|&node| (std::cmp::Reverse(value(node)), node));
    if reverse {
        nodes.reverse();
    }
}
