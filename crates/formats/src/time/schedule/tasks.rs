//! What becomes of tasks, switch by switch.

use std::collections::{BTreeSet, HashMap, HashSet};

use profile::{
    ContextId, Flow, FlowEnd, Label, LabelSetId, LabelValue, LocationKind, Metric, Place, Point,
    ProfileBuilder, Span, StringId, ThreadId, Timing,
};

use crate::Warnings;
use crate::time::intervals::IntervalMetrics;
use crate::time::schedule::absences::{
    AbsenceMetrics, Absences, KnownAbsences, Leaves, Moved, Wakes,
};
use crate::time::schedule::events::{Events, Switch, Task, WakeKind, Wakeup};
use crate::time::schedule::run::{Ends, Recorded, Run, are_partial};
use crate::time::spans::SpanPoints;
use crate::time::thread_states::{BEGIN_ALONE, END_ALONE, RECORDED, THEN};
use crate::time::thread_tracks::ThreadTracks;

/// What the scheduler's events tell, with times of the producer's clock.
#[derive(Default)]
pub(crate) struct Schedule {
    runs: Vec<Run>,
    /// By thread, when it came and went: the time, whether it came, the processor.
    moves: HashMap<StringId, Vec<(i64, bool, Option<u32>)>>,
    wakeups: Vec<Wakeup>,
    moved: Vec<Moved>,
    leaves: Leaves,
    /// Whether threads may have run on processors that were not recorded.
    pub(crate) is_of_some_processors: bool,
}

/// Where values of runs and absences go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScheduleMetrics {
    runs: IntervalMetrics,
    absences: AbsenceMetrics,
}

impl ScheduleMetrics {
    pub(crate) fn add(metrics: &mut Vec<Metric>) -> ScheduleMetrics {
        let runs = IntervalMetrics::add("run time", "runs", metrics);
        // Runs without a processor are on no track, and so no spans.
        metrics[runs.time()].timing = Timing::Length;
        ScheduleMetrics { runs, absences: AbsenceMetrics::add(metrics) }
    }

    /// Leaves out the metrics of which nothing is known.
    pub(crate) fn leave_out(self, known: Known, keep: &mut [bool]) {
        let time = self.runs.time();
        (keep[time], keep[time + 1]) = (known.runs, known.runs);
        self.absences.leave_out(known.absences, keep);
    }
}

/// Which of the metrics have anything to tell.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Known {
    runs: bool,
    absences: KnownAbsences,
}

impl Schedule {
    /// What switches tell, in any order; those of one time are in the order in which they were.
    pub(crate) fn of_switches(
        events: Events,
        ends: Ends,
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) -> Schedule {
        let Events { mut switches, wakeups, moved } = events;
        switches.sort_by_key(|switch| switch.time);
        let leaves = Leaves::new(&switches);
        let mut schedule = Schedule { wakeups, moved, leaves, ..Schedule::default() };
        schedule.switches(&switches, ends, builder, warnings);
        schedule
    }

    /// Moves of threads alone, where no switches tell of more.
    pub(crate) fn of_moves(moved: Vec<Moved>) -> Schedule {
        Schedule { moved, ..Schedule::default() }
    }

    /// What is known of each run by itself; tracepoints tell the stacks on which threads left.
    pub(crate) fn of_runs(mut runs: Vec<Run>, events: Events) -> Schedule {
        let Events { mut switches, wakeups, moved } = events;
        runs.sort_by_key(|run| run.begin);
        switches.sort_by_key(|switch| switch.time);
        let leaves = Leaves::new(&switches);
        leaves.explain(&mut runs);
        let mut schedule = Schedule { wakeups, moved, leaves, ..Schedule::default() };
        for run in &runs {
            let moves = schedule.moves.entry(run.task.tid).or_default();
            if run.recorded != Recorded::EndAlone {
                moves.push((run.begin, true, run.cpu));
            }
            if matches!(run.recorded, Recorded::Both | Recorded::EndAlone) {
                moves.push((run.begin.saturating_add(run.length), false, run.cpu));
            }
        }
        schedule.runs = runs;
        schedule
    }

    /// When the first run began, by the producer's clock.
    pub(crate) fn first(&self) -> Option<i64> {
        self.runs.iter().map(|run| run.begin).min()
    }

    /// When the last run ended.
    pub(crate) fn last(&self) -> Option<i64> {
        self.runs.iter().map(|run| run.begin.saturating_add(run.length)).max()
    }

