//! Samples as a profile.
//!
//! ```text
//! round         0   1   2   3   4   5    6
//! thread   ?????|aaa|aaa|bbb|bb|????|bbbb|     points: not observed, a for two rounds, b for two, ...
//! ```
//! What a thread does for several rounds in a row is one point, so that threads that wait cost nothing. 48 bytes a
//! point until the end: an hour of 1000 samples a second that all differ is 173 MB.

use std::collections::HashMap;

use profile::{
    ContextId, Label, LabelSetId, LabelValue, LocationId, Metric, Place, Point, Profile,
    ProfileBuilder, ThreadId, Timing,
};
use py_spy::Frame;

use super::sampler::{Keep, Moment, Since};
use super::stacks::{Seen, ThreadKey};
use super::weights::{Look, Rest, Span, Weights};

/// Points beyond this many have no time: they are added up.
const MOST_POINTS: usize = 20_000_000;
/// A sample stands for so many periods, at most, or for the time below if that is longer.
const MOST_PERIODS: u64 = 10;
const LONGEST_NS: u64 = 50_000_000;

/// Stands for threads in which no function of Python is running.
const NO_FRAME: &str = "(no Python function)";
/// Stands for time of which no sample tells.
const NOT_OBSERVED: &str = "(not observed)";

/// Makes a profile of samples.
pub(super) struct Points {
    builder: ProfileBuilder,
    /// A sample stands for so many nanoseconds, at most.
    longest: u64,
    processes: HashMap<u32, Weights>,
    threads: HashMap<(u32, ThreadKey), usize>,
    rows: Vec<Row>,
    closed: Vec<Run>,
    /// What has no time, by context, thread and state.
    untimed: HashMap<(ContextId, u32, State), Values>,
    /// Time of main threads after the last look at them, by process and row.
    tails: Vec<(u32, usize, Span)>,
    samples: u64,
    untimed_samples: u64,
    observed: Observed,
    tasks: TaskNames,
}

/// What samples tell of, and what they do not: nanoseconds of all threads.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Observed {
    pub(super) wall: u64,
    pub(super) lost_wall: u64,
    pub(super) cpu: u64,
    pub(super) lost_cpu: u64,
}

/// A thread, and what it does since when.
struct Row {
    thread: ThreadId,
    frames: Vec<Frame>,
    context: ContextId,
    open: Option<Run>,
}

/// The same for some rounds.
#[derive(Debug, Clone, Copy)]
struct Run {
    /// Nanoseconds from the start.
    begin: u64,
    values: Values,
    context: ContextId,
    thread: u32,
    state: State,
}

