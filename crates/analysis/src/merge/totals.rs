//! Stored totals of functions, of all inputs.

use std::collections::BTreeMap;

use profile::{FunctionId, FunctionTotals, MemberId, MetricId};

use super::metrics::Column;

/// The totals of an input with the functions and members of the merge.
pub(super) fn of_input(
    input: &FunctionTotals,
    functions: &[FunctionId],
    first_member: u32,
) -> FunctionTotals {
    FunctionTotals {
        function: input.function.iter().map(|function| functions[function.index()]).collect(),
        member: input.member.iter().map(|member| MemberId(first_member + member.0)).collect(),
        ..input.clone()
    }
}

/// The totals of all inputs, by function and member, each with its values by metric of the merge.
#[derive(Debug, Default)]
pub(super) struct Totals {
    rows: BTreeMap<(FunctionId, MemberId), Row>,
}

#[derive(Debug, Default)]
struct Row {
    values: BTreeMap<MetricId, i64>,
    /// Rows of one input that became this one: more than one do not add up.
    inputs: usize,
}

impl Totals {
    /// Adds the totals of an input, whose metrics go to `columns`.
    pub(super) fn add(&mut self, totals: &FunctionTotals, columns: &[Column]) {
        for (row, (&function, &member)) in totals.function.iter().zip(&totals.member).enumerate() {
            let known = self.rows.entry((function, member)).or_default();
            known.inputs += 1;
            let values = &totals.values[row * totals.metrics.len()..][..totals.metrics.len()];
            for (&metric, &value) in totals.metrics.iter().zip(values) {
                let Column { metric, factor } = columns[metric.index()];
                if let Some(scaled) = value.checked_mul(factor) {
                    known.values.insert(metric, scaled);
                }
            }
        }
    }

    /// The table, in the metrics that every row has, and how many functions are left out because
    /// an input has several of them.
    pub(super) fn finish(self) -> (FunctionTotals, usize) {
        let all = self.rows.len();
        let rows: Vec<_> = self.rows.into_iter().filter(|(_, row)| row.inputs == 1).collect();
        let left_out = all - rows.len();
        let first = rows.first().map(|(_, row)| row.values.keys().copied().collect::<Vec<_>>());
        let mut metrics = first.unwrap_or_default();
        metrics.retain(|metric| rows.iter().all(|(_, row)| row.values.contains_key(metric)));
        let mut totals = FunctionTotals::new(metrics.clone());
        for ((function, member), row) in rows {
            let values: Vec<i64> = metrics.iter().map(|metric| row.values[metric]).collect();
            totals.push(function, member, &values);
        }
        (totals, left_out)
    }
}
