//! What began and ended.

use std::ops::Range;

use super::begins::Begins;
use super::lengths::Lengths;
use super::marks::rows;
use crate::sparse::SparseColumn;
use crate::{LabelSetId, PointId, TrackId};

/// A while on a track, from its begin on and up to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// When it began, in nanoseconds.
    pub begin: i64,
    /// How long it lasted, 0 or more nanoseconds.
    pub length: i64,
    /// The point that counts it: that has its context, its thread and its labels.
    pub point: PointId,
    /// What else is told of this one alone.
    pub arguments: LabelSetId,
    /// On a lane, the operation that it is a part of, among those of the lane: spans of one operation nest.
    /// 0 where none is inside another.
    pub operation: u32,
    /// Whether nothing tells its end: it lasts `length` at least, as far as the recording or the span
    /// around it goes. Its time is in no sum.
    pub is_unfinished: bool,
}

impl Span {
    /// The first nanosecond behind it.
    pub fn end(&self) -> i64 {
        self.begin.saturating_add(self.length)
    }
}

/// Spans as columns of 12 bytes, by track and begin, of equal begins the longer first: on tracks whose
/// spans nest, what is around others stands before them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spans {
    /// By track, where its spans start; one more entry than tracks. Empty if there are none.
    pub(super) starts: Vec<u32>,
    pub(super) begin: Begins,
    pub(super) length: Lengths,
    pub(super) point: Vec<PointId>,
    pub(super) arguments: SparseColumn<u32>,
    pub(super) operation: SparseColumn<u32>,
    /// Rows of those whose end nothing tells, sorted.
    pub(super) unfinished: Vec<u32>,
}

impl Spans {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.point.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.point.is_empty()
    }

    /// Those of a track, by begin.
    pub fn of_track(&self, track: TrackId) -> Range<usize> {
        rows(&self.starts, track)
    }

    /// A span.
    pub fn get(&self, row: usize) -> Span {
        Span {
            begin: self.begin.get(row),
            length: self.length.get(row),
            point: self.point[row],
            arguments: self.arguments(row),
            operation: self.operation.get(row).unwrap_or(0),
            is_unfinished: self.is_unfinished(row),
        }
    }

    /// Whether nothing tells the end of a span.
    #[inline]
    pub fn is_unfinished(&self, row: usize) -> bool {
        !self.unfinished.is_empty() && self.unfinished.binary_search(&(row as u32)).is_ok()
    }

    /// When a span began.
    #[inline]
    pub fn begin(&self, row: usize) -> i64 {
        self.begin.get(row)
    }

    /// How long a span lasted.
    #[inline]
    pub fn length(&self, row: usize) -> i64 {
        self.length.get(row)
    }

    /// The point that counts a span.
    pub fn point(&self, row: usize) -> PointId {
        self.point[row]
    }

    /// What is told of a span alone.
    #[inline]
    pub fn arguments(&self, row: usize) -> LabelSetId {
        LabelSetId(self.arguments.get(row).unwrap_or(0))
    }

    /// The arguments of all, in their order; none where no span has any.
    pub fn all_arguments(&self) -> impl Iterator<Item = LabelSetId> + '_ {
        self.arguments.raw.iter().map(|&set| LabelSetId(set))
    }

    /// The earliest begin and the latest end.
    pub fn extent(&self) -> Option<[i64; 2]> {
        let all = (0..self.len()).map(|row| {
            let begin = self.begin(row);
            [begin, begin.saturating_add(self.length(row))]
        });
        all.reduce(|[first, last], [begin, end]| [first.min(begin), last.max(end)])
    }

    /// Moves those of each track by so many nanoseconds, by the number of the track; begins that would
    /// leave 64 bits stay at the limit.
    pub(super) fn shift(&mut self, by: &[i64]) {
        if by.iter().all(|&by| by == 0) || self.is_empty() {
            return;
        }
        let mut moved = Begins::default();
        for (track, by) in (0..).zip(by) {
            for row in self.of_track(TrackId(track)) {
                moved.push(self.begin(row).saturating_add(*by));
            }
        }
        moved.finish();
        self.begin = moved;
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        self.starts.capacity() * 4
            + self.begin.heap_bytes()
            + self.length.heap_bytes()
            + self.point.capacity() * 4
            + (self.arguments.raw.capacity() + self.operation.raw.capacity()) * 4
            + self.unfinished.capacity() * 4
    }
}
