//! Collects a timeline in any order that a file has.

use std::collections::HashMap;

use super::counters::Counter;
use super::flows::Flow;
use super::marks::{Mark, Marks};
use super::spans_builder::SpansBuilder;
use super::tables::Timeline;
use super::tracks::Track;
use crate::{StringId, TrackId};

/// How many rows a [`TimelineBuilder`] had at some time.
#[derive(Debug, Clone)]
pub(crate) struct TimelineCheckpoint {
    tracks: usize,
    /// By track.
    spans: usize,
    marks: usize,
    /// By counter.
    counters: Vec<usize>,
    flows: usize,
}

/// Collects a timeline in any order that a file has.
#[derive(Debug, Default)]
pub struct TimelineBuilder {
    /// Lines of time.
    pub tracks: Vec<Track>,
    /// What began and ended.
    pub spans: SpansBuilder,
    /// Series of values.
    pub counters: Vec<Counter>,
    /// Arrows.
    pub flows: Vec<Flow>,
    marks: Vec<Mark>,
    /// Where the series of a track, a name and a unit is.
    counter_of: HashMap<(TrackId, StringId, StringId), usize>,
}

impl TimelineBuilder {
    /// Appends a track; its parent has to be there.
    pub fn track(&mut self, track: Track) -> TrackId {
        self.tracks.push(track);
        TrackId(self.tracks.len() as u32 - 1)
    }

    /// Appends an instant.
    pub fn mark(&mut self, mark: Mark) {
        self.marks.push(mark);
    }

    /// The series of a name on a track, the same for equal ones.
    pub fn counter(&mut self, track: TrackId, name: StringId, unit: StringId) -> &mut Counter {
        let counters = &mut self.counters;
        let place = *self.counter_of.entry((track, name, unit)).or_insert_with(|| {
            counters.push(Counter { track, name, unit, ..Counter::default() });
            counters.len() - 1
        });
        &mut self.counters[place]
    }

    /// How many rows there are, to go back to.
    pub(crate) fn checkpoint(&self) -> TimelineCheckpoint {
        TimelineCheckpoint {
            tracks: self.tracks.len(),
            spans: self.spans.len(),
            marks: self.marks.len(),
            counters: self.counters.iter().map(|counter| counter.times.len()).collect(),
            flows: self.flows.len(),
        }
    }

    /// Takes back all rows that were added since.
    pub(crate) fn rewind(&mut self, to: &TimelineCheckpoint) {
        self.tracks.truncate(to.tracks);
        self.spans.truncate(to.spans);
        self.marks.truncate(to.marks);
        self.counters.truncate(to.counters.len());
        self.counter_of.retain(|_, place| *place < to.counters.len());
        for (counter, &len) in self.counters.iter_mut().zip(&to.counters) {
            counter.times.truncate(len);
            counter.values.truncate(len);
        }
        self.flows.truncate(to.flows);
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        self.tracks.capacity() * size_of::<Track>()
            + self.spans.heap_bytes()
            + self.marks.capacity() * size_of::<Mark>()
            + self.counters.iter().map(Counter::heap_bytes).sum::<usize>()
            + self.flows.capacity() * size_of::<Flow>()
    }

