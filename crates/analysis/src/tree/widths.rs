//! Widths of nodes whose parts cancel each other.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use work::steps;

use super::nodes::Places;
use super::values::magnitude;
use super::{NodeId, Tree};
use crate::Derived;
use crate::formula::Formula;

/// Most nodes that are unfolded for the widths of those above them.
const MOST_UNFOLDED: usize = 100_000;

impl Tree {
    /// Makes every node as wide as its parts are together, for a picture: where a function grew as
    /// much as another one fell, what calls both did not change, and would hide them. Only values
    /// that tell a change cancel each other so; those that were measured know the sum of their
    /// magnitudes, and ratios do not add up. Looks at what is largest first, and in a very large
    /// tree not at everything.
    pub fn widen(&mut self) {
        if self.is_widened {
            return;
        }
        let formula = self.metric.derived.as_deref().and_then(Derived::formula);
        if formula.is_some_and(Formula::may_cancel) {
            self.unfold_largest();
            self.widen_unfolded();
        }
        self.is_widened = true;
    }

    fn unfold_largest(&mut self) {
        let mut open = BinaryHeap::from([(self.extent(NodeId::ROOT), Reverse(NodeId::ROOT))]);
        for _ in steps("adding up changes", 0..MOST_UNFOLDED) {
            let Some((_, Reverse(node))) = open.pop() else { return };
            let children = self.children(node).map(NodeId);
            let sized = children.map(|child| (self.extent(child), Reverse(child)));
            open.extend(sized.filter(|&(extent, _)| extent > 0).collect::<Vec<_>>());
        }
    }

    /// What was measured of a node, in the metrics that the tree's own is of.
    fn extent(&self, node: NodeId) -> i64 {
        let metrics = self.summed_metrics().into_iter();
        let total = |metric| match self.node(node).places {
            Places::TopDown { .. } => self.top_down_total(node, metric),
            Places::BottomUp(_) => self.bottom_up_values(node, metric).1,
            Places::Folded(path) => self.folded_values(path, metric).1,
            Places::Flat { level, row } => self.flat_values_of(level, row, metric).1,
        };
        metrics.fold(0, |sum: i64, metric| sum.saturating_add(magnitude(total(metric))))
    }

    fn widen_unfolded(&mut self) {
        // Children stand behind their parents.
        for index in (0..self.nodes.len()).rev() {
            let Some(unfolded) = &self.nodes[index].unfolded else { continue };
            // In other shapes what is below a node is all of it.
            let places = &self.nodes[index].places;
            let has_own = matches!(places, Places::TopDown { .. } | Places::Folded(_));
            let own = if has_own { magnitude(unfolded.self_value) } else { 0 };
            let below = &self.nodes[unfolded.children.start as usize..][..unfolded.children.len()];
            let parts = below.iter().fold(own, |sum, child| sum.saturating_add(child.weight));
            self.nodes[index].weight = self.nodes[index].weight.max(parts);
        }
    }
}
