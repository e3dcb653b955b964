//! A while that a thread ran on a processor, and what is known of it.

use std::collections::{BTreeSet, HashMap};

use profile::{ProfileBuilder, StringId};

use crate::time::schedule::Task;
use crate::time::thread_states::{ENDED, RUNNING};

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

/// What runs begin and end with besides switches.
#[derive(Default)]
pub(crate) struct Ends {
    /// When the recording began, if that is known and all that ran from then on was recorded.
    pub(crate) began: Option<i64>,
    /// By thread, when it ended.
    pub(crate) exits: HashMap<StringId, i64>,
    /// When the recording did, if that is known and all that ran until then was recorded.
    pub(crate) recording: Option<i64>,
}

impl Ends {
    /// A run whose thread ended before `until`: recordings of single programs have no switch away from it.
    pub(crate) fn of_exit(
        &self,
        (cpu, begin, task): (Option<u32>, i64, Task),
        until: i64,
        builder: &mut ProfileBuilder,
    ) -> Option<Run> {
        let exit = self.exits.get(&task.tid).filter(|exit| (begin..=until).contains(*exit))?;
        let (length, then) = (exit.saturating_sub(begin), builder.strings.intern(ENDED));
        Some(Run { cpu, begin, length, task, then, recorded: Recorded::Both })
    }

    /// A run of which nothing was recorded but that it ended at `end`, nor anything of its thread and its
    /// processor before: it had begun when the recording did.
    pub(crate) fn first(&self, (cpu, end, task): (Option<u32>, i64, Task), then: StringId) -> Run {
        let Some(begin) = self.began.filter(|&begin| begin <= end) else {
            return Run { then, ..Run::alone(cpu, end, task, Recorded::EndAlone) };
        };
        let length = end.saturating_sub(begin);
        Run { cpu, begin, length, task, then, recorded: Recorded::Both }
    }

    /// A run whose end was not recorded at all.
    pub(crate) fn last(
        &self,
        (cpu, begin, task): (Option<u32>, i64, Task),
        builder: &mut ProfileBuilder,
    ) -> Run {
        if let Some(run) = self.of_exit((cpu, begin, task), i64::MAX, builder) {
            return run;
        }
        match self.recording.filter(|&end| end >= begin) {
            Some(end) => {
                let (length, then) = (end.saturating_sub(begin), builder.strings.intern(RUNNING));
                Run { cpu, begin, length, task, then, recorded: Recorded::ToEnd }
            }
            None => Run::alone(cpu, begin, task, Recorded::BeginAlone),
        }
    }
}

impl Run {
    pub(crate) fn end(&self) -> i64 {
        self.begin.saturating_add(self.length)
    }

    /// One of which one end is known.
    pub(crate) fn alone(cpu: Option<u32>, begin: i64, task: Task, recorded: Recorded) -> Run {
        Run { cpu, begin, length: 0, task, then: StringId::EMPTY, recorded }
    }
}

/// What the recording has of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recorded {
    /// Where it was on from the begin of the recording, that is its begin.
    Both,
    /// It went on until the recording ended.
    ToEnd,
    /// It has no length then.
    BeginAlone,
    EndAlone,
}

/// Whether one end is missing of more runs than those at the begin and the end of processors, and of more
/// than a tenth: times are then those of what happened to be seen.
pub(crate) fn are_partial(runs: &[Run]) -> bool {
    let is_open = |run: &&Run| {
        matches!(run.recorded, Recorded::BeginAlone | Recorded::EndAlone) && run.cpu.is_some()
    };
    let open = runs.iter().filter(is_open).count();
    let cpus: BTreeSet<u32> = runs.iter().filter_map(|run| run.cpu).collect();
    open > 2 * cpus.len().max(1) && open * 10 > runs.len()
}
