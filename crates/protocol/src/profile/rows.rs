//! The rows of tables.

use serde::{Deserialize, Serialize};

use crate::columns::columns;
use crate::{ChangeTag, ViewSpec};

/// Parameters of [`crate::ProfileRequest::Rows`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RowsParams {
    /// The view.
    pub view: ViewSpec,
    /// Instance that the node numbers belong to; none if there are none but 0.
    pub instance: Option<u32>,
    /// Node whose children are the first level; 0 is the whole program.
    pub root: u32,
    /// Unfolded nodes.
    pub expanded: Vec<u32>,
    /// What rows are sorted by among siblings.
    pub sort: Sort,
    /// Keeps rows that match, and the rows that lead to them; empty for all.
    pub filter: String,
    /// First wanted row.
    pub first: u32,
    /// Number of wanted rows.
    pub count: u32,
}

/// What rows are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Sort {
    /// The column.
    pub by: SortBy,
    /// Metric index, for `self_value` and `total_value`.
    pub metric: u32,
    /// Smallest (or Z) first.
    pub reverse: bool,
}

/// A sortable column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SortBy {
    /// Name.
    Name,
    /// Self value.
    SelfValue,
    /// Total value.
    TotalValue,
    /// Of functions in a comparison of runs: by how much their totals differ at least; those whose
    /// interval holds 0 come after all others, and the ones that were not tested last.
    Interval,
    /// Of functions in a comparison of runs: how sure the change is, those that were not tested
    /// last.
    Verdict,
}

/// Result of [`crate::ProfileRequest::Rows`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RowsResult {
    /// Which build of the view the node numbers belong to.
    pub instance: u32,
    /// Visible rows in all.
    pub total_rows: u32,
    /// Metrics a row has, measured ones first: the stride of the value columns.
    pub metrics: u32,
    /// One entry a row.
    pub rows: Vec<RowInfo>,
}

/// The text of a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RowInfo {
    /// Node number.
    pub node: u32,
    /// Identity of the frame at the view's granularity.
    pub key: u32,
    /// 0 for children of the root.
    pub depth: u32,
    /// Whether it can be unfolded.
    pub has_children: bool,
    /// Whether it is unfolded.
    pub expanded: bool,
    /// Whether its own name matches the filter.
    pub matched: bool,
    /// Function name, or what stands for it at the view's granularity.
    pub name: String,
    /// Name with its place, where another function has the same name.
    pub label: Option<String>,
    /// Source file; may be empty.
    pub file: String,
    /// Line; 0 if unknown.
    pub line: u32,
    /// Module; may be empty.
    pub module: String,
    /// The colours of its groups, see [`crate::FlameColumns::colours`].
    pub colours: u32,
    /// Of a comparison: the kind of change.
    pub tag: Option<ChangeTag>,
}

columns! {
    /// Columns of [`crate::ProfileRequest::Rows`]: row-major, `metrics` entries a row; `scale` has one entry a
    /// metric: the total of the program.
    RowsColumns {
        /// Self values.
        self_value: i64,
        /// Total values.
        total_value: i64,
        /// Total of the program.
        scale: i64,
    }
}
