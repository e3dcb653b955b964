//! Functions as bars.

use serde::{Deserialize, Serialize};

use crate::FunctionInfo;
use crate::columns::columns;

/// Result of [`crate::ProfileRequest::Bars`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BarsResult {
    /// Functions in all.
    pub total_rows: u32,
    /// Whether totals are estimates, for the file tells no call paths.
    pub estimated: bool,
    /// One entry a function.
    pub rows: Vec<FunctionInfo>,
    /// Where bars are means: over how many members, or over how many runs of the shown side of a
    /// comparison.
    pub members: Option<u32>,
    /// Ticks of the axis, evenly apart, from its begin to its end.
    pub ticks: Vec<f64>,
}

columns! {
    /// Columns of [`crate::ProfileRequest::Bars`], one entry a function; and `scale`, whose entries are
    /// the total of the program and self of all functions that are not told. Lengths and spreads are
    /// in the integers of the metric.
    BarsColumns {
        /// Self value.
        self_value: i64,
        /// Total value.
        total_value: i64,
        /// Length of the bar of self: the value, or the mean of members. No number where there is none.
        self_length: f64,
        /// The same of total.
        total_length: f64,
        /// Self of the member with the least of it; empty where bars are not means, as are the next.
        self_least: f64,
        /// Self of the member with the most of it.
        self_most: f64,
        /// Total of the member with the least of it.
        total_least: f64,
        /// Total of the member with the most of it.
        total_most: f64,
        /// Total of the program, self of what is not told.
        scale: i64,
    }
}
