//! What the kernel's scheduler tells: which thread ran on which processor, and who woke it.
//!
//! A switch tells what ran before it and what runs from then on. Recordings of single programs lack
//! the switches of others: what a switch began and the next one of its processor ended is a span, and
//! where one of both is missing, an instant that says so. A wake-up tells which thread may run from
//! then on: an arrow goes to where it does.

use std::collections::HashMap;

use profile::{
    Flow, FlowEnd, Label, LabelSetId, LabelValue, LocationKind, Place, ProfileBuilder, Span,
    StringId, ThreadId,
};

use crate::Warnings;
use crate::intervals::IntervalMetrics;
use crate::spans::SpanPoints;
use crate::thread_states::{BEGIN_ALONE, END_ALONE, RECORDED, THEN};
use crate::thread_tracks::ThreadTracks;

/// A thread by its number and its name then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Task {
    pub(crate) tid: StringId,
    pub(crate) comm: StringId,
}

/// A processor went from one thread to another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Switch {
    /// The producer's clock.
    pub(crate) time: i64,
    pub(crate) cpu: u32,
    pub(crate) before: Task,
    /// What became of it; empty if that is not told.
    pub(crate) then: StringId,
    pub(crate) next: Task,
}

/// A thread was woken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wakeup {
    /// The producer's clock.
    pub(crate) time: i64,
    /// Where that was done.
    pub(crate) cpu: u32,
    /// The event that tells it.
    pub(crate) name: StringId,
    pub(crate) woken: StringId,
}

/// A while that a thread ran on a processor.
pub(crate) struct Run {
    pub(crate) cpu: u32,
    /// The producer's clock.
    pub(crate) begin: i64,
    pub(crate) length: i64,
    pub(crate) task: Task,
    /// What became of it then; empty if that is not told.
    pub(crate) then: StringId,
    pub(crate) recorded: Recorded,
}

/// What the recording has of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recorded {
    Both,
    /// It has no length then.
    BeginAlone,
    EndAlone,
}

/// What the scheduler's events tell, with times of the producer's clock.
#[derive(Default)]
pub(crate) struct Schedule {
    runs: Vec<Run>,
    /// By thread, when it came and went: the time, whether it came, the processor.
    moves: HashMap<StringId, Vec<(i64, bool, u32)>>,
    wakeups: Vec<Wakeup>,
}

impl Schedule {
    /// What switches tell, in any order; those of one time are in the order in which they were.
    pub(crate) fn of_switches(
        mut switches: Vec<Switch>,
        wakeups: Vec<Wakeup>,
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) -> Schedule {
        switches.sort_by_key(|switch| switch.time);
        let mut schedule = Schedule { wakeups, ..Schedule::default() };
        schedule.switches(&switches, builder, warnings);
        schedule
    }

    /// What is known of each run by itself.
    pub(crate) fn of_runs(mut runs: Vec<Run>, wakeups: Vec<Wakeup>) -> Schedule {
        runs.sort_by_key(|run| run.begin);
        let mut schedule = Schedule { wakeups, ..Schedule::default() };
        for run in &runs {
            let moves = schedule.moves.entry(run.task.tid).or_default();
            if run.recorded != Recorded::EndAlone {
                moves.push((run.begin, true, run.cpu));
            }
            if run.recorded != Recorded::BeginAlone {
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

    /// Whether nothing ran.
    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    fn switches(
        &mut self,
        switches: &[Switch],
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) {
        // Number 0 is what runs where nothing does.
        let idle = builder.strings.intern("0");
        // By processor, what runs since when.
        let mut running: HashMap<u32, (i64, Task)> = HashMap::new();
        for &Switch { time, cpu, before, then, next } in switches {
            self.moves.entry(before.tid).or_default().push((time, false, cpu));
            let came = running.remove(&cpu);
            let is_same = came.is_some_and(|(_, task)| task.tid == before.tid);
            if let Some((begin, task)) = came {
                let (length, then, recorded) = if is_same {
                    (time.saturating_sub(begin), then, Recorded::Both)
                } else {
                    warnings.add("switches", || {
                        "threads ran on a processor whose switch away from it was not recorded"
                            .to_owned()
                    });
                    (0, StringId::EMPTY, Recorded::BeginAlone)
                };
                self.runs.push(Run { cpu, begin, length, task, then, recorded });
            }
            if !is_same && before.tid != idle {
                let (task, length, recorded) = (before, 0, Recorded::EndAlone);
                self.runs.push(Run { cpu, begin: time, length, task, then, recorded });
            }
            if next.tid != idle {
                self.moves.entry(next.tid).or_default().push((time, true, cpu));
                running.insert(cpu, (time, next));
            }
        }
        let mut running: Vec<_> = running.into_iter().collect();
        running.sort_unstable();
        for (cpu, (begin, task)) in running {
            let (then, recorded) = (StringId::EMPTY, Recorded::BeginAlone);
            self.runs.push(Run { cpu, begin, length: 0, task, then, recorded });
        }
    }

    /// Puts runs onto the tracks of their processors, and arrows from where threads were woken to
    /// where they ran next.
    pub(crate) fn push(
        self,
        metrics: Option<IntervalMetrics>,
        clock: i64,
        tracks: &ThreadTracks,
        builder: &mut ProfileBuilder,
    ) {
        for Wakeup { time, cpu, name, woken } in self.wakeups {
            let moves = self.moves.get(&woken).map_or(&[][..], Vec::as_slice);
            let next = moves.get(moves.partition_point(|&(at, ..)| at < time));
            // A thread that leaves a processor next was running already.
            let Some(&(at, true, to)) = next else { continue };
            let end = |cpu: u32, time: i64| {
                let track = tracks.of_processor(cpu)?;
                Some(FlowEnd { track, time: time.saturating_sub(clock) })
            };
            if let (Some(from), Some(to)) = (end(cpu, time), end(to, at)) {
                builder.timeline.flows.push(Flow { name, from, to });
            }
        }
        let Some(metrics) = metrics else { return };
        let known = (0u32..).zip(&builder.threads).map(|(row, thread)| (thread.id, ThreadId(row)));
        let mut threads: HashMap<StringId, ThreadId> = known.collect();
        let mut points = SpanPoints::default();
        let keys = [RECORDED, THEN].map(|key| builder.strings.intern(key));
        for Run { cpu, begin, length, task, then, recorded } in self.runs {
            let Task { tid, comm } = task;
            let Some(track) = tracks.of_processor(cpu) else { continue };
            let thread = *threads.entry(tid).or_insert_with(|| {
                let id = builder.strings.get(tid).to_owned();
                let thread = builder.thread(None, &id);
                builder.threads[thread.index()].name = comm;
                thread
            });
            let function = builder.strings.get(comm).to_owned();
            let place =
                Place { kind: LocationKind::Region, function: &function, ..Place::default() };
            let location = builder.place(&place);
            let context = builder.contexts.child(profile::ContextId::ROOT, location);
            let point =
                points.of_processor((Some(thread), Some(cpu), context, LabelSetId(0)), builder);
            metrics.count(point, length, builder);
            let begin = begin.saturating_sub(clock);
            let one_end = match recorded {
                Recorded::Both => None,
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
            builder.timeline.spans.push(track, Span { begin, length, point, arguments });
        }
    }
}
