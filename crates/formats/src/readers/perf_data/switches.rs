//! Records of switches, for threads and processors that come and go.

use hashbrown::{HashMap, HashSet};
use perfdata::{SampleId, Thread};
use profile::ProfileBuilder;

use super::reading::time_of;
use super::tasks::Tasks;
use crate::schedule::{Events, Recorded, Run, Schedule, Task};
use crate::thread_states::{ENDED, RUNNABLE};

/// What records of switches tell.
#[derive(Default)]
pub(super) struct Switches {
    runs: Vec<Run>,
    /// By thread, since when it runs, and where if that is told.
    running: HashMap<Thread, (i64, Option<u32>)>,
    /// Threads in the order in which they came up, and those that are about to leave for good, with when
    /// they said so.
    threads: Vec<Thread>,
    known: HashSet<Thread>,
    ended: HashMap<Thread, i64>,
    /// Records that say not which processor they are of.
    pub(super) without_cpus: u64,
    /// Coming, leaving, and leaving while it could have gone on.
    pub(super) counts: [u64; 3],
}

impl Switches {
    pub(super) fn heap_bytes(&self) -> usize {
        let sets = self.known.len() * 24 + self.ended.len() * 24;
        self.runs.len() * size_of::<Run>() + self.running.len() * 32 + sets
    }

    /// Whether there are none of which runs could be told.
    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty() && self.running.is_empty()
    }

    /// A thread ends. Where all of a processor is recorded it leaves that yet; else this is the last that is
    /// heard of it.
    pub(super) fn end(&mut self, thread: Thread, id: SampleId) {
        if let Some(time) = time_of(id) {
            self.ended.insert(thread, time);
        }
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
        let (Some(thread), Some(time)) = (id.thread, time_of(id)) else { return };
        // Number 0 is what runs where nothing does.
        if thread.tid == 0 {
            return;
        }
        let cpu = id.cpu;
        self.without_cpus += u64::from(cpu.is_none());
        let task = task(thread, tasks, builder);
        if self.known.insert(thread) {
            self.threads.push(thread);
        }
        let known = self.running.remove(&thread);
        if !switch.is_out {
            if let Some((begin, at)) = known {
                // The number may be another thread's by now.
                let exit = self.ended.remove(&thread).filter(|&exit| exit >= begin);
                self.runs.push(
                    exited(begin, at, task, exit, builder)
                        .unwrap_or_else(|| Run::alone(at, begin, task, Recorded::BeginAlone)),
                );
            }
            self.running.insert(thread, (time, cpu));
            return;
        }
        let then = match (self.ended.get(&thread), switch.is_preempted) {
            // Even what ends may have to wait.
            (_, true) => RUNNABLE,
            (Some(_), false) => {
                self.ended.remove(&thread);
                ENDED
            }
            (None, false) => "",
        };
        let then = builder.strings.intern(then);
        let run = match known {
            Some((begin, at)) if at == cpu => {
                let length = time.saturating_sub(begin);
                Run { cpu, begin, length, task, then, recorded: Recorded::Both }
            }
            known => {
                if let Some((begin, at)) = known {
                    self.runs.push(Run::alone(at, begin, task, Recorded::BeginAlone));
                }
                Run { then, ..Run::alone(cpu, time, task, Recorded::EndAlone) }
            }
        };
        self.runs.push(run);
    }

    /// What ran where. What runs still did so until its thread said that it ends, else until `end` if that is
    /// known.
    pub(super) fn schedule(
        mut self,
        events: Events,
        end: Option<i64>,
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
            let exit = self.ended.get(&thread).copied().filter(|&exit| exit >= begin);
            let run = exited(begin, cpu, task, exit, builder);
            self.runs.push(run.unwrap_or_else(|| Run::unended(cpu, begin, task, end, builder)));
        }
        Schedule::of_runs(self.runs, events)
    }
}

fn task(thread: Thread, tasks: &Tasks, builder: &mut ProfileBuilder) -> Task {
    let tid = builder.strings.intern(&thread.tid.to_string());
    Task { tid, comm: tasks.name(thread) }
}

/// A run that the end of its thread ends: recordings of single programs have no switch away from it.
fn exited(
    begin: i64,
    cpu: Option<u32>,
    task: Task,
    exit: Option<i64>,
    builder: &mut ProfileBuilder,
) -> Option<Run> {
    let length = exit?.saturating_sub(begin);
    let then = builder.strings.intern(ENDED);
    Some(Run { cpu, begin, length, task, then, recorded: Recorded::Both })
}
