//! A job in someone's hands.

use serde::{Deserialize, Serialize};

use crate::{Hash, Job};

/// The right to run a job until its lease ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What is to be run.
    pub job: Job,
    /// From 1.
    pub attempt: u32,
    /// Grows with each claim of the job: who holds an older one is refused.
    pub fence: u64,
    /// Name of the worker that has it.
    pub worker: String,
    /// What the store needs besides.
    pub(crate) handle: String,
}

/// How far a job is, for people.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// From 0 to 1, if it is known.
    pub fraction: Option<f32>,
    /// What it does, one line.
    pub line: String,
}

/// What a beat answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Beat {
    /// The lease is longer now.
    GoOn,
    /// Somebody cancelled the job: stop, and finish with whatever outcome.
    Cancelled,
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It did what it was to do.
    Done {
        /// What came of it.
        result: Vec<Piece>,
        /// What is known of the run, for the caller alone; at most
        /// [`MOST_FACTS`](crate::MOST_FACTS) bytes.
        facts: Vec<u8>,
    },
    /// It failed for a reason that another attempt would meet again.
    Failed {
        /// Whose fault it is.
        class: Class,
        /// What went wrong, for people.
        what: String,
        /// The end of what it printed: the last [`MOST_OUTPUT`](crate::MOST_OUTPUT) bytes are kept.
        output: Vec<u8>,
        /// What came of it nevertheless.
        result: Vec<Piece>,
        /// As those of `Done`.
        facts: Vec<u8>,
    },
    /// Something around it failed: it waits ([`BACK_OFF`](crate::BACK_OFF)) and is claimed again, up
    /// to [`MOST_ATTEMPTS`](crate::MOST_ATTEMPTS) times in all.
    Retry {
        /// What went wrong, for people.
        what: String,
    },
}

/// Whose fault a failure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The program's own.
    User,
    /// It took longer than it may.
    Timeout,
    /// It wanted more memory, files or processes than it may have.
    Limit,
    /// Workers died or could not run it, as often as it may be tried.
    Infrastructure,
}

/// A blob with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// What it is to the caller, such as a file name.
    pub name: String,
    /// Its content, which is in the store.
    pub hash: Hash,
    /// Bytes.
    pub length: u64,
}
