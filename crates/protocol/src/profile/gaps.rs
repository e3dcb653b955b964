//! The time between spans of a name.

use serde::{Deserialize, Serialize};

use crate::{TimePlace, ViewSpec};

/// Parameters of [`crate::ProfileRequest::Gaps`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GapsParams {
    /// The view: its filters choose the spans; gaps that those of time cut do not count.
    pub view: ViewSpec,
    /// Regular expression that names match; empty for all.
    pub filter: String,
    /// What they are sorted by: the largest first, or names from A on.
    pub sort: GapSort,
    /// The other way round.
    pub reverse: bool,
    /// Most rows.
    pub limit: u32,
}

/// What gaps by name are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum GapSort {
    /// Name, then file.
    Name,
    /// How many there are.
    Count,
    /// The sum of their lengths.
    Total,
    /// The length that half of them do not exceed.
    Median,
    /// The length that 95 of a hundred do not exceed.
    P95,
    /// The largest length.
    Longest,
}

/// Result of [`crate::ProfileRequest::Gaps`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GapsResult {
    /// As many as were wanted.
    pub rows: Vec<GapsRow>,
    /// How many names have gaps and match, those in `rows` included.
    pub total: u32,
}

/// Gaps between spans of one name on one track: from where all before have ended to where the next begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GapsRow {
    /// Name of the spans.
    pub name: String,
    /// Source file; may be empty.
    pub file: String,
    /// On lanes, where they may overlap.
    pub is_asynchronous: bool,
    /// How many gaps there are, on all tracks.
    pub count: f64,
    /// The sum of their lengths in nanoseconds.
    pub total: f64,
    /// The length that half of them do not exceed.
    pub median: f64,
    /// The length that 95 of a hundred do not exceed.
    pub p95: f64,
    /// The largest length.
    pub longest: f64,
    /// The longest gap; its span is the one that ends it.
    pub place: TimePlace,
    /// The name of its track, with the recording where there are several.
    pub track: String,
    /// What colours decide from.
    pub colours: u32,
}
