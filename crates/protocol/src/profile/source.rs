//! What was measured on the lines of a source file.

use serde::{Deserialize, Serialize};

use crate::ViewSpec;
use crate::columns::columns;

/// Parameters of [`crate::ProfileRequest::SourceLines`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SourceLinesParams {
    /// Its metric, filters and role count; shape, granularity and recursion do not matter to lines.
    pub view: ViewSpec,
    /// The file as the profile names it.
    pub file: String,
}

/// Result of [`crate::ProfileRequest::SourceLines`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SourceLinesResult {
    /// Whether totals are estimates.
    pub estimated: bool,
}

columns! {
    /// Columns of [`crate::ProfileRequest::SourceLines`]: a row a line that was measured, from the
    /// top.
    SourceLinesColumns {
        /// From 1.
        line: u32,
        /// Value of the samples whose innermost frame is on the line.
        self_value: i64,
        /// Value of the samples with the line on their stack, each counted once.
        total_value: i64,
        /// Totals of the program, an entry a metric.
        scale: i64,
    }
}
