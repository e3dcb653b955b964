//! Records of switches, for threads and processors that come and go.

use hashbrown::{HashMap, HashSet};
use perfdata::{SampleId, Thread};
use profile::{ProfileBuilder, StringId};

use super::tasks::Tasks;
use crate::schedule::{Events, Recorded, Run, Schedule, Task};
use crate::thread_states::{ENDED, RUNNABLE};

/// What records of switches tell.
#[derive(Default)]
pub(super) struct Switches {
    runs: Vec<Run>,
    /// By thread, since when it runs, and where.
    running: HashMap<Thread, (i64, u32)>,
    /// Threads in the order in which they came up, and those that are about to leave for good.
    threads: Vec<Thread>,
    known: HashSet<Thread>,
    ended: HashSet<Thread>,
    /// Coming, leaving, and leaving while it could have gone on.
    pub(super) counts: [u64; 3],
}

impl Switches {
    pub(super) fn heap_bytes(&self) -> usize {
        let sets = self.known.len() * 24 + self.ended.len() * 12;
        self.runs.len() * size_of::<Run>() + self.running.len() * 32 + sets
    }

    /// Whether there are none of which runs could be told.
    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty() && self.running.is_empty()
    }

    /// A thread ends; it leaves its processor yet.
    pub(super) fn end(&mut self, thread: Thread) {
        self.ended.insert(thread);
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
        if self.known.insert(thread) {
            self.threads.push(thread);
        }
        let known = self.running.remove(&thread);
        if !switch.is_out {
            if let Some((begin, cpu)) = known {
                self.runs.push(alone(begin, cpu, task, Recorded::BeginAlone));
            }
            self.running.insert(thread, (time, cpu));
            return;
        }
        let then = match (self.ended.remove(&thread), switch.is_preempted) {
            // Even what ends may have to wait.
            (is_ending, true) => {
                if is_ending {
                    self.ended.insert(thread);
                }
                RUNNABLE
            }
            (true, false) => ENDED,
            (false, false) => "",
        };
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
    pub(super) fn schedule(
        mut self,
        events: Events,
        tasks: &mut Tasks,
        builder: &mut ProfileBuilder,
    ) -> Schedule {
        // Those that were never sampled are threads of their processes, too.
        for &thread in &self.threads {
            tasks.of(thread, builder);
        }
        let mut running: Vec<_> = self.running.into_iter().collect();
        running.sort_unstable();
        for (thread, (begin, cpu)) in running {
            let task = task(thread, tasks, builder);
            self.runs.push(alone(begin, cpu, task, Recorded::BeginAlone));
        }
        Schedule::of_runs(self.runs, events)
    }
}

fn task(thread: Thread, tasks: &Tasks, builder: &mut ProfileBuilder) -> Task {
    let tid = builder.strings.intern(&thread.tid.to_string());
    Task { tid, comm: tasks.name(thread) }
}

fn alone(begin: i64, cpu: u32, task: Task, recorded: Recorded) -> Run {
    Run { cpu, begin, length: 0, task, then: StringId::EMPTY, recorded }
}
