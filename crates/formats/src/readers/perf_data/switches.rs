//! Records of switches, for threads and processors that come and go.

use hashbrown::HashMap;
use perfdata::{SampleId, Thread};
use profile::{ProfileBuilder, StringId};

use super::tasks::Tasks;
use crate::schedule::{Recorded, Run, Schedule, Task};
use crate::thread_states::RUNNABLE;

/// What records of switches tell.
#[derive(Default)]
pub(super) struct Switches {
    runs: Vec<Run>,
    /// By thread, since when it runs, and where.
    running: HashMap<Thread, (i64, u32)>,
    /// Coming, leaving, and leaving while it could have gone on.
    pub(super) counts: [u64; 3],
}

impl Switches {
    pub(super) fn heap_bytes(&self) -> usize {
        self.runs.len() * size_of::<Run>() + self.running.len() * 32
    }

    pub(super) fn push(
        &mut self,
        switch: perfdata::Switch,
        id: SampleId,
        tasks: &Tasks,
        builder: &mut ProfileBuilder,
    ) {
        let kind = match (switch.is_out, switch.is_preempted) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };
        self.counts[kind] += 1;
        let (Some(thread), Some(time), Some(cpu)) = (id.thread, id.time, id.cpu) else { return };
        // Number 0 is what runs where nothing does.
        if thread.tid == 0 {
            return;
        }
        let time = i64::try_from(time).unwrap_or(i64::MAX);
        let task = task(thread, tasks, builder);
        let known = self.running.remove(&thread);
        if !switch.is_out {
            if let Some((begin, cpu)) = known {
                self.runs.push(alone(begin, cpu, task, Recorded::BeginAlone));
            }
            self.running.insert(thread, (time, cpu));
            return;
        }
        let then = if switch.is_preempted { RUNNABLE } else { "" };
        let then = builder.strings.intern(then);
        let run = match known {
            Some((begin, at)) if at == cpu => {
                let length = time.saturating_sub(begin);
                Run { cpu, begin, length, task, then, recorded: Recorded::Both }
            }
            known => {
                if let Some((begin, at)) = known {
                    self.runs.push(alone(begin, at, task, Recorded::BeginAlone));
                }
                Run { then, ..alone(time, cpu, task, Recorded::EndAlone) }
            }
        };
        self.runs.push(run);
    }

    /// What ran where; what runs still has no end.
    pub(super) fn schedule(mut self, tasks: &Tasks, builder: &mut ProfileBuilder) -> Schedule {
        let mut running: Vec<_> = self.running.into_iter().collect();
        running.sort_unstable();
        for (thread, (begin, cpu)) in running {
            let task = task(thread, tasks, builder);
            self.runs.push(alone(begin, cpu, task, Recorded::BeginAlone));
        }
        Schedule::of_runs(self.runs, vec![])
    }
}

fn task(thread: Thread, tasks: &Tasks, builder: &mut ProfileBuilder) -> Task {
    let tid = builder.strings.intern(&thread.tid.to_string());
    Task { tid, comm: tasks.name(thread) }
}

fn alone(begin: i64, cpu: u32, task: Task, recorded: Recorded) -> Run {
    Run { cpu, begin, length: 0, task, then: StringId::EMPTY, recorded }
}
