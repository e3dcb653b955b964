//! Where and in which run points were measured.

use crate::{Fact, MachineId, ProcessId, StringId};

/// A process, or a rank of a parallel program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Process {
    /// Its number or other identifier, as the file has it; may be empty.
    pub id: StringId,
    /// Name; may be empty.
    pub name: StringId,
}

/// A thread, or another line of execution such as a GPU stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Thread {
    /// Its process, if known.
    pub process: Option<ProcessId>,
    /// Its number or other identifier, as the file has it; may be empty.
    pub id: StringId,
    /// Name; may be empty.
    pub name: StringId,
}

/// One of the profiles that came as one: a snapshot, a run, a file of a merge.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Member {
    /// Name for people, such as the name of its file.
    pub name: String,
    /// What wrote it.
    pub producer: String,
    /// Name of the machine it was measured on.
    pub host: String,
    /// What is known of that machine.
    pub machine: Option<MachineId>,
    /// Start of its measurement, nanoseconds since 1970; 0 if unknown.
    pub time_ns: i64,
    /// Length of its measurement in nanoseconds; 0 if unknown.
    pub duration_ns: i64,
    /// By how many nanoseconds all its times are later than they were recorded, to stand beside those
    /// of other members.
    pub moved_ns: i64,
    /// What else is known of it; names are not told twice.
    pub facts: Vec<Fact>,
}
