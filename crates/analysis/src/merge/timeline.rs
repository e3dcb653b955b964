//! Timelines side by side: every track of an input stays a track of its own.

use profile::{
    Counter, Flow, FlowEnd, Mark, MemberId, PointId, Profile, ProfileBuilder, Span, StringId,
    Track, TrackId,
};
use work::steps;

use super::merged::Ids;

/// Appends what happened in an input, whose points are those `points` of the merge.
pub(super) fn add(
    builder: &mut ProfileBuilder,
    input: &Profile,
    (ids, strings): (&Ids, &[StringId]),
    points: impl Fn(PointId) -> PointId,
) {
    let from = &input.timeline;
    let text = |id: StringId| strings[id.index()];
    let first = builder.timeline.tracks.len() as u32;
    let moved = |track: TrackId| TrackId(first + track.0);
    for track in &from.tracks {
        builder.timeline.track(Track {
            name: text(track.name),
            parent: track.parent.map(moved),
            process: track.process.map(|process| ids.processes[process.index()]),
            thread: track.thread.map(|thread| ids.threads[thread.index()]),
            member: MemberId(ids.first_member + track.member.0),
            ..*track
        });
    }
    for track in (0..from.tracks.len() as u32).map(TrackId) {
        for row in steps("merging spans", from.spans.of_track(track)) {
            let span = from.spans.get(row);
            let arguments = ids.labels[span.arguments.index()];
            let span = Span { point: points(span.point), arguments, ..span };
            builder.timeline.spans.push(moved(track), span);
        }
        for row in from.marks.of_track(track) {
            let mark = from.marks.get(track, row);
            let (kind, fields) = (text(mark.kind), ids.labels[mark.fields.index()]);
            builder.timeline.mark(Mark { track: moved(track), kind, fields, ..mark });
        }
    }
    for Counter { track, name, unit, times, values } in &from.counters {
        let counter = builder.timeline.counter(moved(*track), text(*name), text(*unit));
        times.iter().zip(values).for_each(|(&time, &value)| counter.push(time, value));
    }
    for Flow { name, from, to } in &from.flows {
        let end = |end: &FlowEnd| FlowEnd { track: moved(end.track), time: end.time };
        builder.timeline.flows.push(Flow { name: text(*name), from: end(from), to: end(to) });
    }
}
