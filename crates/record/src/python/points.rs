//! Samples as a profile.
//!
//! ```text
//! period   0  1  2  3  4  5  6
//! thread   a  a  a  b  b  -  b        three points: a from 0 for 3, b from 3 for 2, b from 6
//! ```
//! What a thread does for several periods in a row is one point, so that threads that wait cost
//! nothing. 20 bytes a point until the end: an hour of 1000 samples a second that all differ is
//! 72 MB.

use std::collections::HashMap;

use profile::{
    ContextId, Label, LabelSetId, LabelValue, LocationId, Metric, Place, Point, Profile,
    ProfileBuilder, ThreadId, Timing,
};
use py_spy::Frame;

use super::sampler::{Keep, Moment};
use super::stacks::{Seen, ThreadKey};

/// Points beyond this many have no time: they are added up.
const MOST_POINTS: usize = 50_000_000;

/// Stands for threads in which no function of Python is running.
const NO_FRAME: &str = "(no Python function)";

/// Makes a profile of samples.
pub(super) struct Points {
    builder: ProfileBuilder,
    /// Nanoseconds.
    period: i64,
    threads: HashMap<(u32, ThreadKey), usize>,
    rows: Vec<Row>,
    closed: Vec<Run>,
    /// Periods by context, thread and state, of what has no time.
    untimed: HashMap<(ContextId, u32, State), i64>,
    samples: u64,
    tasks: TaskNames,
}

/// A thread, and what it does since when.
struct Row {
    thread: ThreadId,
    frames: Vec<Frame>,
    context: ContextId,
    open: Option<Run>,
}

/// The same for some periods.
#[derive(Debug, Clone, Copy)]
struct Run {
    /// The first period.
    begin: u32,
    periods: u32,
    context: ContextId,
    thread: u32,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    is_running: bool,
    holds_gil: bool,
    /// A task of asyncio, as [`TaskNames`] counts them.
    task: Option<u32>,
}

impl Points {
    pub(super) fn new(period: u64) -> Points {
        let metrics = vec![
            Metric { timing: Timing::Length, ..Metric::new("wall time", "nanoseconds") },
            Metric::new("CPU time", "nanoseconds"),
            Metric::new("GIL time", "nanoseconds"),
            Metric::new("samples", "count"),
        ];
        Points {
            builder: ProfileBuilder::new(metrics),
            period: i64::try_from(period).unwrap_or(i64::MAX),
            threads: HashMap::new(),
            rows: vec![],
            closed: vec![],
            untimed: HashMap::new(),
            samples: 0,
            tasks: TaskNames::default(),
        }
    }

    /// Samples that were taken: one of each thread each time.
    pub(super) fn samples(&self) -> u64 {
        self.samples
    }

    /// A thread as it was in a period.
    fn thread(&mut self, period: u64, pid: u32, seen: Seen) {
        self.samples += 1;
        let at = self.row(pid, seen.thread);
        if let Some(name) = &seen.name {
            let thread = self.rows[at].thread;
            self.builder.threads[thread.index()].name = self.builder.strings.intern(name);
        }
        if self.rows[at].frames != seen.frames || self.rows[at].open.is_none() {
            self.rows[at].context = self.context(&seen.frames);
            self.rows[at].frames = seen.frames;
        }
        let task = seen.task.map(|name| self.tasks.number(name));
        let row = &mut self.rows[at];
        let state = State { is_running: seen.is_running, holds_gil: seen.holds_gil, task };
        let Ok(begin) = u32::try_from(period) else {
            *self.untimed.entry((row.context, row.thread.0, state)).or_default() += 1;
            return;
        };
        if let Some(open) = &mut row.open {
            let is_next = open.begin.checked_add(open.periods) == Some(begin);
            if is_next && (open.context, open.state) == (row.context, state) {
                open.periods += 1;
                return;
            }
        }
        let (context, thread) = (row.context, row.thread.0);
        let before = row.open.replace(Run { begin, periods: 1, context, thread, state });
        self.close(before);
    }

    /// The profile. Its points stand by time; those without come last.
    pub(super) fn finish(mut self) -> Finished {
        for at in 0..self.rows.len() {
            let open = self.rows[at].open.take();
            self.close(open);
        }
        self.closed.sort_by_key(|run| run.begin);
        let mut states = Labels::default();
        let ends = self.closed.iter().map(|run| run.begin.saturating_add(run.periods));
        let spans = self.closed.first().map(|run| run.begin).zip(ends.max());
        let untimed: i64 = self.untimed.values().sum();
        let running = self.closed.iter().filter(|run| run.state.is_running);
        let running: i64 = running.map(|run| i64::from(run.periods)).sum();
        for run in std::mem::take(&mut self.closed) {
            let time = i64::from(run.begin).saturating_mul(self.period);
            self.push(
                run.context,
                run.thread,
                run.state,
                i64::from(run.periods),
                Some(time),
                &mut states,
            );
        }
        for ((context, thread, state), periods) in std::mem::take(&mut self.untimed) {
            self.push(context, thread, state, periods, None, &mut states);
        }
        let keys = self.threads.keys();
        let unknown_threads =
            keys.filter(|(_, key)| matches!(key, ThreadKey::Handle(_))).count() as u64;
        let Points { builder, period, rows, samples, .. } = self;
        Finished {
            profile: builder.finish(),
            samples,
            untimed: untimed as u64,
            threads: rows.len() as u64,
            unknown_threads,
            running_ns: running.saturating_mul(period) as u64,
            times_ns: spans.map(|(first, end)| {
                let at = |begin: u32| i64::from(begin).saturating_mul(period) as u64;
                (at(first), at(end))
            }),
        }
    }

