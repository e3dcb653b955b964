//! Spans by name, and instants by kind.

use serde::{Deserialize, Serialize};

use crate::{ChangeTag, TimePlace, ViewSpec};
#[cfg(doc)]
use crate::{SpanResult, TracksResult};

/// Parameters of [`crate::ProfileRequest::SpanStatistics`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SpanStatisticsParams {
    /// The view: its filters choose the spans, and those of time clip them.
    pub view: ViewSpec,
    /// Regular expression that names match; empty for all.
    pub filter: String,
    /// What they are sorted by: the largest first, or names from A on.
    pub sort: SpanSort,
    /// The other way round.
    pub reverse: bool,
    /// Most rows.
    pub limit: u32,
}

/// What spans by name are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SpanSort {
    /// Name, then file.
    Name,
    /// How many there are.
    Count,
    /// The sum of their lengths.
    Total,
    /// The part of it in which none inside ran; asynchronous ones, which have none, stand last.
    SelfTime,
    /// The length that half of them do not exceed.
    Median,
    /// The length that 95 of a hundred do not exceed.
    P95,
    /// The largest length.
    Longest,
}

/// Result of [`crate::ProfileRequest::SpanStatistics`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SpanStatisticsResult {
    /// As many as were wanted.
    pub rows: Vec<SpanStatisticsRow>,
    /// How many names match, those in `rows` included.
    pub total: u32,
}

/// Spans of one name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SpanStatisticsRow {
    /// Name.
    pub name: String,
    /// Source file; may be empty.
    pub file: String,
    /// On lanes, where they may overlap.
    pub is_asynchronous: bool,
    /// How many there are.
    pub count: f64,
    /// How many of them never end. Their time is in no figure.
    pub unfinished: f64,
    /// The sum of their lengths in nanoseconds.
    pub total: f64,
    /// The part of it in which none inside ran; none of asynchronous ones.
    pub self_time: Option<f64>,
    /// The length that half of them do not exceed; nothing where none ends, as the next two.
    pub median: Option<f64>,
    /// The length that 95 of a hundred do not exceed.
    pub p95: Option<f64>,
    /// The largest length.
    pub longest: Option<f64>,
    /// 1 and the row of the longest; where none ends, of the first.
    pub span: u32,
    /// Its track.
    pub track: u32,
    /// The row in which it is drawn.
    pub row: u32,
    /// Its begin in nanoseconds after [`TracksResult::origin`].
    pub begin: f64,
    /// Its length on the axis, whatever part of it the filters keep.
    pub length: f64,
    /// What colours decide from.
    pub colours: u32,
}

/// Parameters of [`crate::ProfileRequest::MarkStatistics`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MarkStatisticsParams {
    /// The view: its filters of time choose the instants.
    pub view: ViewSpec,
    /// Regular expression that kinds match; empty for all.
    pub filter: String,
    /// What they are sorted by: the most frequent first, or what is in order from A on or from the
    /// first on.
    pub sort: MarkSort,
    /// The other way round.
    pub reverse: bool,
    /// Most rows.
    pub limit: u32,
}

/// What kinds of instants are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum MarkSort {
    /// Name.
    Name,
    /// How many there are.
    Count,
    /// On how many tracks.
    Tracks,
    /// When the first was.
    First,
    /// When the last was.
    Last,
}

/// Result of [`crate::ProfileRequest::MarkStatistics`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MarkStatisticsResult {
    /// As many as were wanted.
    pub rows: Vec<MarkStatisticsRow>,
    /// How many kinds match, those in `rows` included.
    pub total: u32,
}

/// Instants of one kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MarkStatisticsRow {
    /// What happened.
    pub kind: String,
    /// How often.
    pub count: f64,
    /// On how many tracks.
    pub tracks: f64,
    /// The first time in nanoseconds after [`TracksResult::origin`].
    pub first: f64,
    /// The last.
    pub last: f64,
}

/// Parameters of [`crate::ProfileRequest::FindMark`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FindMarkParams {
    /// The view: its filters of time choose the instants.
    pub view: ViewSpec,
    /// What happened.
    pub kind: String,
    /// The last one that was found: its track and its time in nanoseconds after
    /// [`TracksResult::origin`]; else the one behind the time is wanted.
    pub behind: Option<u32>,
    /// That time.
    pub from: f64,
    /// Backwards.
    pub back: bool,
}

/// Result of [`crate::ProfileRequest::FindMark`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FindMarkResult {
    /// How many there are.
    pub count: f64,
    /// The place of the found one among all, by time; those of one time by track.
    pub at: f64,
    /// Its track.
    pub track: u32,
    /// Its time in nanoseconds.
    pub time: f64,
}

/// Parameters of [`crate::ProfileRequest::SampledFrame`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SampledFrameParams {
    /// The view whose tree [`SampledFrameResult::path`] is of.
    pub view: ViewSpec,
    /// The point of the sample.
    pub point: u32,
    /// How many frames stand around it.
    pub depth: u32,
}

/// Result of [`crate::ProfileRequest::SampledFrame`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SampledFrameResult {
    /// Name.
    pub name: String,
    /// Source file; may be empty.
    pub file: String,
    /// Line; 0 if unknown.
    pub line: u32,
    /// The track of its thread, where there is one.
    pub track: Option<u32>,
    /// Its time in nanoseconds after [`TracksResult::origin`], where it has one.
    pub time: Option<f64>,
    /// Labels of the sample; at most 64.
    pub labels: Vec<[String; 2]>,
    /// Keys of its call path, as of [`SpanResult::path`].
    pub path: Vec<u32>,
}

/// Parameters of [`crate::ProfileRequest::SpanChanges`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SpanChangesParams {
    /// The view of a comparison: its filters choose the spans, and those of time clip them.
    pub view: ViewSpec,
    /// Regular expression that names match; empty for all.
    pub filter: String,
    /// What they are sorted by: the largest first, or names from A on.
    pub sort: SpanChangeSort,
    /// The other way round.
    pub reverse: bool,
    /// Most rows.
    pub limit: u32,
}

/// What spans of both sides are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SpanChangeSort {
    /// Name, then file.
    Name,
    /// The size of the change of the sums.
    Change,
    /// The sum in the base.
    Base,
    /// The sum in the new profile.
    New,
    /// How many more or fewer there are.
    Count,
    /// The size of the change of the medians.
    Median,
}

/// Result of [`crate::ProfileRequest::SpanChanges`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SpanChangesResult {
    /// As many as were wanted.
    pub rows: Vec<SpanChangesRow>,
    /// How many names match, those in `rows` included.
    pub total: u32,
    /// How many runs base and new side are; counts and sums are of one.
    pub runs: [u32; 2],
}

/// Spans of one name in base and new profile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SpanChangesRow {
    /// Name.
    pub name: String,
    /// Source file; may be empty.
    pub file: String,
    /// On lanes, where they may overlap.
    pub is_asynchronous: bool,
    /// The sums of their lengths in nanoseconds.
    pub totals: [f64; 2],
    /// How many there are.
    pub counts: [f64; 2],
    /// The lengths that half of them do not exceed, over all runs; none where there is no such span.
    pub medians: [Option<f64>; 2],
    /// The kind of change of the sums.
    pub tag: ChangeTag,
    /// The longest in the new profile, or where there is none, in the base.
    pub place: TimePlace,
    /// What its colour is decided from.
    pub colours: u32,
}
