//! Totals of functions that the producer stored.

use crate::{FunctionId, MemberId, MetricId};

/// Totals (inclusive values) of functions as the producer stored them, for formats that know who
/// called whom but not along which paths: callgrind, gprof, cProfile, DOT. What a tree of
/// [estimated paths](crate::Origin::estimated_paths) adds up to may differ, as in recursion;
/// these are what the tool itself shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FunctionTotals {
    /// The metrics that have them.
    pub metrics: Vec<MetricId>,
    /// The function of each row.
    pub function: Vec<FunctionId>,
    /// The member of each row. A function has at most one row a member.
    pub member: Vec<MemberId>,
    /// The values: one a metric of `metrics`, row by row.
    pub values: Vec<i64>,
}

impl FunctionTotals {
    /// No rows yet, for these metrics.
    pub fn new(metrics: Vec<MetricId>) -> FunctionTotals {
        FunctionTotals { metrics, ..FunctionTotals::default() }
    }

    /// Appends a row.
    ///
    /// # Panics
    /// If there is not one value for each of `metrics`.
    pub fn push(&mut self, function: FunctionId, member: MemberId, values: &[i64]) {
        assert_eq!(values.len(), self.metrics.len(), "one value a metric");
        self.function.push(function);
        self.member.push(member);
        self.values.extend_from_slice(values);
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.function.truncate(len);
        self.member.truncate(len);
        self.values.truncate(len * self.metrics.len());
        if len == 0 {
            self.metrics.clear();
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.function.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.function.is_empty()
    }

    /// Function, member and value of every row, for a metric that has totals; nothing for others.
    pub fn of_metric(
        &self,
        metric: MetricId,
    ) -> impl Iterator<Item = (FunctionId, MemberId, i64)> + '_ {
        let column = self.metrics.iter().position(|&own| own == metric);
        let width = self.metrics.len();
        column.into_iter().flat_map(move |column| {
            let rows = self.function.iter().zip(&self.member).enumerate();
            rows.map(move |(row, (&function, &member))| {
                (function, member, self.values[row * width + column])
            })
        })
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        self.function.len() * size_of::<(FunctionId, MemberId)>()
            + self.values.len() * size_of::<i64>()
    }
}
