//! What began and ended.

use std::cmp::Reverse;
use std::ops::Range;

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
}

impl Span {
    /// The first nanosecond behind it.
    pub fn end(&self) -> i64 {
        self.begin.saturating_add(self.length)
    }
}

/// Spans as columns of 16 bytes, by track and begin, of equal begins the longer first: on tracks whose
/// spans nest, what is around others stands before them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spans {
    /// By track, where its spans start; one more entry than tracks. Empty if there are none.
    starts: Vec<u32>,
    begin: Vec<i64>,
    /// [`LONG`] for those that are in `long`.
    length: Vec<u32>,
    /// Rows and lengths, by row.
    long: Vec<(u32, i64)>,
    point: Vec<PointId>,
    arguments: SparseColumn<u32>,
}

/// A length that has no room in its column.
const LONG: u32 = u32::MAX;

impl Spans {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.begin.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.begin.is_empty()
    }

    /// Those of a track, by begin.
    pub fn of_track(&self, track: TrackId) -> Range<usize> {
        rows(&self.starts, track)
    }

    /// A span.
    pub fn get(&self, row: usize) -> Span {
        Span {
            begin: self.begin[row],
            length: self.length(row),
            point: self.point[row],
            arguments: LabelSetId(self.arguments.get(row).unwrap_or(0)),
        }
    }

    /// When a span began.
    pub fn begin(&self, row: usize) -> i64 {
        self.begin[row]
    }

    /// How long a span lasted.
    pub fn length(&self, row: usize) -> i64 {
        match self.length[row] {
            LONG => {
                let place = self.long.partition_point(|&(known, _)| (known as usize) < row);
                self.long[place].1
            }
            length => length.into(),
        }
    }

    /// The point that counts a span.
    pub fn point(&self, row: usize) -> PointId {
        self.point[row]
    }

    /// The earliest begin and the latest end.
    pub fn extent(&self) -> Option<[i64; 2]> {
        let first = self.begin.iter().copied().min()?;
        let last = (0..self.len()).map(|row| self.get(row).end()).max()?;
        Some([first, last])
    }

    /// Moves those of a track; begins that would leave 64 bits stay at the limit.
    pub(super) fn shift(&mut self, track: TrackId, by: i64) {
        let rows = self.of_track(track);
        self.begin[rows].iter_mut().for_each(|begin| *begin = begin.saturating_add(by));
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        self.starts.capacity() * 4
            + self.begin.capacity() * 8
            + self.length.capacity() * 4
            + self.long.capacity() * 16
            + self.point.capacity() * 4
            + self.arguments.raw.capacity() * 4
    }

    fn push(&mut self, span: &Span) {
        let row = self.begin.len();
        let length = u32::try_from(span.length).unwrap_or(LONG);
        if length == LONG {
            self.long.push((row as u32, span.length));
        }
        self.begin.push(span.begin);
        self.length.push(length);
        self.point.push(span.point);
        self.arguments.push(row, span.arguments.0, 0);
    }
}

/// Collects spans in any order.
#[derive(Debug, Default)]
pub struct SpansBuilder {
    of_track: Vec<Vec<Span>>,
    count: usize,
}

impl SpansBuilder {
    /// Appends a span; what is around others has to come before them if they are as long. A length below
    /// 0 counts as 0. Gives its place on its track, for [`SpansBuilder::get_mut`].
    pub fn push(&mut self, track: TrackId, span: Span) -> usize {
        if self.of_track.len() <= track.index() {
            self.of_track.resize_with(track.index() + 1, Vec::new);
        }
        self.of_track[track.index()].push(Span { length: span.length.max(0), ..span });
        self.count += 1;
        self.of_track[track.index()].len() - 1
    }

    /// A span that was appended, for what is known of it later.
    pub fn get_mut(&mut self, track: TrackId, place: usize) -> Option<&mut Span> {
        self.of_track.get_mut(track.index())?.get_mut(place)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bytes held, those of the finished columns included. Of vectors that grow, twice what they hold
    /// is counted: readers ask often.
    pub fn heap_bytes(&self) -> usize {
        self.count * (2 * size_of::<Span>() + 16)
            + self.of_track.capacity() * size_of::<Vec<Span>>()
    }

    /// How many each track has.
    pub(super) fn checkpoint(&self) -> Vec<usize> {
        self.of_track.iter().map(Vec::len).collect()
    }

    pub(super) fn rewind(&mut self, to: &[usize]) {
        self.of_track.truncate(to.len());
        self.of_track.iter_mut().zip(to).for_each(|(track, &len)| track.truncate(len));
        self.count = to.iter().sum();
    }

    /// By track and begin.
    pub(super) fn finish(self, tracks: usize) -> Spans {
        let mut all = Spans::default();
        if self.count == 0 {
            return all;
        }
        all.starts.reserve_exact(tracks + 1);
        all.begin.reserve_exact(self.count);
        all.length.reserve_exact(self.count);
        all.point.reserve_exact(self.count);
        for mut track in self.of_track {
            all.starts.push(all.begin.len() as u32);
            let order = |span: &Span| (span.begin, Reverse(span.length));
            if !track.is_sorted_by_key(order) {
                track.sort_by_key(order);
            }
            track.iter().for_each(|span| all.push(span));
        }
        all.starts.resize(tracks + 1, all.begin.len() as u32);
        all
    }
}
