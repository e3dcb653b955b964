//! Searches, and what filters keep.

use serde::{Deserialize, Serialize};

use crate::columns::columns;
use crate::{NamedKey, ViewSpec};

/// Parameters of [`crate::ProfileRequest::Search`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SearchParams {
    /// The view.
    pub view: ViewSpec,
    /// What people typed, see [`FindParams::pattern`].
    pub pattern: String,
}

/// Result of [`crate::ProfileRequest::Search`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SearchResult {
    /// Frames (at the view's granularity) that match.
    pub matches: u32,
    /// The largest matching ones.
    pub top: Vec<NamedKey>,
    /// The metric that the values are in: the view's, or for a derived one the measured metric that it begins
    /// with.
    #[serde(default)]
    pub list_metric: u32,
    /// Share of the program's total that `matched` is; none in a metric that does not add up.
    #[serde(default)]
    pub share: Option<f64>,
    /// Whether `matched` is an estimate, as the file tells no call paths.
    #[serde(default)]
    pub estimated: bool,
}

columns! {
    /// Columns of [`crate::ProfileRequest::Search`].
    SearchColumns {
        /// Value of all stacks with a matching frame, each counted once, as if they were one function of the
        /// list; then the program's total.
        matched: i64,
        /// Total of each of `top`.
        top: i64,
    }
}

/// Parameters of [`crate::ProfileRequest::Find`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FindParams {
    /// The view.
    pub view: ViewSpec,
    /// The build of the view that `root` is of; not needed for the whole program.
    pub instance: Option<u32>,
    /// The node to look at and below.
    pub root: u32,
    /// What people typed: words that are all found in function, file or module. Each is a regular
    /// expression, or text as it stands where it is none; case counts where there is a capital letter.
    /// What begins with `^` or has a backslash is one expression.
    pub pattern: String,
    /// Finds the frames of this function instead.
    #[serde(default)]
    pub function: Option<FunctionRef>,
    /// Most frames to find.
    pub limit: u32,
}

/// A function of a profile, which names do not always tell from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FunctionRef {
    /// The profile, which may be a side of the comparison that is asked.
    pub document: u32,
    /// Its number among all functions of that profile.
    pub key: u32,
}

/// Result of [`crate::ProfileRequest::Find`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FindResult {
    /// The build of the view that the nodes are of.
    pub instance: u32,
    /// Whether there are further ones.
    pub more: bool,
}

columns! {
    /// Columns of [`crate::ProfileRequest::Find`], one entry a frame, the widest first.
    FindColumns {
        /// Node number.
        node: u32,
        /// Row, 0 for the root node.
        row: u32,
        /// Left edge as a share of the root node's width.
        x: f64,
        /// Width as a share of the root node's width.
        width: f64,
    }
}

/// Result of [`crate::ProfileRequest::Filters`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FiltersResult {
    /// One entry a filter.
    pub filters: Vec<FilterEffect>,
    /// Of a comparison whose members are runs: how many of base and new the filters leave. Values
    /// are means of these.
    pub runs: Option<[u32; 2]>,
    /// What is to be told of filters of time: samples that have none, ranges outside of the recording.
    pub notes: Vec<String>,
}

/// What a filter did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FilterEffect {
    /// Share (0 to 1) of the unfiltered value left after this filter and the ones before it.
    pub kept: f64,
    /// Whether anything matched at all.
    pub matched: bool,
}
