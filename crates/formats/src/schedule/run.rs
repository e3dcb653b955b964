//! A while that a thread ran on a processor, and what is known of it.

use profile::{ProfileBuilder, StringId};

use super::Task;
use crate::thread_states::RUNNING;

/// A while that a thread ran on a processor.
pub(crate) struct Run {
    /// None where the recording does not say.
    pub(crate) cpu: Option<u32>,
    /// The producer's clock.
    pub(crate) begin: i64,
    pub(crate) length: i64,
    pub(crate) task: Task,
    /// What became of it then; empty if that is not told.
    pub(crate) then: StringId,
    pub(crate) recorded: Recorded,
}

impl Run {
    /// One whose end was not recorded: it went on until `end`, if that is known.
    pub(crate) fn unended(
        cpu: Option<u32>,
        begin: i64,
        task: Task,
        end: Option<i64>,
        builder: &mut ProfileBuilder,
    ) -> Run {
        match end.filter(|&end| end >= begin) {
            Some(end) => {
                let (length, then) = (end.saturating_sub(begin), builder.strings.intern(RUNNING));
                Run { cpu, begin, length, task, then, recorded: Recorded::ToEnd }
            }
            None => Run::alone(cpu, begin, task, Recorded::BeginAlone),
        }
    }

    /// One of which one end is known.
    pub(crate) fn alone(cpu: Option<u32>, begin: i64, task: Task, recorded: Recorded) -> Run {
        Run { cpu, begin, length: 0, task, then: StringId::EMPTY, recorded }
    }
}

/// What the recording has of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recorded {
    Both,
    /// It went on until the recording ended.
    ToEnd,
    /// It has no length then.
    BeginAlone,
    EndAlone,
}
