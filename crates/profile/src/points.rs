//! Monitoring points: the measured records.

use crate::{ContextId, LabelSetId, PointId};

/// The records in the order of the file, as columns. Values stand row by row: all metrics of a
/// point follow each other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Points {
    /// The context of each.
    pub context: Vec<ContextId>,
    /// The labels of each; empty where no point has any.
    labels: Vec<LabelSetId>,
    values: Vec<i64>,
    metrics: usize,
}

impl Points {
    /// An empty table for points with this many metrics.
    pub fn new(metrics: usize) -> Self {
        Points { metrics, ..Points::default() }
    }

    /// Appends a point.
    ///
    /// # Panics
    /// If `values` has not one entry a metric.
    pub fn push(&mut self, context: ContextId, labels: LabelSetId, values: &[i64]) -> PointId {
        assert_eq!(values.len(), self.metrics, "one value a metric");
        if labels.0 != 0 && self.labels.is_empty() {
            self.labels.resize(self.context.len(), LabelSetId(0));
        }
        if labels.0 != 0 || !self.labels.is_empty() {
            self.labels.push(labels);
        }
        self.context.push(context);
        self.values.extend_from_slice(values);
        PointId(self.context.len() as u32 - 1)
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.context.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.context.is_empty()
    }

    /// How many values a point has.
    pub fn metrics(&self) -> usize {
        self.metrics
    }

    /// The labels of a point.
    pub fn labels(&self, point: usize) -> LabelSetId {
        self.labels.get(point).copied().unwrap_or_default()
    }

    /// The values of a point, one a metric.
    pub fn row(&self, point: usize) -> &[i64] {
        &self.values[point * self.metrics..][..self.metrics]
    }

    /// The values of a metric, one a point.
    pub fn values(&self, metric: usize) -> impl ExactSizeIterator<Item = i64> + '_ {
        let skip = if self.context.is_empty() { 0 } else { metric };
        self.values[skip.min(self.values.len())..].iter().step_by(self.metrics.max(1)).copied()
    }

    /// Multiplies a metric's values; false if one leaves the range of 64 bits.
    pub fn scale(&mut self, metric: usize, factor: i64) -> bool {
        let stride = self.metrics;
        let mut exact = true;
        for value in self.values.iter_mut().skip(metric).step_by(stride.max(1)) {
            exact &= value.checked_mul(factor).is_some();
            *value = value.saturating_mul(factor);
        }
        exact
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        (self.context.len() + self.labels.len()) * 4 + self.values.len() * 8
    }

    pub(crate) fn renumber(&mut self, renumbered: &[ContextId]) {
        for context in &mut self.context {
            *context = renumbered[context.index()];
        }
    }

    pub(crate) fn value_count(&self) -> usize {
        self.values.len()
    }
}