#[derive(Debug, Clone, Copy, Default)]
struct Values {
    /// Nanoseconds.
    wall: u64,
    cpu: u64,
    samples: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    does: Does,
    holds_gil: bool,
    /// A task of asyncio, as [`TaskNames`] counts them.
    task: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Does {
    Run,
    Wait,
    /// Nobody knows.
    Unknown,
}

const UNKNOWN: State = State { does: Does::Unknown, holds_gil: false, task: None };

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
            longest: period.saturating_mul(MOST_PERIODS).max(LONGEST_NS),
            processes: HashMap::new(),
            threads: HashMap::new(),
            rows: vec![],
            closed: vec![],
            untimed: HashMap::new(),
            tails: vec![],
            samples: 0,
            untimed_samples: 0,
            observed: Observed::default(),
            tasks: TaskNames::default(),
        }
    }

    /// Samples that were taken: one of each thread each time.
    pub(super) fn samples(&self) -> u64 {
        self.samples
    }

    /// A thread as it was in a round.
    fn thread(&mut self, at: u64, pid: u32, seen: Seen) {
        let Some(weights) = self.processes.get_mut(&pid) else { return };
        let Seen { is_running, is_torn, cpu_ns: cpu, .. } = seen;
        let added = weights.see(at, seen.thread, Look { is_running, cpu, is_torn });
        let row = self.row(pid, seen.thread);
        if let Some(name) = &seen.name {
            let thread = self.rows[row].thread;
            self.builder.threads[thread.index()].name = self.builder.strings.intern(name);
        }
        if let Some(span) = added.lost {
            self.lose(row, span);
        }
        let Some(span) = added.seen else { return };
        self.samples += 1;
        self.observed.wall += span.to - span.from;
        self.observed.cpu += span.cpu;
        if self.rows[row].frames != seen.frames || self.rows[row].context == ContextId::ROOT {
            self.rows[row].context = self.context(&seen.frames);
            self.rows[row].frames = seen.frames;
        }
        let task = seen.task.map(|name| self.tasks.number(name));
        let does = if is_running { Does::Run } else { Does::Wait };
        let state = State { does, holds_gil: seen.holds_gil, task };
        self.put(row, span, self.rows[row].context, state, 1);
    }

    /// Time of a thread that no sample tells of.
    fn lose(&mut self, row: usize, span: Span) {
        self.observed.lost_wall += span.to - span.from;
        self.observed.lost_cpu += span.cpu;
        let context = self.not_observed();
        self.put(row, span, context, UNKNOWN, 0);
    }

    /// Time on processors that no sample tells of, and nobody knows of when it was.
    fn lose_cpu(&mut self, row: usize, cpu: u64) {
        self.observed.lost_cpu += cpu;
        let key = (self.not_observed(), self.rows[row].thread.0, UNKNOWN);
        self.untimed.entry(key).or_default().cpu += cpu;
    }

    fn put(&mut self, row: usize, span: Span, context: ContextId, state: State, samples: u32) {
        let Span { from: begin, to, cpu } = span;
        let row = &mut self.rows[row];
        let values = Values { wall: to - begin, cpu, samples };
        if let Some(open) = &mut row.open
            && open.begin + open.values.wall == begin
            && (open.context, open.state) == (context, state)
        {
            open.values.add(values);
            return;
        }
        let thread = row.thread.0;
        let before = row.open.replace(Run { begin, values, context, thread, state });
        self.close(before);
    }

    fn not_observed(&mut self) -> ContextId {
        let place = self.builder.place(&Place { function: NOT_OBSERVED, ..Place::default() });
        self.builder.stack([place])
    }

    /// The profile. Its points stand by time; those without come last. `kernel_ns` is what the kernel counted
    /// of processors for all that ran, `first` the process that has what nobody sampled of it. `ended` is when
    /// that process ended, or its recording did: a sampler that waits for a processor notices it late.
    pub(super) fn finish(mut self, kernel_ns: u64, first: u32, ended: Option<u64>) -> Finished {
        for (pid, row, mut tail) in std::mem::take(&mut self.tails) {
            if let Some(ended) = ended.filter(|_| pid == first) {
                tail.to = ended;
            }
            if tail.to > tail.from {
                self.lose(row, tail);
            }
        }
        for at in 0..self.rows.len() {
            let open = self.rows[at].open.take();
            self.close(open);
        }
        let told = self.observed.cpu + self.observed.lost_cpu;
        let key = (first, ThreadKey::Number(first));
        let left = kernel_ns.saturating_sub(told);
        if left > 0
            && let Some(&row) = self.threads.get(&key)
        {
            self.lose_cpu(row, left);
        }
        self.closed.sort_by_key(|run| run.begin);
        let mut states = Labels::default();
        let ends = self.closed.iter().map(|run| run.begin.saturating_add(run.values.wall));
        let times_ns = self.closed.first().map(|run| run.begin).zip(ends.max());
        for run in std::mem::take(&mut self.closed) {
            self.push(
                (run.context, run.thread, run.state),
                run.values,
                Some(run.begin),
                &mut states,
            );
        }
        for (key, values) in std::mem::take(&mut self.untimed) {
            self.push(key, values, None, &mut states);
        }
        let keys = self.threads.keys();
        let unknown_threads =
            keys.filter(|(_, key)| matches!(key, ThreadKey::Handle(_))).count() as u64;
        Finished {
            profile: self.builder.finish(),
            samples: self.samples,
            untimed: self.untimed_samples,
            threads: self.rows.len() as u64,
            unknown_threads,
            observed: self.observed,
            times_ns,
        }
    }

    fn push(
        &mut self,
        (context, thread, state): (ContextId, u32, State),
        Values { wall, cpu, samples }: Values,
        time: Option<u64>,
        labels: &mut Labels,
    ) {
        let whole = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        let gil = if state.holds_gil { wall } else { 0 };
        let values = [whole(wall), whole(cpu), whole(gil), i64::from(samples)];
        let labels = labels.get(state, &self.tasks, &mut self.builder);
        let (time, thread) = (time.map(whole), Some(ThreadId(thread)));
        self.builder
            .points
            .push_point(Point { context, labels, time, thread, ..Point::default() }, &values);
    }

    fn close(&mut self, run: Option<Run>) {
        let Some(run) = run else { return };
        if self.closed.len() < MOST_POINTS {
            self.closed.push(run);
        } else {
            self.untimed_samples += u64::from(run.values.samples);
            self.untimed.entry((run.context, run.thread, run.state)).or_default().add(run.values);
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

impl Values {
    fn add(&mut self, other: Values) {
        self.wall += other.wall;
        self.cpu += other.cpu;
        self.samples = self.samples.saturating_add(other.samples);
    }
}

impl Keep for Points {
    fn process(&mut self, pid: u32, name: &str, since: Since) {
        let process = self.builder.process(&pid.to_string());
        self.builder.processes[process.index()].name = self.builder.strings.intern(name);
        let (began, is_whole) = match since {
            Since::Began(at) => (at, true),
            Since::Before(at) => (at, false),
        };
        let new = || Weights::new(self.longest, ThreadKey::Number(pid), began, is_whole);
        self.processes.entry(pid).and_modify(Weights::again).or_insert_with(new);
    }

    fn add(&mut self, moment: Moment, pid: u32, threads: Vec<Seen>) {
        for seen in threads {
            self.thread(moment.at, pid, seen);
        }
        if let Some(weights) = self.processes.get_mut(&pid) {
            weights.end_round(moment.at, moment.cpu_ns);
        }
    }

    fn fail(&mut self, at: u64, pid: u32) {
        if let Some(weights) = self.processes.get_mut(&pid) {
            weights.fail(at);
        }
    }

    fn end(&mut self, at: u64, pid: u32) {
        // The number may be another process's after it.
        let Some(mut weights) = self.processes.remove(&pid) else { return };
        let Rest { tail, cpu } = weights.end(at);
        let main = ThreadKey::Number(pid);
        if let (Some(tail), Some(&row)) = (tail, self.threads.get(&(pid, main))) {
            self.tails.push((pid, row, tail));
        }
        for (thread, cpu) in cpu {
            let row = self.row(pid, thread);
            self.lose_cpu(row, cpu);
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
    pub(super) observed: Observed,
    /// Begin of the first point and end of the last one, from the start.
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
            let does = match state.does {
                Does::Run => "running",
                Does::Wait => "waiting",
                Does::Unknown => "not observed",
            };
            let mut labels = vec![label("state", does)];
            if state.does != Does::Unknown {
                labels.push(label("GIL", if state.holds_gil { "held" } else { "not held" }));
            }
            let task = state.task.and_then(|task| tasks.names.get(task as usize));
            labels.extend(task.map(|task| label("task", task)));
            builder.labels.add(&labels)
        })
    }
}

#[cfg(test)]
mod tests {
    use profile::MetricId;

    use super::*;

    const WALL: MetricId = MetricId(0);
    const PROGRAM: u32 = 7;
    const CHILD: u32 = 8;

    /// Two processes seen at 100 ns, whose ends are noticed at 900 ns.
    fn noticed_late() -> Points {
        let mut points = Points::new(1_000);
        for pid in [PROGRAM, CHILD] {
            points.process(pid, "python", Since::Began(0));
            let seen = Seen {
                thread: ThreadKey::Number(pid),
                name: None,
                frames: vec![],
                is_running: true,
                is_torn: false,
                holds_gil: false,
                cpu_ns: Some(100),
                task: None,
            };
            points.add(Moment { at: 100, took: 1, cpu_ns: Some(100) }, pid, vec![seen]);
            points.end(900, pid);
        }
        points
    }

    #[test]
    fn a_program_has_time_until_its_end_whenever_that_is_noticed() {
        let wall = |ended| {
            let finished = noticed_late().finish(200, PROGRAM, ended);
            assert_eq!(finished.observed.wall + finished.observed.lost_wall, {
                let total = finished.profile.metric_total(WALL).0;
                u64::try_from(total).unwrap()
            });
            (finished.profile.metric_total(WALL).0, finished.times_ns)
        };
        assert_eq!(wall(None), (1_800, Some((0, 900))));
        assert_eq!(wall(Some(1_000)), (1_900, Some((0, 1_000))));
        // What it started may live longer.
        assert_eq!(wall(Some(300)), (1_200, Some((0, 900))));
        // It ended before it was last looked at, by clocks that are read one after the other.
        assert_eq!(wall(Some(50)), (1_000, Some((0, 900))));
    }
}
