//! How a run ended.

use serde::{Deserialize, Serialize};

/// What became of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// How the program ended; none where it did not run, or all was killed from outside.
    pub status: Option<Status>,
    /// Which limit ended it; none where it ended by itself. Programs that a limit only refuses
    /// something (a file that is too large, one process more) end by themselves.
    pub cause: Option<Cause>,
    /// What was brought out.
    pub brought: Brought,
    /// The most memory of all processes at a time, in bytes; where there is a cgroup.
    pub peak_bytes: Option<u64>,
    /// Time on processors of all processes, in nanoseconds; where there is a cgroup.
    pub processor_nanoseconds: Option<u64>,
    /// What went wrong besides, for people.
    pub notes: Vec<String>,
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// By itself, with this code.
    Exit(i32),
    /// By this signal.
    Signal(i32),
}

/// The limit that ended a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The wall time was over.
    Wall,
    /// The kernel killed a process for the cgroup's memory; or counting found more than allowed.
    Memory,
    /// The time on processors was over.
    Processor,
    /// More processes than allowed, where only counting them now and then could tell.
    Processes,
    /// The folder of what watches it from inside was full when it ended.
    Exchange,
}

/// What was brought out of the folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brought {
    /// Paths in the folder, in order.
    pub files: Vec<String>,
    /// Their bytes.
    pub bytes: u64,
    /// What the patterns fit and was left, with why: the first 20.
    pub refused: Vec<String>,
    /// How many that were.
    pub refusals: u64,
}
