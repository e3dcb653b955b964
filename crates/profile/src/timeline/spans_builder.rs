//! Spans on their way into columns.

use std::cmp::Reverse;

use super::begins::Begins;
use super::lengths::Lengths;
use super::spans::{Span, Spans};
use crate::sparse::SparseColumn;
use crate::{PointId, TrackId};

/// Collects spans in any order.
#[derive(Debug, Default)]
pub struct SpansBuilder {
    of_track: Vec<SpansOfTrack>,
    count: usize,
}

/// Those of a track in the order in which they came, as columns: they take what they will take in the end.
#[derive(Debug, Default)]
struct SpansOfTrack {
    begin: Begins,
    length: Lengths,
    point: Vec<PointId>,
    arguments: SparseColumn<u32>,
}

impl SpansBuilder {
    /// Appends a span; what is around others has to come before them if they are as long. A length below
    /// 0 counts as 0. Gives its place on its track, for [`SpansBuilder::end`].
    pub fn push(&mut self, track: TrackId, span: Span) -> usize {
        if self.of_track.len() <= track.index() {
            self.of_track.resize_with(track.index() + 1, SpansOfTrack::default);
        }
        self.count += 1;
        self.of_track[track.index()].push(&span)
    }

    /// What is known of a span once it ends: all but its begin, and nothing of spans that are not there.
    pub fn end(&mut self, track: TrackId, place: usize, span: Span) {
        if let Some(of) = self.of_track.get_mut(track.index()).filter(|of| place < of.point.len()) {
            of.length.set(place, span.length.max(0));
            of.point[place] = span.point;
            of.arguments.set(place, span.arguments.0, 0, of.point.len());
        }
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
        self.count * 3 * 13 + self.of_track.capacity() * size_of::<SpansOfTrack>()
    }

    /// How many each track has.
    pub(super) fn checkpoint(&self) -> Vec<usize> {
        self.of_track.iter().map(|of| of.point.len()).collect()
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
        for track in self.of_track {
            all.starts.push(all.len() as u32);
            let left = self.count - all.len();
            track.finish(&mut all, left);
        }
        all.starts.resize(tracks + 1, all.len() as u32);
        all.begin.finish();
        all
    }
}

impl SpansOfTrack {
    fn push(&mut self, span: &Span) -> usize {
        let place = self.point.len();
        self.begin.push(span.begin);
        self.length.push(span.length.max(0));
        self.point.push(span.point);
        self.arguments.push(place, span.arguments.0, 0);
        place
    }

    fn truncate(&mut self, len: usize) {
        self.begin.truncate(len);
        self.length.truncate(len);
        self.point.truncate(len);
        self.arguments.truncate(len, 0);
    }

    /// Appends all of them, column by column, so that each is given back before the next is taken. So many
    /// are still to come, these included.
    fn finish(mut self, all: &mut Spans, left: usize) {
        self.length.finish();
        let rows = all.len();
        let order = |place: usize| (self.begin.get(place), Reverse(self.length.get(place)));
        let places = 0..self.point.len();
        let mut moved = vec![];
        if !places.clone().is_sorted_by_key(order) {
            moved.extend(places.clone().map(|place| place as u32));
            // Unstable takes no memory, and the last key makes it stable.
            moved.sort_unstable_by_key(|&place| (order(place as usize), place));
        }
        let from = |place: usize| moved.get(place).map_or(place, |&from| from as usize);
        let SpansOfTrack { begin, length, point, arguments } = self;
        if rows == 0 && moved.is_empty() {
            (all.begin, all.length, all.point, all.arguments) = (begin, length, point, arguments);
            return;
        }
        all.begin.reserve_exact(left);
        places.clone().for_each(|place| all.begin.push(begin.get(from(place))));
        drop(begin);
        all.length.reserve_exact(left);
        places.clone().for_each(|place| all.length.push(length.get(from(place))));
        drop(length);
        all.point.reserve_exact(left);
        all.point.extend(places.clone().map(|place| point[from(place)]));
        drop(point);
        for place in places {
            all.arguments.push(rows + place, arguments.get(from(place)).unwrap_or(0), 0);
        }
    }
}
