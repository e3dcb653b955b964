//! Spans on their way into columns.

use std::cmp::Reverse;
use std::ops::Range;

use super::begins::Begins;
use super::lengths::Lengths;
use super::spans::{Span, Spans};
use crate::sparse::SparseColumn;
use crate::{PointId, TrackId};

/// Collects spans in any order.
///
/// They lie one behind the other as columns, as they come: where that is by track and begin, nothing is
/// moved in the end.
#[derive(Debug, Default)]
pub struct SpansBuilder {
    /// Of which track spans are, from a place on.
    runs: Vec<(TrackId, u32)>,
    begin: Begins,
    length: Lengths,
    point: Vec<PointId>,
    arguments: SparseColumn<u32>,
    operation: SparseColumn<u32>,
    /// Places of those whose end nothing tells, in any order.
    unfinished: Vec<u32>,
}

impl SpansBuilder {
    /// Appends a span; what is around others has to come before them if they are as long. A length below
    /// 0 counts as 0. Gives its place among all, for [`SpansBuilder::end`].
    pub fn push(&mut self, track: TrackId, span: Span) -> usize {
        let place = self.len();
        if self.runs.last().is_none_or(|(last, _)| *last != track) {
            self.runs.push((track, place as u32));
        }
        self.begin.push(span.begin);
        self.length.push(span.length.max(0));
        self.point.push(span.point);
        self.arguments.push(place, span.arguments.0, 0);
        self.operation.push(place, span.operation, 0);
        self.unfinished.extend(span.is_unfinished.then_some(place as u32));
        place
    }

    /// What is known of a span once it ends: all but its begin and its operation, and nothing of spans that are
    /// not there.
    pub fn end(&mut self, place: usize, span: Span) {
        let count = self.len();
        if place < count {
            self.length.set(place, span.length.max(0));
            self.point[place] = span.point;
            self.arguments.set(place, span.arguments.0, 0, count);
            self.unfinished.extend(span.is_unfinished.then_some(place as u32));
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.point.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.point.is_empty()
    }

    /// Bytes held, those of putting them in order included. Of vectors that grow, twice what they hold is
    /// counted: readers ask often.
    pub fn heap_bytes(&self) -> usize {
        self.len() * 2 * 13
            + self.runs.capacity() * size_of::<(TrackId, u32)>()
            + self.unfinished.capacity() * 4
    }

    pub(super) fn truncate(&mut self, len: usize) {
        let runs = self.runs.partition_point(|&(_, first)| (first as usize) < len);
        self.runs.truncate(runs);
        self.begin.truncate(len);
        self.length.truncate(len);
        self.point.truncate(len);
        self.arguments.truncate(len, 0);
        self.operation.truncate(len, 0);
        self.unfinished.retain(|&place| (place as usize) < len);
    }

    /// By track and begin.
    pub(super) fn finish(mut self, tracks: usize) -> Spans {
        let mut all = Spans::default();
        if self.is_empty() {
            return all;
        }
        self.begin.finish();
        self.length.finish();
        let count = self.len();
        let ends = self.runs.iter().skip(1).map(|(_, first)| *first).chain([count as u32]);
        let mut runs: Vec<(TrackId, Range<u32>)> =
            self.runs.iter().zip(ends).map(|(&(track, first), end)| (track, first..end)).collect();
        let is_by_track = runs.is_sorted_by_key(|(track, _)| *track);
        runs.sort_by_key(|(track, _)| *track);
        all.starts.reserve_exact(tracks + 1);
        let mut row = 0;
        for (track, places) in &runs {
            all.starts.resize(track.index() + 1, row);
            row += places.end - places.start;
        }
        all.starts.resize(tracks + 1, row);
        let order = |place: u32| {
            let place = place as usize;
            (self.begin.get(place), Reverse(self.length.get(place)))
        };
        let is_in_order = is_by_track
            && all.starts.windows(2).all(|rows| (rows[0]..rows[1]).is_sorted_by_key(order));
        self.unfinished.sort_unstable();
        if is_in_order {
            let SpansBuilder { begin, length, point, arguments, operation, unfinished, .. } = self;
            let starts = all.starts;
            return Spans { starts, begin, length, point, arguments, operation, unfinished };
        }
        let mut places: Vec<u32> = Vec::with_capacity(count);
        runs.into_iter().for_each(|(_, run)| places.extend(run));
        for rows in all.starts.windows(2) {
            let places = &mut places[rows[0] as usize..rows[1] as usize];
            if !places.is_sorted_by_key(|&place| order(place)) {
                // Unstable takes no memory, and the last key makes it stable.
                places.sort_unstable_by_key(|&place| (order(place), place));
            }
        }
        self.put(&places, all)
    }

    /// Column by column, so that each is given back before the next is made.
    fn put(self, places: &[u32], mut all: Spans) -> Spans {
        let SpansBuilder { begin, length, point, arguments, operation, unfinished, .. } = self;
        let places = || places.iter().map(|&place| place as usize);
        all.begin.reserve_exact(places().len());
        places().for_each(|place| all.begin.push(begin.get(place)));
        all.begin.finish();
        drop(begin);
        all.length.reserve_exact(places().len());
        places().for_each(|place| all.length.push(length.get(place)));
        drop(length);
        all.point = places().map(|place| point[place]).collect();
        drop(point);
        for (row, place) in places().enumerate() {
            all.arguments.push(row, arguments.get(place).unwrap_or(0), 0);
            all.operation.push(row, operation.get(place).unwrap_or(0), 0);
            let is_unfinished = unfinished.binary_search(&(place as u32)).is_ok();
            all.unfinished.extend(is_unfinished.then_some(row as u32));
        }
        all
    }
}
