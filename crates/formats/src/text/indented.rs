//! Trees of calls drawn by indentation, as reports have them.

use profile::{ContextId, Point, ProfileBuilder, ThreadId};

use crate::Warnings;

/// The rows that the next one can be inside, outermost first.
pub(crate) struct IndentedTree {
    open: Vec<Node>,
    /// By metric: whether values are totals, from which those of callees are taken away.
    totals: Vec<bool>,
}

/// A row of the tree.
struct Node {
    indent: usize,
    place: Inside,
    values: Vec<i64>,
}

/// What a row is inside of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Inside {
    pub(crate) context: ContextId,
    pub(crate) thread: Option<ThreadId>,
}

impl IndentedTree {
    /// An empty tree of metrics, each with its own values or with totals.
    pub(crate) fn new(totals: Vec<bool>) -> Self {
        IndentedTree { open: vec![], totals }
    }

    /// Closes the rows that a row of this indentation is not inside, and tells what it is inside.
    pub(crate) fn leave(
        &mut self,
        indent: usize,
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) -> Inside {
        while self.open.last().is_some_and(|node| node.indent >= indent) {
            self.close(builder, warnings);
        }
        match self.open.last() {
            Some(node) => node.place,
            None => Inside { context: ContextId::ROOT, thread: None },
        }
    }

    /// Opens a row after [`leave`](IndentedTree::leave), with one value a metric.
    pub(crate) fn enter(&mut self, indent: usize, place: Inside, values: &[i64]) {
        if let Some(outer) = self.open.last_mut() {
            let totals = self.totals.iter().zip(values).zip(&mut outer.values);
            for ((_, value), left) in totals.filter(|((is_total, _), _)| **is_total) {
                *left = left.saturating_sub(*value);
            }
        }
        self.open.push(Node { indent, place, values: values.to_vec() });
    }

    /// Closes all rows.
    pub(crate) fn finish(&mut self, builder: &mut ProfileBuilder, warnings: &mut Warnings) {
        self.leave(0, builder, warnings);
    }

    fn close(&mut self, builder: &mut ProfileBuilder, warnings: &mut Warnings) {
        let Some(mut node) = self.open.pop() else { return };
        for (value, _) in
            node.values.iter_mut().zip(&self.totals).filter(|(_, is_total)| **is_total)
        {
            if *value < 0 {
                *value = 0;
                warnings.add("rounding", || {
                    "rows whose callees have more in all than they have: totals are rounded".into()
                });
            }
        }
        if node.values.iter().any(|&value| value != 0) {
            let Inside { context, thread } = node.place;
            builder.points.push_point(Point { context, thread, ..Point::default() }, &node.values);
        }
    }
}
