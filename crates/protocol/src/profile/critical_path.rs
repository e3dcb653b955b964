//! What a span waited for.

use serde::{Deserialize, Serialize};

#[cfg(doc)]
use crate::TracksResult;
use crate::columns::columns;
use crate::{TimePlace, ViewSpec};

/// Parameters of [`crate::ProfileRequest::CriticalPath`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CriticalPathParams {
    /// The view. Its filters choose the span where you do not.
    pub view: ViewSpec,
    /// The row of the span. Without it, the path is that of the longest span that the filters keep, or of
    /// the longest that filters of [`crate::FilterKind::During`] name.
    pub span: Option<u32>,
}

/// Result of [`crate::ProfileRequest::CriticalPath`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CriticalPathResult {
    /// The span whose path it is. None if the filters keep none. Filters of time do not cut the path.
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
