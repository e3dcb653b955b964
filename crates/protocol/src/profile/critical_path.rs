//! What a span waited for.

use serde::{Deserialize, Serialize};

use crate::TimePlace;
#[cfg(doc)]
use crate::TracksResult;
use crate::columns::columns;

/// Result of [`crate::ProfileRequest::CriticalPath`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CriticalPathResult {
    /// The span whose path it is: of those that the filters keep the longest, or the longest of those
    /// that filters of [`crate::FilterKind::During`] name. None if the filters keep none. Filters of time
    /// do not cut the path.
    pub span: Option<PathSpan>,
    /// How many stretches the path has; the columns hold the first 50,000.
    pub stretches: u32,
}

/// The span of a critical path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PathSpan {
    /// Name.
    pub name: String,
    /// The name of its track, with the recording where there are several.
    pub track: String,
    /// Where it is.
    pub place: TimePlace,
}

columns! {
    /// Columns of [`crate::ProfileRequest::CriticalPath`]: its stretches by time.
    CriticalPathColumns {
        /// The track, of a flow where it arrives.
        track: u32,
        /// The row in which a span is drawn; 0 for others.
        row: u32,
        /// 0 for a span, 1 for waiting, 2 for a flow.
        kind: u32,
        /// Begin in nanoseconds after [`TracksResult::origin`].
        begin: f64,
        /// End.
        end: f64,
    }
}
