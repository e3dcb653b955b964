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
    /// The view: of the spans that its filters keep the longest is taken, of those that filters of
    /// [`crate::FilterKind::During`] name where there are any. Filters of time do not cut it.
    pub view: ViewSpec,
    /// Regular expression that the name or the track of a stretch matches; empty for all.
    pub filter: String,
    /// What stretches are sorted by.
    pub sort: PathSort,
    /// The other way round.
    pub reverse: bool,
    /// Most rows.
    pub limit: u32,
}

/// What stretches of a critical path are sorted by: times from the first on, the longest first, names from
/// A on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum PathSort {
    /// When.
    Begin,
    /// Name.
    Name,
    /// The name of the track.
    Track,
    /// How long.
    Length,
}

/// Result of [`crate::ProfileRequest::CriticalPath`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CriticalPathResult {
    /// The span whose path it is; none if the filters keep none.
    pub span: Option<PathSpan>,
    /// As many stretches as were wanted.
    pub rows: Vec<PathRow>,
    /// How many match, those in `rows` included.
    pub total: u32,
    /// How many stretches the path has; the columns hold the first 50,000.
    pub stretches: u32,
    /// What is to be told of the path.
    pub notes: Vec<String>,
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

/// What happens in a stretch of a critical path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum PathKind {
    /// A span runs, and none inside it.
    Span,
    /// Nothing runs.
    Waiting,
    /// A flow is under way to the track.
    Flow,
}

/// A stretch of a critical path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PathRow {
    /// Its place in the path, from 0 on.
    pub at: u32,
    /// What happens.
    pub kind: PathKind,
    /// Name of the span or flow; may be empty.
    pub name: String,
    /// The name of the track, of a flow where it arrives; with the recording where there are several.
    pub track: String,
    /// The share of the whole path, 0 to 1.
    pub share: f64,
    /// Where it is.
    pub place: TimePlace,
    /// What colours of a span decide from.
    pub colours: u32,
}

columns! {
    /// Columns of [`crate::ProfileRequest::CriticalPath`]: its stretches by time, whatever rows are wanted.
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