    fn push(
        &mut self,
        context: ContextId,
        thread: u32,
        state: State,
        periods: i64,
        time: Option<i64>,
        labels: &mut Labels,
    ) {
        let lasted = periods.saturating_mul(self.period);
        let when = |holds: bool| if holds { lasted } else { 0 };
        let values = [lasted, when(state.is_running), when(state.holds_gil), periods];
        let thread = Some(ThreadId(thread));
        let labels = labels.get(state, &self.tasks, &mut self.builder);
        self.builder
            .points
            .push_point(Point { context, labels, time, thread, ..Point::default() }, &values);
    }

    fn close(&mut self, run: Option<Run>) {
        let Some(run) = run else { return };
        if self.closed.len() < MOST_POINTS {
            self.closed.push(run);
        } else {
            let key = (run.context, run.thread, run.state);
            *self.untimed.entry(key).or_default() += i64::from(run.periods);
        }
    }

    fn row(&mut self, pid: u32, thread: ThreadKey) -> usize {
        if let Some(&at) = self.threads.get(&(pid, thread)) {
            return at;
        }
        let process = self.builder.process(&pid.to_string());
        let id = match thread {
            ThreadKey::Number(number) => number.to_string(),
            ThreadKey::Handle(handle) => format!("{handle:#x}"),
        };
        let id = self.builder.thread(Some(process), &id);
        let row = Row { thread: id, frames: vec![], context: ContextId::ROOT, open: None };
        self.rows.push(row);
        self.threads.insert((pid, thread), self.rows.len() - 1);
        self.rows.len() - 1
    }

    fn context(&mut self, frames: &[Frame]) -> ContextId {
        if frames.is_empty() {
            let place = self.builder.place(&Place { function: NO_FRAME, ..Place::default() });
            return self.builder.stack([place]);
        }
        let places: Vec<LocationId> = frames.iter().rev().map(|frame| self.place(frame)).collect();
        self.builder.stack(places)
    }

    fn place(&mut self, frame: &Frame) -> LocationId {
        self.builder.place(&Place {
            function: &frame.name,
            file: &frame.filename,
            line: u32::try_from(frame.line).unwrap_or(0),
            ..Place::default()
        })
    }
}

impl Keep for Points {
    fn process(&mut self, pid: u32, name: &str) {
        let process = self.builder.process(&pid.to_string());
        self.builder.processes[process.index()].name = self.builder.strings.intern(name);
    }

    fn add(&mut self, moment: Moment, pid: u32, threads: Vec<Seen>) {
        for seen in threads {
            self.thread(moment.period, pid, seen);
        }
    }
}

/// A profile, and what is to be known of it.
pub(super) struct Finished {
    pub(super) profile: Profile,
    pub(super) samples: u64,
    /// Samples without a time.
    pub(super) untimed: u64,
    pub(super) threads: u64,
    /// Of them, those that are known by what the kernel does not know.
    pub(super) unknown_threads: u64,
    /// Time of threads that ran, nanoseconds; of those with a time.
    pub(super) running_ns: u64,
    /// Begin of the first sample and end of the last one, from the start.
    pub(super) times_ns: Option<(u64, u64)>,
}

/// Names of tasks.
#[derive(Debug, Default)]
struct TaskNames {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

/// More names are not kept apart.
const MOST_TASKS: usize = 10_000;
const MORE_TASKS: &str = "(more tasks)";

impl TaskNames {
    fn number(&mut self, name: String) -> u32 {
        let is_new = !self.numbers.contains_key(&name);
        let name =
            if is_new && self.names.len() >= MOST_TASKS { MORE_TASKS.to_owned() } else { name };
        *self.numbers.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            self.names.len() as u32 - 1
        })
    }
}

/// Labels of states.
#[derive(Debug, Default)]
struct Labels(HashMap<State, LabelSetId>);

impl Labels {
    fn get(&mut self, state: State, tasks: &TaskNames, builder: &mut ProfileBuilder) -> LabelSetId {
        *self.0.entry(state).or_insert_with(|| {
            let mut label = |key: &str, value: &str| Label {
                key: builder.strings.intern(key),
                value: LabelValue::Text(builder.strings.intern(value)),
            };
            let mut labels = vec![
                label("state", if state.is_running { "running" } else { "waiting" }),
                label("GIL", if state.holds_gil { "held" } else { "not held" }),
            ];
            let task = state.task.and_then(|task| tasks.names.get(task as usize));
            labels.extend(task.map(|task| label("task", task)));
            builder.labels.add(&labels)
        })
    }
}
