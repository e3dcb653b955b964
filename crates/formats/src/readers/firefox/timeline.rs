//! Threads and processes as tracks, with what markers and counters tell on them.

use hashbrown::HashMap;
use profile::{MetricId, ProcessId, ProfileBuilder, ThreadId, Track, TrackId, TrackKind};

use super::counters::Counter;
use super::markers::ThreadMarkers;
use super::samples::CpuUse;
use crate::Warnings;
use crate::time::intervals;
use crate::time::intervals::{Interval, IntervalMetrics, Line};
use crate::time::spans::SpanPoints;

/// What a thread of the file has for the timeline.
pub(super) struct ThreadLine {
    pub(super) thread: ThreadId,
    pub(super) process: ProcessId,
    pub(super) markers: ThreadMarkers,
    pub(super) has_samples: bool,
    pub(super) cpu_use: CpuUse,
}

/// A counter with its process and what is added to its times.
pub(super) type CounterOf = (ProcessId, i64, Counter);

/// Metrics of the intervals, if there are any, before the first point. They come first only where
/// nothing was sampled.
pub(super) fn add_metrics(
    lines: &[ThreadLine],
    builder: &mut ProfileBuilder,
) -> Option<IntervalMetrics> {
    if lines.iter().all(|line| line.markers.intervals.is_empty()) {
        return None;
    }
    let metrics = IntervalMetrics::add("marker time", "markers", &mut builder.metrics);
    builder.points = profile::Points::new(builder.metrics.len());
    if !lines.iter().any(|line| line.has_samples) {
        builder.origin.default_metric = MetricId(metrics.time() as u32);
    }
    Some(metrics)
}

/// Makes the tracks and puts everything onto them.
pub(super) fn push(
    lines: Vec<ThreadLine>,
    counters: &[CounterOf],
    metrics: Option<IntervalMetrics>,
    builder: &mut ProfileBuilder,
    warnings: &mut Warnings,
) {
    let mut processes: HashMap<ProcessId, TrackId> = HashMap::new();
    let mut of_process = |process: ProcessId, builder: &mut ProfileBuilder| {
        *processes.entry(process).or_insert_with(|| {
            let kind = TrackKind::Process;
            builder.timeline.track(Track { kind, process: Some(process), ..Track::default() })
        })
    };
    let mut tracks: HashMap<ThreadId, usize> = HashMap::new();
    // A thread may be told of in several parts.
    let mut all: Vec<(Line, Vec<Interval>)> = vec![];
    for ThreadLine { thread, process, markers, has_samples, cpu_use } in lines {
        if !has_samples && markers.is_empty() {
            continue;
        }
        let parent = of_process(process, builder);
        let place = *tracks.entry(thread).or_insert_with(|| {
            let track = builder.timeline.track(Track {
                parent: Some(parent),
                process: Some(process),
                thread: Some(thread),
                ..Track::default()
            });
            all.push((Line { thread: Some(thread), track, runs: true }, vec![]));
            all.len() - 1
        });
        let (line, intervals) = &mut all[place];
        markers.push_marks(line.track, builder);
        if !cpu_use.values.is_empty() {
            let [name, unit] = ["CPU use", cpu_use.unit].map(|text| builder.strings.intern(text));
            let series = builder.timeline.counter(line.track, name, unit);
            cpu_use.values.iter().for_each(|&(time, value)| series.push(time, value));
        }
        intervals.extend(markers.intervals);
    }
    for (process, offset, counter) in counters.iter().filter(|(.., one)| !one.is_empty()) {
        let track = of_process(*process, builder);
        counter.push(track, *offset, builder, warnings);
    }
    let Some(metrics) = metrics else { return };
    let mut points = SpanPoints::default();
    for (line, intervals) in all {
        intervals::push(intervals, line, metrics, &mut points, builder);
    }
}

/// The process that a counter is of: the one with its number, else that of a thread it names.
pub(super) fn process_of(
    counter: &Counter,
    lines: &[ThreadLine],
    builder: &mut ProfileBuilder,
) -> ProcessId {
    let of_thread = || counter.thread.and_then(|thread| lines.get(thread)).or(lines.first());
    if counter.pid.is_empty()
        && let Some(line) = of_thread()
    {
        return line.process;
    }
    builder.process(&counter.pid)
}

/// Says how long it all took: from the first sample or marker to the last.
pub(super) fn tell_duration(lines: &[ThreadLine], builder: &mut ProfileBuilder) {
    let times = lines.iter().filter_map(|line| line.markers.extent());
    let points = builder.points.first_time().zip(builder.points.last_time());
    let points = points.map(|(first, last)| [first, last]);
    let extent = points
        .into_iter()
        .chain(times)
        .reduce(|[first, last], [begin, end]| [first.min(begin), last.max(end)]);
    let [first, last] = extent.unwrap_or_default();
    builder.origin.duration_ns = last.saturating_sub(first);
}
