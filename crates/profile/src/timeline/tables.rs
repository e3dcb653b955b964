//! Tracks with what happened on them.

use super::clock::Clock;
use super::counters::Counter;
use super::flows::Flow;
use super::marks::Marks;
use super::spans::Spans;
use super::tracks::Track;
use crate::TrackId;

/// Tracks with what happened on them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Timeline {
    /// Lines of time; a parent stands before its children.
    pub tracks: Vec<Track>,
    /// What began and ended.
    pub spans: Spans,
    /// Instants.
    pub marks: Marks,
    /// Series of values.
    pub counters: Vec<Counter>,
    /// Arrows from one place and time to another.
    pub flows: Vec<Flow>,
    /// By member, how its times stand on the axis that members share; empty where all are on it. All times
    /// are the members' own: lengths are as they were measured.
    pub clocks: Vec<Clock>,
}

impl Timeline {
    /// Whether it tells nothing.
    pub fn is_empty(&self) -> bool {
        let Timeline { tracks, spans, marks, counters, flows, clocks: _ } = self;
        tracks.is_empty()
            && spans.is_empty()
            && marks.is_empty()
            && counters.is_empty()
            && flows.is_empty()
    }

    /// The earliest and the latest time, if anything has one.
    pub fn extent(&self) -> Option<[i64; 2]> {
        let spans = self.spans.extent().into_iter().flatten();
        let counters = self.counters.iter().flat_map(|counter| &counter.times).copied();
        let flows = self.flows.iter().flat_map(|flow| [flow.from.time, flow.to.time]);
        let all = spans.chain(self.marks.times()).chain(counters).chain(flows);
        all.fold(None, |known, time| match known {
            Some([first, last]) => Some([time.min(first), time.max(last)]),
            None => Some([time, time]),
        })
    }

    /// The track that a track stands beside, which holds spans that overlap those of that one: the one that
    /// it is shown under, of the same thread.
    pub fn beside(&self, track: TrackId) -> Option<TrackId> {
        let own = self.tracks.get(track.index())?;
        let base = self.tracks.get(own.parent?.index())?;
        let is_beside = own.kind == base.kind && own.thread.is_some() && own.thread == base.thread;
        own.parent.filter(|_| is_beside)
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        self.tracks.capacity() * size_of::<Track>()
            + self.spans.heap_bytes()
            + self.marks.heap_bytes()
            + self.counters.iter().map(Counter::heap_bytes).sum::<usize>()
            + self.flows.capacity() * size_of::<Flow>()
    }
}
