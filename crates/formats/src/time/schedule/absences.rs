//! Whiles in which threads were away from processors.
//!
//! ```text
//! processor 0   |-- a --|            a left at 2 and was woken at 5: it was away for 6, of which
//! processor 1                |-- a   it could have run for 3, and it went on on another processor
//! wake-up            x
//!               0       2   5    8
//! ```
//! What was away when the recording ended, and what came back unseen, has no length and does not count.
//!
//! Who wakes a thread says `sched_waking`, whose stack is the waker's. `sched_wakeup` comes when the
//! thread is put into the queue, which the kernel may leave to an interrupt on the processor of that
//! queue: its stack is whoever was interrupted there. So it counts where no `sched_waking` was recorded
//! alone, in time as in stacks; `perf sched timehist` goes by the same rule.

use std::collections::HashMap;

use profile::{
    ContextId, Flow, FlowEnd, Label, LabelSetId, LabelValue, MIGRATION, Metric, Point,
    ProfileBuilder, RoleId, StringId, ThreadId, Timing,
};

use crate::Warnings;
use crate::time::schedule::tasks::Tasks;
use crate::time::schedule::{Recorded, Run, Switch, WakeKind, Wakeup};
use crate::time::thread_states::{ENDED, RUNNABLE};
use crate::time::thread_tracks::ThreadTracks;

/// The label that says in which state a thread was away.
const STATE: &str = "state";

/// Roles of the stack that left the processor, and of the one that woke its thread.
const ROLES: [&str; 2] = ["blocked", "waker"];

/// Where values of absences go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AbsenceMetrics {
    time: usize,
    count: usize,
    queue: usize,
    migrations: usize,
}

impl AbsenceMetrics {
    pub(crate) fn add(metrics: &mut Vec<Metric>) -> AbsenceMetrics {
        let first = metrics.len();
        let lasts =
            |name: &str| Metric { timing: Timing::Length, ..Metric::new(name, "nanoseconds") };
        let begins = |name: &str| Metric { timing: Timing::Begins, ..Metric::new(name, "count") };
        metrics.extend([
            lasts("off-CPU time"),
            begins("off-CPU intervals"),
            lasts("run-queue time"),
            begins("migrations"),
        ]);
        AbsenceMetrics { time: first, count: first + 1, queue: first + 2, migrations: first + 3 }
    }

    /// Leaves out what is not known of any thread.
    pub(crate) fn leave_out(self, known: KnownAbsences, keep: &mut [bool]) {
        (keep[self.time], keep[self.count]) = (known.lengths, known.lengths);
        keep[self.queue] = known.queues;
        keep[self.migrations] = known.migrations;
    }
}

/// What is known of any absence.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct KnownAbsences {
    pub(crate) lengths: bool,
    pub(crate) queues: bool,
    pub(crate) migrations: bool,
}

/// What a switch told of the thread that left.
struct Leave {
    time: i64,
    context: ContextId,
    has_stack: bool,
    thread: Option<ThreadId>,
    then: StringId,
}

/// Switches by the thread that left, by time.
#[derive(Default)]
pub(crate) struct Leaves(HashMap<StringId, Vec<Leave>>);

impl Leaves {
    /// Of switches by time.
    pub(crate) fn new(switches: &[Switch]) -> Leaves {
        let mut leaves = Leaves::default();
        for Switch { time, before, then, context, has_stack, thread, .. } in switches {
            let (time, context, then) = (*time, *context, *then);
            let leave = Leave { time, context, has_stack: *has_stack, thread: *thread, then };
            leaves.0.entry(before.tid).or_default().push(leave);
        }
        leaves
    }

    /// The switch that ended a run: records of switches come a little later than the tracepoint.
    fn of_run(&self, run: &Run) -> Option<&Leave> {
        let all = self.0.get(&run.task.tid)?;
        let end = run.begin.saturating_add(run.length);
        let last = all[..all.partition_point(|leave| leave.time <= end)].last()?;
        /// A run of which nothing but the end is known began before that.
        const CLOSE: i64 = 100_000;
        let begin = match run.recorded {
            Recorded::EndAlone => end.saturating_sub(CLOSE),
            Recorded::Both | Recorded::ToEnd | Recorded::BeginAlone => run.begin,
        };
        Some(last).filter(|leave| leave.time >= begin)
    }

    /// Says of runs what became of their threads.
    pub(crate) fn explain(&self, runs: &mut [Run]) {
        let has_end = |run: &&mut Run| matches!(run.recorded, Recorded::Both | Recorded::EndAlone);
        for run in runs.iter_mut().filter(has_end) {
            let then = self.of_run(run).map(|leave| leave.then);
            run.then = then.filter(|&then| then != StringId::EMPTY).unwrap_or(run.then);
        }
    }
}

