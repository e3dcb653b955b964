//! Values of nodes, in the metric of the tree and in others.

use profile::MetricId;

use super::nodes::Places;
use super::{NodeId, Tree};
use crate::derived::Pair;
use crate::formula::Which;
use crate::{Derived, MemberSums, NO_VALUE};

impl Tree {
    /// Self value in the tree's metric; unfolds the node.
    pub fn self_value(&mut self, node: NodeId) -> i64 {
        self.unfold(node).self_value
    }

    /// Whether the tree's metric is a derived one, whose values do not add up.
    pub fn is_derived(&self) -> bool {
        self.metric.derived.is_some()
    }

    /// Self and total in any metric; unfolds the node.
    pub fn values(&mut self, node: NodeId, metric: MetricId) -> (i64, i64) {
        if metric == self.metric.id {
            return (self.self_value(node), self.nodes[node.index()].total);
        }
        match self.filtered.derived(metric) {
            Some(derived) => self.derived_values(node, &derived),
            None => self.measured_values(node, metric),
        }
    }

    /// Self and total values by member; unfolds the node.
    pub fn member_sums(&mut self, node: NodeId, metrics: &[MetricId]) -> MemberSums {
        let children = self.children(node);
        match self.nodes[node.index()].places {
            Places::TopDown { .. } => self.top_down_member_sums(node, children, metrics),
            Places::BottomUp(_) => self.bottom_up_member_sums(node, children, metrics),
            Places::Folded(path) => self.folded_member_sums(path, metrics),
            Places::Flat { level, row } => self.flat_member_sums(level, row, metrics),
        }
    }

    /// The measured metrics that the tree's own metric is of.
    pub(super) fn summed_metrics(&self) -> Vec<MetricId> {
        match self.metric.derived.as_deref().map(Derived::metrics) {
            Some(metrics) if !metrics.is_empty() => metrics.to_vec(),
            _ => vec![self.metric.base],
        }
    }

    pub(super) fn derived_values(&mut self, node: NodeId, derived: &Derived) -> (i64, i64) {
        let pair = |(own, total): (i64, i64)| Pair { own, total };
        let summed: Vec<Option<MetricId>> = derived.summed_inputs().collect();
        let mut measured = |metric: Option<MetricId>| match metric {
            Some(metric) => pair(self.measured_values(node, metric)),
            None => Pair::default(),
        };
        let values: Vec<Pair> = summed.into_iter().map(&mut measured).collect();
        let mut parts = vec![];
        if derived.needs_parts() {
            parts = self.member_sums(node, derived.metrics()).pairs();
        }
        let total = match self.node(node).frame {
            None => self.filtered.derived_total(derived),
            Some(_) => derived.value(Which::Total, &values, &parts, self.filtered.order()),
        };
        (derived.value(Which::SelfValue, &values, &parts, self.filtered.order()), total)
    }

    fn measured_values(&mut self, node: NodeId, metric: MetricId) -> (i64, i64) {
        match self.nodes[node.index()].places.clone() {
            Places::TopDown { .. } => {
                let children = self.children(node);
                let total = self.top_down_total(node, metric);
                let below = children.map(|child| self.top_down_total(NodeId(child), metric));
                let below = below.fold(0i64, i64::saturating_add);
                (total.saturating_sub(below), total)
            }
            Places::BottomUp(_) => self.bottom_up_values(node, metric),
            Places::Folded(path) => self.folded_values(path, metric),
            Places::Flat { level, row } => self.flat_values_of(level, row, metric),
        }
    }
}

/// The width of a value.
pub(super) fn magnitude(value: i64) -> i64 {
    if value == NO_VALUE { 0 } else { value.saturating_abs() }
}
