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
    /// Regular expression over function, file and module.
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
}

columns! {
    /// Columns of [`crate::ProfileRequest::Search`].
    SearchColumns {
        /// Value of all stacks with a matching frame, each counted once; then the program's total.
        /// For a derived metric both are in the measured one that it begins with.
        matched: i64,
        /// Total of each of `top`.
        top: i64,
    }
}

/// Result of [`crate::ProfileRequest::Filters`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FiltersResult {
    /// One entry a filter.
    pub filters: Vec<FilterEffect>,
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