    /// Whether it tells nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty() && self.moved.is_empty()
    }

    /// Bytes that it takes, and that its points will take at most.
    pub(crate) fn heap_bytes(&self, metrics: usize) -> usize {
        /// A span, and two points with their labels and links.
        const RUN: usize = size_of::<Run>() + 160;
        let moved = self.moved.len() * (40 + metrics * 8);
        self.runs.len() * (RUN + metrics * 16) + self.wakeups.len() * 96 + moved
    }

    fn switches(
        &mut self,
        switches: &[Switch],
        mut ends: Ends,
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) {
        // Number 0 is what runs where nothing does.
        let idle = builder.strings.intern("0");
        // Of single programs alone what others do is not recorded, and neither is when they leave.
        if !switches.iter().any(|switch| switch.before.tid == idle) {
            (ends.began, ends.recording) = (None, None);
        }
        // By processor, what runs since when.
        let mut running: HashMap<u32, (i64, Task)> = HashMap::new();
        let mut seen: HashSet<u32> = HashSet::new();
        for &Switch { time, cpu, before, then, next, .. } in switches {
            let is_first = seen.insert(cpu) && !self.moves.contains_key(&before.tid);
            self.moves.entry(before.tid).or_default().push((time, false, Some(cpu)));
            let came = running.remove(&cpu);
            let is_same = came.is_some_and(|(_, task)| task.tid == before.tid);
            if let Some((begin, task)) = came {
                let run = (Some(cpu), begin, task);
                let ended = if is_same { None } else { ends.of_exit(run, time, builder) };
                self.runs.push(match ended {
                    Some(ended) => ended,
                    None if is_same => {
                        let (length, recorded) = (time.saturating_sub(begin), Recorded::Both);
                        Run { cpu: Some(cpu), begin, length, task, then, recorded }
                    }
                    None => {
                        warnings.add("switches", || {
                            "threads ran on a processor whose switch away from it was not recorded"
                                .to_owned()
                        });
                        Run::alone(Some(cpu), begin, task, Recorded::BeginAlone)
                    }
                });
            }
            if !is_same && before.tid != idle {
                let end = (Some(cpu), time, before);
                self.runs.push(if is_first {
                    ends.first(end, then)
                } else {
                    Run { then, ..Run::alone(end.0, end.1, end.2, Recorded::EndAlone) }
                });
            }
            if next.tid != idle {
                self.moves.entry(next.tid).or_default().push((time, true, Some(cpu)));
                running.insert(cpu, (time, next));
            }
        }
        let mut running: Vec<_> = running.into_iter().collect();
        running.sort_unstable();
        for (cpu, (begin, task)) in running {
            self.runs.push(ends.last((Some(cpu), begin, task), builder));
        }
    }

    /// Puts runs onto the tracks of their processors, arrows from where threads were woken to where
    /// they ran next, and counts what was between runs. `clock` is where times of the profile begin.
    pub(crate) fn push(
        mut self,
        metrics: Option<ScheduleMetrics>,
        clock: i64,
        tracks: &mut ThreadTracks,
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) -> Known {
        // Nothing may have been sampled there.
        let cpus: BTreeSet<u32> = self.runs.iter().filter_map(|run| run.cpu).collect();
        tracks.make_processors(cpus, builder);
        self.push_wakeups(clock, tracks, builder);
        let Some(metrics) = metrics else { return Known::default() };
        let mut tasks = Tasks::of_known(builder);
        self.push_runs(metrics.runs, clock, tracks, &mut tasks, builder);
        let is_partial = are_partial(&self.runs);
        if is_partial {
            warnings.add("switches of some", || {
                "of most runs one end is missing, as of one program alone: run time, off-CPU time \
                 and what is made of them (utilisation) are not shown, because those of the others would be far too low; record all processors (-a), or --switch-events"
                    .to_owned()
            });
        }
        let runs = !self.runs.is_empty() && !is_partial;
        if self.runs.is_empty() {
            let absences =
                KnownAbsences { migrations: !self.moved.is_empty(), ..KnownAbsences::default() };
            crate::time::schedule::absences::push_moved(
                &self.moved,
                metrics.absences,
                clock,
                &mut tasks,
                builder,
            );
            return Known { runs, absences };
        }
        if self.is_of_some_processors {
            warnings.add("some processors", || {
                "some processors were not recorded (-C), and threads may have run there: how long they were away and waited, and where they went, is not shown; record all of them (-a)"
                    .to_owned()
            });
            return Known { runs, absences: KnownAbsences::default() };
        }
        let (leaves, wakes) = (std::mem::take(&mut self.leaves), Wakes::new(&self.wakeups));
        let (metrics, tasks) = (metrics.absences, &mut tasks);
        let absences = Absences { leaves, wakes, metrics, clock, tracks, tasks, builder };
        let absences = if is_partial {
            absences.push_migrations(&self.runs)
        } else {
            absences.push(&self.runs, warnings)
        };
        Known { runs, absences }
    }

    fn push_wakeups(&self, clock: i64, tracks: &ThreadTracks, builder: &mut ProfileBuilder) {
        let next_of = |wakeup: &Wakeup| {
            let moves = self.moves.get(&wakeup.woken).map_or(&[][..], Vec::as_slice);
            let next = moves.partition_point(|&(at, ..)| at < wakeup.time);
            // A thread that leaves a processor next was running already.
            let &(at, _, to) = moves.get(next).filter(|(_, is_coming, _)| *is_coming)?;
            Some((next, at, to))
        };
        // One that both events tell of is one arrow, from who woke it.
        let of_waking = |wakeup: &&Wakeup| wakeup.kind == WakeKind::Waking;
        let told: HashSet<(StringId, usize)> = (self.wakeups.iter().filter(of_waking))
            .filter_map(|wakeup| Some((wakeup.woken, next_of(wakeup)?.0)))
            .collect();
        for wakeup in &self.wakeups {
            let Some((next, at, to)) = next_of(wakeup) else { continue };
            if wakeup.kind == WakeKind::Queued && told.contains(&(wakeup.woken, next)) {
                continue;
            }
            let end = |cpu: Option<u32>, time: i64| {
                let track = tracks.of_processor(cpu?)?;
                Some(FlowEnd { track, time: time.saturating_sub(clock) })
            };
            if let (Some(from), Some(to)) = (end(Some(wakeup.cpu), wakeup.time), end(to, at)) {
                builder.timeline.flows.push(Flow { name: wakeup.name, from, to });
            }
        }
    }

    fn push_runs(
        &self,
        metrics: IntervalMetrics,
        clock: i64,
        tracks: &ThreadTracks,
        tasks: &mut Tasks,
        builder: &mut ProfileBuilder,
    ) {
        let mut points = SpanPoints::default();
        let keys = [RECORDED, THEN].map(|key| builder.strings.intern(key));
        for &Run { cpu, begin, length, task, then, recorded } in &self.runs {
            let thread = Some(tasks.of(task, builder));
            let context = tasks.context(task, builder);
            let begin = begin.saturating_sub(clock);
            let Some((cpu, track)) = cpu.and_then(|cpu| Some((cpu, tracks.of_processor(cpu)?)))
            else {
                let (time, none) = (Some(begin), vec![0; builder.points.metrics()]);
                let point = Point { context, time, thread, cpu, ..Point::default() };
                let point = builder.points.push_point(point, &none);
                metrics.count(point, length, builder);
                continue;
            };
            let point = points.of_processor((thread, Some(cpu), context, LabelSetId(0)), builder);
            metrics.count(point, length, builder);
            let one_end = match recorded {
                Recorded::Both | Recorded::ToEnd => None,
                Recorded::BeginAlone => Some(BEGIN_ALONE),
                Recorded::EndAlone => Some(END_ALONE),
            };
            let one_end = one_end.map(|words| builder.strings.intern(words));
            let then = Some(then).filter(|&then| then != StringId::EMPTY);
            let label = |key, text| Label { key, value: LabelValue::Text(text) };
            let told =
                [one_end.map(|text| label(keys[0], text)), then.map(|text| label(keys[1], text))];
            let told: Vec<Label> = told.into_iter().flatten().collect();
            let arguments = builder.labels.add(&told);
            builder
                .timeline
                .spans
                .push(track, Span { begin, length, point, arguments, ..Span::default() });
        }
    }
}

/// Threads of the profile by their numbers, and what stands for them where no stack is known.
pub(super) struct Tasks {
    threads: HashMap<StringId, ThreadId>,
}

impl Tasks {
    fn of_known(builder: &ProfileBuilder) -> Tasks {
        let known = (0u32..).zip(&builder.threads).map(|(row, thread)| (thread.id, ThreadId(row)));
        Tasks { threads: known.collect() }
    }

    pub(super) fn of(
        &mut self,
        Task { tid, comm }: Task,
        builder: &mut ProfileBuilder,
    ) -> ThreadId {
        *self.threads.entry(tid).or_insert_with(|| {
            let id = builder.strings.get(tid).to_owned();
            let thread = builder.thread(None, &id);
            builder.threads[thread.index()].name = comm;
            thread
        })
    }

    /// A region by the name of a thread.
    pub(super) fn context(&self, task: Task, builder: &mut ProfileBuilder) -> ContextId {
        let function = builder.strings.get(task.comm).to_owned();
        let place = Place { kind: LocationKind::Region, function: &function, ..Place::default() };
        let location = builder.place(&place);
        builder.contexts.child(ContextId::ROOT, location)
    }
}