    /// The finished timeline: spans and marks by track and time, series by time.
    pub fn finish(self) -> Timeline {
        let TimelineBuilder { tracks, spans, mut counters, mut flows, marks, .. } = self;
        counters.iter_mut().for_each(Counter::sort);
        flows.sort_by_key(|flow| (flow.from.time, flow.from.track, flow.to.time, flow.to.track));
        let marks = Marks::new(marks, tracks.len());
        let spans = spans.finish(tracks.len());
        Timeline { spans, marks, counters, flows, tracks, clocks: vec![] }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{LabelSetId, PointId, Span};

    fn span(begin: i64, length: i64, point: u32) -> Span {
        Span { begin, length, point: PointId(point), ..Span::default() }
    }

    fn spans_of(timeline: &Timeline, track: u32) -> Vec<(i64, i64, u32)> {
        let rows = timeline.spans.of_track(TrackId(track)).map(|row| timeline.spans.get(row));
        rows.map(|span| (span.begin, span.length, span.point.0)).collect()
    }

    #[test]
    fn spans_stand_by_track_and_begin_the_longer_first() {
        let mut builder = TimelineBuilder::default();
        for _ in 0..4 {
            builder.track(Track::default());
        }
        let long = i64::from(u32::MAX);
        for (track, one) in [
            (2, span(5, 1, 0)),
            (0, span(7, 2, 1)),
            (0, span(-3, long, 2)),
            (2, span(5, 3, 3)),
            (0, span(-3, i64::MAX, 4)),
            (2, span(1, -4, 5)),
        ] {
            builder.spans.push(TrackId(track), one);
        }
        assert_eq!((builder.spans.len(), builder.spans.is_empty()), (6, false));
        let timeline = builder.finish();
        assert_eq!(spans_of(&timeline, 0), [(-3, i64::MAX, 4), (-3, long, 2), (7, 2, 1)]);
        assert_eq!(spans_of(&timeline, 1), []);
        assert_eq!(spans_of(&timeline, 2), [(1, 0, 5), (5, 3, 3), (5, 1, 0)]);
        assert_eq!(spans_of(&timeline, 3), []);
        assert_eq!(timeline.extent(), Some([-3, i64::MAX - 3]));
    }

    #[test]
    fn spans_end_later_and_may_be_unfinished() {
        let mut builder = TimelineBuilder::default();
        let tracks = [builder.track(Track::default()), builder.track(Track::default())];
        let outer = builder.spans.push(tracks[1], span(0, 0, 0));
        let inner = builder.spans.push(tracks[1], span(1, 0, 0));
        builder.spans.push(tracks[0], Span { is_unfinished: true, ..span(5, 2, 4) });
        let last = builder.spans.push(tracks[1], span(2, 0, 0));
        builder.spans.end(last, Span { is_unfinished: true, ..span(2, 1 << 40, 2) });
        builder.spans.end(inner, Span { arguments: LabelSetId(7), ..span(1, i64::MAX, 1) });
        builder.spans.end(outer, span(0, i64::MAX, 3));
        builder.spans.end(last + 1, span(9, 9, 9));
        let timeline = builder.finish();
        let rows = [(0, i64::MAX, 3), (1, i64::MAX, 1), (2, 1 << 40, 2)];
        assert_eq!(spans_of(&timeline, 1), rows);
        assert_eq!(spans_of(&timeline, 0), [(5, 2, 4)]);
        assert_eq!(timeline.spans.get(2).arguments, LabelSetId(7));
        let unfinished: Vec<usize> =
            (0..4).filter(|&row| timeline.spans.get(row).is_unfinished).collect();
        assert_eq!(unfinished, [0, 3]);
    }

    #[test]
    fn marks_and_values_stand_by_time() {
        let mut builder = TimelineBuilder::default();
        let tracks = [builder.track(Track::default()), builder.track(Track::default())];
        for (track, time, kind) in [(1, 9, 1), (0, 4, 2), (1, 2, 3), (1, 9, 4)] {
            let (track, kind) = (tracks[track], StringId(kind));
            builder.mark(Mark { track, time, kind, fields: LabelSetId(0) });
        }
        for (time, value) in [(3, 1.5), (1, 2.0), (3, 4.0)] {
            builder.counter(tracks[1], StringId(1), StringId(2)).push(time, value);
        }
        builder.counter(tracks[0], StringId(1), StringId(2)).push(0, 8.0);
        let timeline = builder.finish();
        let kinds = |track: TrackId| -> Vec<(i64, u32)> {
            let rows = timeline.marks.of_track(track);
            let marks = rows.map(|row| timeline.marks.get(track, row));
            marks.map(|mark| (mark.time, mark.kind.0)).collect()
        };
        assert_eq!(kinds(tracks[0]), [(4, 2)]);
        assert_eq!(kinds(tracks[1]), [(2, 3), (9, 1), (9, 4)]);
        let [series, other] = &timeline.counters[..] else { panic!("two series") };
        assert_eq!((&series.times[..], &series.values[..]), (&[1, 3, 3][..], &[2.0, 1.5, 4.0][..]));
        assert_eq!(
            [0, 1, 2, 3, 9].map(|time| series.at(time)),
            [None, Some(2.0), Some(2.0), Some(4.0), Some(4.0)]
        );
        assert_eq!((other.track, other.at(0)), (tracks[0], Some(8.0)));
        assert_eq!(timeline.extent(), Some([0, 9]));
        assert!(!timeline.is_empty() && Timeline::default().extent().is_none());
    }

    #[test]
    fn what_is_taken_back_leaves_nothing() {
        let mut builder = TimelineBuilder::default();
        let track = builder.track(Track::default());
        builder.spans.push(track, span(0, 1, 0));
        builder.counter(track, StringId(1), StringId(0)).push(0, 1.0);
        let before = builder.checkpoint();
        let more = builder.track(Track { parent: Some(track), ..Track::default() });
        builder.spans.push(track, span(2, 1, 0));
        builder.spans.push(more, span(3, 1, 0));
        builder.mark(Mark { track: more, ..Mark::default() });
        builder.counter(track, StringId(1), StringId(0)).push(1, 2.0);
        builder.counter(more, StringId(2), StringId(0)).push(1, 2.0);
        builder.flows.push(Flow::default());
        builder.rewind(&before);
        builder.counter(track, StringId(3), StringId(0)).push(5, 3.0);
        let timeline = builder.finish();
        assert_eq!((timeline.tracks.len(), timeline.spans.len(), timeline.marks.len()), (1, 1, 0));
        let series: Vec<_> =
            timeline.counters.iter().map(|one| (one.name.0, &one.times[..])).collect();
        assert_eq!(series, [(1, &[0][..]), (3, &[5][..])]);
        assert!(timeline.flows.is_empty());
    }

    proptest! {
        /// Every span stays, on its track, and none is out of order.
        #[test]
        fn all_spans_stay(all in prop::collection::vec((0..5u32, any::<i64>(), 0..i64::MAX), 0..200)) {
            let mut builder = TimelineBuilder::default();
            for _ in 0..5 {
                builder.track(Track::default());
            }
            for (number, &(track, begin, length)) in (0..).zip(&all) {
                builder.spans.push(TrackId(track), span(begin, length, number));
            }
            let timeline = builder.finish();
            for track in 0..5 {
                let mut wanted: Vec<_> = (0u32..).zip(&all).filter(|(_, one)| one.0 == track).collect();
                wanted.sort_by_key(|(_, one)| (one.1, -one.2));
                let wanted: Vec<_> = wanted.into_iter().map(|(number, one)| (one.1, one.2, number)).collect();
                prop_assert_eq!(spans_of(&timeline, track), wanted);
            }
        }
    }
}
