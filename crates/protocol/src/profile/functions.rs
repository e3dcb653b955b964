//! The list of functions.

use serde::{Deserialize, Serialize};

use crate::columns::columns;
use crate::{ChangeTag, IntervalInfo, Sort, VerdictInfo, ViewSpec};

/// Parameters of [`crate::ProfileRequest::Functions`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FunctionsParams {
    /// The view; its shape does not matter.
    pub view: ViewSpec,
    /// The metrics to tell, by index. A function is listed if it has a value in any of them.
    pub metrics: Vec<u32>,
    /// What the functions are sorted by. The largest come first, whatever their sign; in a derived
    /// metric, whose sign says which way something goes, the highest, but for a change.
    pub sort: Sort,
    /// Keeps functions that match, see [`crate::FindParams::pattern`]; empty for all.
    pub filter: String,
    /// Of a comparison: keeps those whose total grew or fell.
    pub direction: Option<ChangeDirection>,
    /// First wanted function.
    pub first: u32,
    /// Number of wanted functions.
    pub count: u32,
}

/// Which way a function's total changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ChangeDirection {
    /// It grew.
    Growth,
    /// It fell.
    Fall,
}

/// Result of [`crate::ProfileRequest::Functions`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FunctionsResult {
    /// Functions in all.
    pub total_rows: u32,
    /// Whether totals are estimates, for the file tells no call paths.
    pub estimated: bool,
    /// One entry a function.
    pub rows: Vec<FunctionInfo>,
}

/// The text of a function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FunctionInfo {
    /// Its identity at the view's granularity.
    pub key: u32,
    /// Its name, or what stands for it at the view's granularity.
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
    /// Of a comparison: the kind of change of the total.
    pub tag: Option<ChangeTag>,
    /// Of a comparison: what can be said of the change of the total.
    #[serde(default)]
    pub verdict: Option<VerdictInfo>,
    /// Of a comparison of runs: the p-value of the change of the total, adjusted for all functions
    /// that were tested; none where it was too small to be tested.
    pub adjusted: Option<f64>,
    /// Of a comparison of runs, where it was tested: by how much the totals of a run differ.
    pub interval: Option<IntervalInfo>,
}

columns! {
    /// Columns of [`crate::ProfileRequest::Functions`]: row-major, an entry for each of the asked metrics a
    /// function; `scale` has one entry for each of these: the total of the program.
    FunctionsColumns {
        /// Self values.
        self_value: i64,
        /// Total values.
        total_value: i64,
        /// Total of the program.
        scale: i64,
    }
}
