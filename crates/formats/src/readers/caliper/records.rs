//! The rows of the split JSON as points.

use hashbrown::HashMap;
use profile::{ContextId, Label, LabelValue, MetricId, Point, ProfileBuilder, StringId, ThreadId};

use super::attributes::{Metrics, is_rank, is_thread};
use super::table::{Cell, Table};
use crate::numbers::scale::Scale;
use crate::{ReadError, ReadOptions, Warnings};

/// What rows are put together with.
pub(super) struct Records<'a> {
    table: &'a Table,
    /// Columns that measure something.
    measured: &'a [usize],
    /// By column, the metric that it is of.
    metric_of: HashMap<usize, usize>,
    /// The column whose nodes are the contexts.
    path: Option<usize>,
    /// By node.
    contexts: Vec<ContextId>,
    /// By metric.
    scales: Vec<Scale>,
}

impl<'a> Records<'a> {
    pub(super) fn new(
        table: &'a Table,
        measured: &'a [usize],
        metrics: &Metrics,
        contexts: Vec<ContextId>,
    ) -> Records<'a> {
        let columns = measured.iter().zip(&metrics.rows);
        Records {
            table,
            measured,
            metric_of: columns.filter_map(|(&column, &row)| Some((column, row?))).collect(),
            path: table.path_column(),
            contexts,
            scales: vec![Scale::up_to(9); metrics.metrics.len()],
        }
    }

    /// Adds all rows.
    pub(super) fn add_to(
        mut self,
        builder: &mut ProfileBuilder,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let mut values = vec![0; self.scales.len()];
        for row in self.table.rows() {
            self.add(row, &mut values, builder, warnings);
            options.check_memory(builder.heap_bytes())?;
        }
        for (metric, scale) in builder.metrics.iter_mut().zip(self.scales) {
            metric.decimals = scale.decimals;
        }
        Ok(())
    }

    fn add(
        &mut self,
        row: &[Cell],
        values: &mut [i64],
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) {
        values.fill(0);
        let mut labels = vec![];
        let (mut process, mut thread) = (None, None);
        for (column, &cell) in row.iter().enumerate() {
            let Some(about) = self.table.columns.get(column) else { continue };
            let is_measured = self.measured.contains(&column);
            if let Some(&metric) = self.metric_of.get(&column)
                && let Some(number) = cell.number()
            {
                match self.scales[metric].fit(number, warnings) {
                    Some(scaled) => {
                        if let Some(factor) = scaled.grown {
                            builder.points.scale(MetricId(metric as u32), factor);
                        }
                        values[metric] = scaled.value;
                    }
                    None => warnings
                        .add("range", || "values that leave 64 bits are left out".to_owned()),
                }
            } else if is_rank(&about.name) {
                process = whole(row, column).map(|rank| builder.process(&rank.to_string()));
            } else if is_thread(&about.name) {
                thread = whole(row, column);
            } else if Some(column) != self.path && !is_measured || cell.is_text() {
                let key = builder.strings.intern(&about.name);
                let value = self.label(row, column, builder);
                labels.extend(value.map(|value| Label { key, value }));
            }
        }
        let thread: Option<ThreadId> = (process.is_some() || thread.is_some()).then(|| {
            let id = thread.map_or(String::new(), |thread| thread.to_string());
            builder.thread(process, &id)
        });
        if values.iter().all(|&value| value == 0) {
            return;
        }
        let context = self.path.and_then(|path| self.contexts.get(node(row, path)?).copied());
        let labels = builder.labels.add(&labels);
        let context = context.unwrap_or(ContextId::ROOT);
        let point = Point { context, labels, thread, ..Point::default() };
        builder.points.push_point(point, values);
    }

    /// The value of a column that measures nothing.
    fn label(
        &self,
        row: &[Cell],
        column: usize,
        builder: &mut ProfileBuilder,
    ) -> Option<LabelValue> {
        match *row.get(column)? {
            Cell::Text(text) => Some(LabelValue::Text(text)),
            Cell::Number(_) if !self.table.columns[column].is_value => {
                let node = self.table.nodes.get(node(row, column)?)?;
                Some(LabelValue::Text(builder.strings.intern(&node.label)))
            }
            Cell::Number(number) => Some(LabelValue::Number(number.to_whole()?, StringId::EMPTY)),
            Cell::None => None,
        }
    }
}

/// The whole number that stands in a row.
fn whole(row: &[Cell], column: usize) -> Option<i64> {
    row.get(column)?.number()?.to_whole()
}

/// The node that stands in a row.
fn node(row: &[Cell], column: usize) -> Option<usize> {
    usize::try_from(whole(row, column)?).ok()
}
