//! Threads as tracks, and what happened on them.

use hashbrown::HashMap;
use profile::{Mark, ProfileBuilder, ThreadId, Track, TrackId, TrackKind};

use super::happenings::Happenings;
use crate::Warnings;
use crate::time::intervals;
use crate::time::intervals::{Interval, IntervalMetrics, Line};
use crate::time::spans::SpanPoints;

/// Metrics of the spans, if there are any, before the first point.
pub(super) fn add_metrics(
    happenings: &Happenings,
    builder: &mut ProfileBuilder,
) -> Option<IntervalMetrics> {
    let lasted = happenings.events.iter().any(|event| event.length > 0);
    lasted.then(|| IntervalMetrics::add("event time", "events", &mut builder.metrics))
}

/// Makes the tracks and puts everything onto them. Threads that have `timed` points have one.
pub(super) fn push(
    happenings: Happenings,
    timed: &[bool],
    metrics: Option<IntervalMetrics>,
    builder: &mut ProfileBuilder,
    warnings: &mut Warnings,
) {
    let Happenings { events, values, negative, not_finite } = happenings;
    if events.is_empty() && values.is_empty() && !timed.contains(&true) {
        return;
    }
    let machine = builder.strings.intern("Java machine");
    let kind = TrackKind::Process;
    let machine = builder.timeline.track(Track { kind, name: machine, ..Track::default() });
    let mut has_track = timed.to_vec();
    let threads = events.iter().map(|event| event.thread);
    for thread in threads.chain(values.iter().map(|value| value.thread)).flatten() {
        has_track[thread.index()] = true;
    }
    let mut tracks: Vec<TrackId> = vec![machine; has_track.len()];
    for (row, _) in has_track.iter().enumerate().filter(|(_, has)| **has) {
        tracks[row] = builder.timeline.track(Track {
            parent: Some(machine),
            thread: Some(ThreadId(row as u32)),
            ..Track::default()
        });
    }
    let track_of = |thread: Option<ThreadId>| thread.map_or(machine, |id| tracks[id.index()]);
    let mut lines: HashMap<Option<ThreadId>, Vec<Interval>> = HashMap::new();
    for event in events {
        if event.length > 0 {
            lines.entry(event.thread).or_default().push(Interval {
                begin: event.time,
                length: event.length,
                is_unfinished: false,
                stack: event.context,
                location: event.location,
                group: event.name,
                is_asynchronous: false,
                labels: profile::LabelSetId(0),
                arguments: event.arguments,
            });
            continue;
        }
        builder.timeline.mark(Mark {
            track: track_of(event.thread),
            time: event.time,
            kind: event.name,
            fields: event.arguments,
        });
    }
    for value in values {
        let track = track_of(value.thread);
        builder.timeline.counter(track, value.name, value.unit).push(value.time, value.value);
    }
    if negative > 0 {
        warnings.add_many("negative", negative, || "durations below 0 are taken as 0".to_owned());
    }
    if not_finite > 0 {
        warnings.add_many("not finite", not_finite, || {
            "values of counters that are not finite numbers are left out".to_owned()
        });
    }
    let Some(metrics) = metrics else { return };
    let mut lines: Vec<_> = lines.into_iter().collect();
    lines.sort_by_key(|(thread, _)| *thread);
    let mut points = SpanPoints::default();
    for (thread, intervals) in lines {
        // What no thread ran may be side by side.
        let line = Line { thread, track: track_of(thread), runs: thread.is_some() };
        intervals::push(intervals, line, metrics, &mut points, builder);
    }
}
