//! What threads did.

use serde::{Deserialize, Serialize};

use crate::{TimePlace, ViewSpec};

/// Parameters of [`crate::ProfileRequest::ThreadStates`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ThreadStatesParams {
    /// The view: its filters choose the threads, and those of time the time that counts.
    pub view: ViewSpec,
    /// Regular expression that the thread, the state or what it waits for matches; empty for all.
    pub filter: String,
    /// What they are sorted by.
    pub sort: StateSort,
    /// The other way round.
    pub reverse: bool,
    /// Most rows.
    pub limit: u32,
}

/// What states of threads are sorted by: the largest first, names from A on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum StateSort {
    /// Threads as they stand, the states of each by time.
    Thread,
    /// Threads from A on, the states of each by time.
    Name,
    /// The state, its event and what is waited for.
    State,
    /// How long.
    Time,
    /// In how many stretches.
    Count,
    /// The longest of them.
    Longest,
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

/// Result of [`crate::ProfileRequest::ThreadStates`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ThreadStatesResult {
    /// As many as were wanted.
    pub rows: Vec<ThreadStateRow>,
    /// How many match, those in `rows` included.
    pub total: u32,
    /// Threads of which a row matches, as they stand, with all of their states; at most 200.
    pub threads: Vec<ThreadBar>,
    /// How many such threads there are.
    pub all_threads: u32,
}

/// How long a thread was in a state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ThreadStateRow {
    /// The thread, with the recording where there are several.
    pub thread: String,
    /// The state in short.
    pub kind: StateKind,
    /// The state in words, the scheduler's where it has some.
    pub state: String,
    /// The event that is a wait; empty for other states.
    pub event: String,
    /// The class of what it waits for; may be empty.
    pub by: String,
    /// Nanoseconds.
    pub time: f64,
    /// The share of the time that counts, 0 to 1.
    pub share: f64,
    /// In how many stretches.
    pub count: f64,
    /// The length of the longest of them.
    pub longest: f64,
    /// Where that is.
    pub place: TimePlace,
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
