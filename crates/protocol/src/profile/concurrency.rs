//! How much happened at once.

use serde::{Deserialize, Serialize};

#[cfg(doc)]
use crate::TracksResult;
use crate::columns::columns;
use crate::{TimePlace, ViewSpec};

/// Parameters of [`crate::ProfileRequest::Concurrency`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ConcurrencyParams {
    /// The view: its filters choose the spans, and those of time the time that counts.
    pub view: ViewSpec,
    /// Regular expression that names match; empty for all.
    pub filter: String,
    /// What they are sorted by.
    pub sort: ConcurrencySort,
    /// The other way round.
    pub reverse: bool,
    /// Most rows.
    pub limit: u32,
}

/// What rows of concurrency are sorted by: the largest first, names from A on, times from the first on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ConcurrencySort {
    /// Processes, lanes, then names by the most at once.
    Of,
    /// Name, then file.
    Name,
    /// The most at once.
    Most,
    /// When there were so many first.
    MostAt,
    /// For how long in all.
    MostFor,
    /// The mean.
    Mean,
    /// For how long there was one at least.
    Busy,
}

/// What is open at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ConcurrencyOf {
    /// Threads of a process on which a span is open; of threads of no process together.
    Threads {
        /// The process.
        process: Option<u32>,
        /// The recording.
        member: u32,
    },
    /// Operations of a lane.
    Lane {
        /// The track.
        track: u32,
    },
    /// Spans of one name and file.
    Spans {
        /// The name, as a number of its text.
        name: u32,
        /// The file, as a number of its text.
        file: u32,
        /// On lanes.
        is_asynchronous: bool,
        /// The recording.
        member: u32,
    },
}

/// Result of [`crate::ProfileRequest::Concurrency`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ConcurrencyResult {
    /// As many as were wanted.
    pub rows: Vec<ConcurrencyRow>,
    /// How many match, those in `rows` included.
    pub total: u32,
}

/// How many of something there were at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ConcurrencyRow {
    /// Of what, to ask for its chart.
    pub of: ConcurrencyOf,
    /// The same in words: `threads` of a process, `operations` of a lane, `spans` or
    /// `asynchronous spans` of a name.
    pub what: String,
    /// Which one, with the recording where there are several.
    pub name: String,
    /// Of spans, their name alone; else empty.
    pub span_name: String,
    /// Source file of spans; may be empty.
    pub file: String,
    /// The most at once.
    pub most: f64,
    /// For how many nanoseconds there were so many.
    pub most_for: f64,
    /// Nanoseconds in which there was one at least.
    pub busy: f64,
    /// The mean over the time that counts.
    pub mean: f64,
    /// When there were so many first.
    pub place: TimePlace,
}

/// Parameters of [`crate::ProfileRequest::ConcurrencyChart`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ConcurrencyChartParams {
    /// The view.
    pub view: ViewSpec,
    /// Of what.
    pub of: ConcurrencyOf,
    /// From when on, in nanoseconds after [`TracksResult::origin`].
    pub from: f64,
    /// Until when.
    pub to: f64,
    /// In how many cells of one length, at most 4,096; fewer where they would be shorter than a nanosecond.
    pub cells: u32,
}

/// Result of [`crate::ProfileRequest::ConcurrencyChart`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ConcurrencyChartResult {
    /// The most at once in any cell.
    pub most: f64,
}

columns! {
    /// Columns of [`crate::ProfileRequest::ConcurrencyChart`], one entry a cell.
    ConcurrencyChartColumns {
        /// The most at once.
        most: f64,
        /// The mean.
        mean: f64,
    }
}