/// By thread, when it was woken and by which stack: those of `sched_waking`, then others.
#[derive(Default)]
pub(crate) struct Wakes(HashMap<StringId, [Vec<(i64, Option<ContextId>)>; 2]>);

impl Wakes {
    pub(crate) fn new(wakeups: &[Wakeup]) -> Wakes {
        let mut wakes = Wakes::default();
        for wakeup in wakeups {
            let of = usize::from(wakeup.kind != WakeKind::Waking);
            wakes.0.entry(wakeup.woken).or_default()[of].push((wakeup.time, wakeup.stack));
        }
        for list in wakes.0.values_mut().flatten() {
            list.sort_by_key(|&(time, _)| time);
        }
        wakes
    }

    /// The first one in a while.
    fn between(&self, tid: StringId, begin: i64, end: i64) -> Option<(i64, Option<ContextId>)> {
        let first = |list: &Vec<(i64, Option<ContextId>)>| {
            let next = list.get(list.partition_point(|&(time, _)| time < begin));
            next.copied().filter(|&(time, _)| time <= end)
        };
        self.0.get(&tid)?.iter().find_map(first)
    }
}

/// Absences on their way into a profile.
pub(crate) struct Absences<'a> {
    pub(crate) leaves: Leaves,
    pub(crate) wakes: Wakes,
    pub(crate) metrics: AbsenceMetrics,
    pub(crate) clock: i64,
    pub(crate) tracks: &'a ThreadTracks,
    pub(crate) tasks: &'a mut Tasks,
    pub(crate) builder: &'a mut ProfileBuilder,
}

/// Absences that do not count.
#[derive(Default)]
struct Unknown {
    at_end: u64,
    unseen: u64,
    at_once: u64,
}

impl Absences<'_> {
    /// Counts what was between the runs of each thread.
    pub(crate) fn push(mut self, runs: &[Run], warnings: &mut Warnings) -> KnownAbsences {
        let order = by_thread(runs);
        let ended = self.builder.strings.intern(ENDED);
        let roles = ROLES.map(|role| self.builder.role(role));
        let (mut known, mut unknown) = (KnownAbsences::default(), Unknown::default());
        let mut rows = order.iter().map(|&row| &runs[row as usize]).peekable();
        while let Some(run) = rows.next() {
            let next = rows.peek().filter(|next| next.task.tid == run.task.tid);
            let is_over = matches!(run.recorded, Recorded::BeginAlone | Recorded::ToEnd);
            if is_over || run.then == ended {
                continue;
            }
            let Some(next) = next else {
                unknown.at_end += 1;
                continue;
            };
            let cpus = run.cpu.zip(next.cpu);
            known.migrations |= cpus.is_some();
            let is_migration = cpus.is_some_and(|(from, to)| from != to);
            if next.recorded == Recorded::EndAlone {
                unknown.unseen += 1;
                if is_migration {
                    self.push_one(run, None, true, roles, &mut known);
                }
                continue;
            }
            unknown.at_once += u64::from(next.begin < run.end());
            let back = next.begin.max(run.end());
            self.push_one(run, Some(back), is_migration, roles, &mut known);
            if is_migration {
                self.push_flow(run, next, back);
            }
        }
        unknown.warn(warnings);
        known
    }

    /// Where ends of most runs are missing, nothing is known of how long threads were away; that one left
    /// a processor after it had left another is a migration.
    pub(crate) fn push_migrations(mut self, runs: &[Run]) -> KnownAbsences {
        let roles = ROLES.map(|role| self.builder.role(role));
        let mut known = KnownAbsences::default();
        for two in
            by_thread(runs).windows(2).map(|two| [two[0], two[1]].map(|row| &runs[row as usize]))
        {
            let cpus = two[0].cpu.zip(two[1].cpu).filter(|_| two[0].task.tid == two[1].task.tid);
            let Some((from, to)) = cpus else { continue };
            known.migrations = true;
            if from != to {
                self.push_one(two[0], None, true, roles, &mut known);
            }
        }
        known
    }

    /// An arrow from where a thread left to where it went on.
    fn push_flow(&mut self, run: &Run, next: &Run, back: i64) {
        let name = self.builder.strings.intern(MIGRATION);
        let end = |cpu: Option<u32>, time: i64| {
            let track = self.tracks.of_processor(cpu?)?;
            Some(FlowEnd { track, time: time.saturating_sub(self.clock) })
        };
        let left = run.begin.saturating_add(run.length);
        if let (Some(from), Some(to)) = (end(run.cpu, left), end(next.cpu, back)) {
            self.builder.timeline.flows.push(Flow { name, from, to });
        }
    }

    /// Counts what followed a run, until the thread came back if that is known.
    fn push_one(
        &mut self,
        run: &Run,
        back: Option<i64>,
        is_migration: bool,
        roles: [RoleId; 2],
        known: &mut KnownAbsences,
    ) {
        let builder = &mut *self.builder;
        let begin = run.begin.saturating_add(run.length);
        let leave = self.leaves.of_run(run);
        let is_runnable = builder.strings.get(run.then) == RUNNABLE;
        // It may be woken before its processor has another.
        let asleep = leave.map_or(begin, |leave| leave.time);
        let wake = back.filter(|_| !is_runnable);
        let wake = wake.and_then(|back| self.wakes.between(run.task.tid, asleep, back));
        let told = leave.and_then(|leave| leave.thread);
        let thread = told.unwrap_or_else(|| self.tasks.of(run.task, builder));
        let context = leave.map_or(ContextId::ROOT, |leave| leave.context);
        let context = match context {
            ContextId::ROOT => self.tasks.context(run.task, builder),
            known => known,
        };
        let has_stack = leave.is_some_and(|leave| leave.has_stack);
        let waker = wake.and_then(|(_, stack)| stack).map(|stack| (roles[1], stack));
        let links: Vec<_> = [Some((roles[0], context)), waker].into_iter().flatten().collect();
        let links = if has_stack { &links[..] } else { &[] };
        let labels = if run.then == StringId::EMPTY {
            LabelSetId(0)
        } else {
            let key = builder.strings.intern(STATE);
            builder.labels.add(&[Label { key, value: LabelValue::Text(run.then) }])
        };
        let mut push = |time: i64, values: &[(usize, i64)]| {
            let time = Some(time.saturating_sub(self.clock));
            let (thread, cpu) = (Some(thread), run.cpu);
            let point = Point { context, labels, time, thread, cpu, links, ..Point::default() };
            let mut row = vec![0; builder.points.metrics()];
            for &(metric, value) in values {
                row[metric] = value;
            }
            builder.points.push_point(point, &row);
        };
        let AbsenceMetrics { time, count, queue, migrations } = self.metrics;
        let migrated = (migrations, i64::from(is_migration));
        let Some(back) = back else {
            push(begin, &[migrated]);
            return;
        };
        let since = if is_runnable { Some(begin) } else { wake.map(|(at, _)| at.max(begin)) };
        let away = [(time, back.saturating_sub(begin)), (count, 1), migrated];
        let queued = since.map(|since| (queue, back.saturating_sub(since)));
        known.lengths = true;
        known.queues |= queued.is_some();
        match (since, queued) {
            (Some(since), Some(queued)) if since == begin => {
                push(begin, &[away[0], away[1], away[2], queued]);
            }
            // A point of its own, so that ranges of time cut both where they were.
            (Some(since), Some(queued)) => {
                push(begin, &away);
                push(since, &[queued]);
            }
            _ => push(begin, &away),
        }
    }
}

