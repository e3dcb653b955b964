//! What threads did.

use serde::{Deserialize, Serialize};

use crate::ViewSpec;

/// Parameters of [`crate::ProfileRequest::ThreadBars`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ThreadBarsParams {
    /// The view: its filters choose the threads, and those of time the time that counts.
    pub view: ViewSpec,
    /// Regular expression that a row of [`crate::ListKind::ThreadStates`] matches; empty for all.
    pub filter: String,
}

/// What a thread does, in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum StateKind {
    /// It runs on a processor.
    Running,
    /// It could run, but something else does.
    Runnable,
    /// It waits, in the words of the scheduler.
    Waiting,
    /// It waits in an event.
    Blocked,
    /// It is on no processor; it is not told why.
    OffProcessor,
    /// Nothing is known.
    NotMeasured,
}

/// Result of [`crate::ProfileRequest::ThreadBars`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ThreadBarsResult {
    /// Threads of which a row matches, as they stand, with all of their states; at most 200.
    pub threads: Vec<ThreadBar>,
    /// How many such threads there are.
    pub total: u32,
}

/// What a thread did, all in all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ThreadBar {
    /// The thread, with the recording where there are several.
    pub thread: String,
    /// Its track; none where it has none.
    pub track: Option<u32>,
    /// The states that it was in, in the order of [`StateKind`]; they add up to the time that counts.
    pub parts: Vec<StatePart>,
}

/// How long a thread was in states of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StatePart {
    /// Which.
    pub kind: StateKind,
    /// Nanoseconds.
    pub time: f64,
    /// The share of the time that counts, 0 to 1.
    pub share: f64,
}
