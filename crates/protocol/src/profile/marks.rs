//! Marks, and frames of samples.

use serde::{Deserialize, Serialize};

use crate::ViewSpec;
#[cfg(doc)]
use crate::{SpanResult, TracksResult};

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
