//! Records of switches, for threads and processors that come and go.

use std::collections::HashMap as StdMap;

use hashbrown::{HashMap, HashSet};
use perfdata::{SampleId, Thread};
use profile::{ProfileBuilder, StringId, ThreadId};

use super::reading::time_of;
use super::tasks::Tasks;
use crate::time::schedule::{Ends, Events, Recorded, Run, Schedule, Task};
use crate::time::thread_states::{ENDED, RUNNABLE};

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
    /// Those that began while this was recorded.
    born: HashSet<Thread>,
    /// When processors came up first, and runs whose thread and processor did so only with their end.
    cpus: HashMap<u32, i64>,
    opened: Vec<usize>,
    ended: HashMap<Thread, i64>,
    /// Records that say not which processor they are of.
    pub(super) without_cpus: u64,
    /// Coming, leaving, and leaving while it could have gone on.
    pub(super) counts: [u64; 3],
}

impl Switches {
    pub(super) fn heap_bytes(&self) -> usize {
        let sets = (self.known.len() + self.born.len()) * 24
            + self.ended.len() * 24
            + self.opened.len() * 8;
        self.runs.len() * size_of::<Run>() + self.running.len() * 32 + sets
    }

    /// Whether there are none of which runs could be told.
    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty() && self.running.is_empty()
    }

    /// Whether nothing was recorded of a processor before.
    fn comes_up(&mut self, cpu: u32, time: i64) -> bool {
        let count = self.cpus.len();
        self.cpus.entry(cpu).or_insert(time);
        self.cpus.len() > count
    }

    /// A thread begins; it comes to a processor yet.
    pub(super) fn begin(&mut self, thread: Thread, id: SampleId) {
        if time_of(id).is_some() {
            self.born.insert(thread);
        }
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
        let is_new = self.known.insert(thread);
        if is_new {
            self.threads.push(thread);
        }
        let is_first = cpu.is_none_or(|cpu| self.comes_up(cpu, time)) && is_new;
        let known = self.running.remove(&thread);
        if !switch.is_out {
            if let Some((begin, at)) = known {
                // The number may be another thread's by now.
                let exits = self.ended.remove(&thread).map(|exit| (task.tid, exit));
                let ends = Ends { exits: exits.into_iter().collect(), ..Ends::default() };
                self.runs.push(ends.last((at, begin, task), builder));
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
                // What has ended has no number any more.
                if is_first && thread.tid != u32::MAX {
                    self.opened.push(self.runs.len());
                }
                Run { then, ..Run::alone(cpu, time, task, Recorded::EndAlone) }
            }
        };
        self.runs.push(run);
    }

    /// When threads ended.
    pub(super) fn exits(&self, builder: &mut ProfileBuilder) -> StdMap<StringId, i64> {
        let strings = &mut builder.strings;
        let told = self.ended.iter();
        told.map(|(thread, exit)| (strings.intern(&thread.tid.to_string()), *exit)).collect()
    }

    /// What ran where. What runs still did so until its thread said that it ends, else until the recording
    /// did.
    pub(super) fn schedule(
        self,
        events: Events,
        ends: &Ends,
        tasks: &mut Tasks,
        builder: &mut ProfileBuilder,
    ) -> Schedule {
        // Those that were never sampled are threads of their processes, too.
        for &thread in &self.threads {
            tasks.of(thread, builder);
        }
        let never_left = self.never_left(ends, tasks, builder);
        let (mut runs, mut running) = (self.runs, Vec::from_iter(self.running));
        for &row in &self.opened {
            let Run { cpu, begin, task, then, .. } = runs[row];
            runs[row] = ends.first((cpu, begin, task), then);
        }
        running.sort_unstable();
        for (thread, (begin, cpu)) in running {
            let task = task(thread, tasks, builder);
            runs.push(ends.last((cpu, begin, task), builder));
        }
        runs.extend(never_left);
        Schedule::of_runs(runs, events)
    }
}

impl Switches {
    /// Threads that were sampled and have no record of coming or leaving ran all the time. Nothing else of
    /// their processor was recorded meanwhile.
    fn never_left(&self, ends: &Ends, tasks: &Tasks, builder: &mut ProfileBuilder) -> Vec<Run> {
        let (Some(begin), Some(_)) = (ends.began, ends.recording) else { return vec![] };
        let is_unknown = |thread: &Thread| {
            ![0, u32::MAX].contains(&thread.tid)
                && !self.known.contains(thread)
                && !self.born.contains(thread)
        };
        let unknown = tasks.sampled().filter(|(thread, _)| is_unknown(thread));
        let unknown: HashMap<ThreadId, Thread> = unknown.map(|(thread, id)| (id, thread)).collect();
        if unknown.is_empty() {
            return vec![];
        }
        // By thread its processor, or none if it was on several, as none can be then.
        let mut cpus: HashMap<Thread, Option<u32>> = HashMap::new();
        for point in 0..builder.points.len() {
            let thread = builder.points.thread(point).and_then(|id| unknown.get(&id));
            let (Some(thread), Some(cpu)) = (thread, builder.points.cpu(point)) else { continue };
            let own = cpus.entry(*thread).or_insert(Some(cpu));
            *own = own.filter(|&known| known == cpu);
        }
        let mut cpus: Vec<(Thread, u32)> =
            cpus.into_iter().filter_map(|(thread, cpu)| Some((thread, cpu?))).collect();
        cpus.sort_unstable();
        let run = |(thread, cpu): (Thread, u32)| {
            let run = ends.last((Some(cpu), begin, task(thread, tasks, builder)), builder);
            self.cpus.get(&cpu).is_none_or(|&first| first >= run.end()).then_some(run)
        };
        cpus.into_iter().filter_map(run).collect()
    }
}

fn task(thread: Thread, tasks: &Tasks, builder: &mut ProfileBuilder) -> Task {
    let tid = builder.strings.intern(&thread.tid.to_string());
    Task { tid, comm: tasks.name(thread) }
}