/// Runs by thread, then time.
fn by_thread(runs: &[Run]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..runs.len() as u32).collect();
    order.sort_by_key(|&row| {
        let run = &runs[row as usize];
        (run.task.tid, run.begin, run.end())
    });
    order
}

impl Unknown {
    fn warn(&self, warnings: &mut Warnings) {
        let mut told = |count: u64, kind: &'static str, message: &str| {
            if count > 0 {
                warnings.add_many(kind, count, || message.to_owned());
            }
        };
        told(
            self.at_end,
            "away at the end",
            "threads were away from processors when the recording ended: how long is not known, \
             and does not count as off-CPU time",
        );
        told(
            self.unseen,
            "came back unseen",
            "threads came back to a processor without a record of it: how long they were away is \
             not known, and does not count as off-CPU time; record all processors (-a), or \
             --switch-events as well",
        );
        told(
            self.at_once,
            "two processors",
            "threads came to a processor before they left another: clocks differ, and they count \
             as away for no time",
        );
    }
}

/// A thread was moved from one processor to another while it was on none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moved {
    /// The producer's clock.
    pub(crate) time: i64,
    /// Where it was.
    pub(crate) from: u32,
    pub(crate) tid: StringId,
    pub(crate) comm: StringId,
    /// The stack that moved it.
    pub(crate) context: ContextId,
}

/// Counts threads that were moved, where no switches tell of it.
pub(crate) fn push_moved(
    moved: &[Moved],
    metrics: AbsenceMetrics,
    clock: i64,
    tasks: &mut Tasks,
    builder: &mut ProfileBuilder,
) {
    let mut row = vec![0; builder.points.metrics()];
    row[metrics.migrations] = 1;
    for &Moved { time, from, tid, comm, context } in moved {
        let thread = Some(tasks.of(crate::time::schedule::Task { tid, comm }, builder));
        let time = Some(time.saturating_sub(clock));
        let point = Point { context, time, thread, cpu: Some(from), ..Point::default() };
        builder.points.push_point(point, &row);
    }
}
