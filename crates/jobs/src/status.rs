//! What is to be seen of jobs and workers. Times are for people: nanoseconds since 1970 by the clock
//! of the machine that wrote them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Class, Error, Key, Needs, Offers, Piece, Progress, hex};

/// A job as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct JobStatus {
    /// What it is.
    pub key: Key,
    /// The experiment.
    pub batch: String,
    /// Its order within the batch.
    pub place: u64,
    /// What a worker must offer.
    pub needs: Needs,
    /// Its times are to be trusted.
    pub measured: bool,
    /// How often it was claimed since it was added or asked for again.
    pub attempt: u32,
    /// What went wrong in the attempts before, oldest first.
    pub troubles: Vec<String>,
    /// Where it is.
    pub phase: Phase,
}

/// Where a job is.
#[derive(Debug, Clone, PartialEq)]
pub enum Phase {
    /// The next worker that offers what it needs gets it.
    Waiting,
    /// It failed for reasons around it, and waits before it is tried again.
    Delayed {
        /// Nanoseconds since 1970.
        until: i64,
    },
    /// A worker has it. Its lease may have ended meanwhile.
    Running {
        /// Name of the worker.
        worker: String,
        /// Nanoseconds since 1970.
        since: i64,
        /// What the worker said last.
        progress: Progress,
        /// Somebody wants it to stop.
        cancelled: bool,
    },
    /// It is over.
    Ended {
        /// Nanoseconds since 1970.
        at: i64,
        /// How.
        end: End,
    },
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// It did what it was to do.
    Done {
        /// What came of it.
        result: Vec<Piece>,
        /// What the worker told of the run.
        #[serde(with = "hex")]
        facts: Vec<u8>,
    },
    /// It failed.
    Failed {
        /// Whose fault it is.
        class: Class,
        /// What went wrong, for people; of infrastructure, in each attempt.
        what: String,
        /// The end of what it printed.
        #[serde(with = "hex")]
        output: Vec<u8>,
        /// What came of it nevertheless.
        result: Vec<Piece>,
        /// What the worker told of the run.
        #[serde(with = "hex")]
        facts: Vec<u8>,
    },
    /// Somebody cancelled it.
    Cancelled,
}

/// A job that ended. One that was asked for again ends again, as another of these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// What it is.
    pub key: Key,
    /// The experiment.
    pub batch: String,
    /// Its order within the batch.
    pub place: u64,
    /// The attempt that ended it; 0 if nobody ever claimed it.
    pub attempt: u32,
    /// The worker that had it last.
    pub worker: Option<String>,
    /// Nanoseconds since 1970.
    pub at: i64,
    /// How.
    pub end: End,
}

/// How far someone has read what ended, in one store. It can be kept as text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor(pub(crate) u64);

impl Cursor {
    /// Nothing is read yet.
    pub const START: Cursor = Cursor(0);
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Cursor {
    type Err = Error;

    fn from_str(text: &str) -> Result<Cursor, Error> {
        let number = text.parse().map_err(|_| {
            let text = text.escape_debug();
            Error::Asked(format!("'{text}' is not a cursor: it is a whole number, 0 for the start"))
        });
        number.map(Cursor)
    }
}

/// How many jobs of a batch are where.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// For a worker.
    pub waiting: u64,
    /// For the end of their back-off.
    pub delayed: u64,
    /// Claimed by a worker, whose lease may have ended.
    pub running: u64,
    /// Ended well.
    pub done: u64,
    /// Ended badly.
    pub failed: u64,
    /// Ended by somebody's wish.
    pub cancelled: u64,
}

impl Counts {
    /// All jobs.
    pub fn all(&self) -> u64 {
        self.waiting + self.delayed + self.running + self.ended()
    }

    /// Jobs that are over.
    pub fn ended(&self) -> u64 {
        self.done + self.failed + self.cancelled
    }

    #[cfg(feature = "nats")]
    pub(crate) fn add(&mut self, phase: &Phase) {
        let count = match phase {
            Phase::Waiting => &mut self.waiting,
            Phase::Delayed { .. } => &mut self.delayed,
            Phase::Running { .. } => &mut self.running,
            Phase::Ended { end: End::Done { .. }, .. } => &mut self.done,
            Phase::Ended { end: End::Failed { .. }, .. } => &mut self.failed,
            Phase::Ended { end: End::Cancelled, .. } => &mut self.cancelled,
        };
        *count += 1;
    }
}

/// Which jobs are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// All of them.
    All,
    /// Those whose times are to be trusted.
    Measured,
}

impl Which {
    #[cfg(feature = "nats")]
    pub(crate) fn has(self, is_measured: bool) -> bool {
        is_measured || self == Which::All
    }
}

/// A worker that was heard of lately.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// Host name of its machine.
    pub machine: String,
    /// What it is capable of.
    pub offers: Offers,
    /// When it claimed or beat last; nanoseconds since 1970.
    pub seen: i64,
    /// The job that it has.
    pub runs: Option<Key>,
}

/// Part of a job's log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogPart {
    /// What was logged from where it was asked for, or from where it is still kept.
    pub bytes: Vec<u8>,
    /// Where to read on.
    pub next: u64,
    /// How many bytes at the log's beginning are no longer kept.
    pub dropped: u64,
}
