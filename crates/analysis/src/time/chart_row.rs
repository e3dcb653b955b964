//! A row of a chart: spans or samples, one behind the other.

use std::ops::Range;

use profile::{PointId, Profile};

use super::begins::{Begins, search};
use super::cut::{Length, Running};
use super::pyramid::{LONG, Pyramid};

/// How long samples last.
#[derive(Debug, Default)]
pub(super) struct Lasting {
    pub(super) length: Length,
    /// Without a length of their own they last until the next one, but no longer than this.
    pub(super) longest: i64,
    /// For how much of that the thread ran; all of it where nothing tells.
    pub(super) running: Option<Running>,
}

impl Lasting {
    /// What of a sample's length its thread ran, nanoseconds.
    pub(super) fn part(&self, profile: &Profile, point: usize, length: i64) -> i64 {
        let running = self.running.map(|running| running.of_row(profile.points.row(point)));
        running.map_or(length, |running| running.min(length))
    }
}

/// Spans, or samples, one behind the other.
#[derive(Debug, Default)]
pub(super) struct ChartRow {
    /// Rows of the table of spans, which rise, or points by time.
    pub(super) items: Vec<u32>,
    /// How long they last, or [`LONG`]: beside each other, as many are looked at.
    lengths: Vec<u32>,
    pyramid: Pyramid,
}

/// Where a time is among what begins on a track.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeEdge {
    time: i64,
    /// Of spans the first row of the table that begins then or later, of samples the place.
    at: usize,
}

/// What is together in a part of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Busy {
    /// The place of what lasts longest there.
    pub longest: usize,
    /// For how long it does, in nanoseconds.
    pub length: i64,
    /// For how many nanoseconds anything does; of samples, for how many their thread ran, where that is known.
    pub all: i64,
}

impl TimeEdge {
    /// In nanoseconds of the track.
    pub fn time(self) -> i64 {
        self.time
    }
}

impl ChartRow {
    pub(super) fn new(items: Vec<u32>) -> ChartRow {
        ChartRow { items, ..ChartRow::default() }
    }

    /// Once all items are there.
    pub(super) fn finish(&mut self, length: impl Fn(&ChartRow, usize) -> i64) {
        self.finish_parts(length, |_, length| length);
    }

    /// The same; `part` is what of an item's length counts in sums.
    pub(super) fn finish_parts(
        &mut self,
        length: impl Fn(&ChartRow, usize) -> i64,
        part: impl Fn(usize, i64) -> i64,
    ) {
        self.items.shrink_to_fit();
        let lengths = (0..self.items.len()).map(|at| length(self, at));
        self.lengths = lengths.map(|one| u32::try_from(one).unwrap_or(LONG)).collect();
        let known = |at: usize| match self.lengths[at] {
            LONG => length(self, at),
            known => known.into(),
        };
        let count = self.items.len();
        let part = |at: usize| part(self.items[at] as usize, known(at));
        self.pyramid = Pyramid::new(count, known, part);
    }

    /// When a sample begins and ends.
    pub(super) fn of_sample(&self, profile: &Profile, at: usize, lasting: &Lasting) -> [i64; 2] {
        let points = &profile.points;
        let point = self.items[at] as usize;
        let begin = points.time(point).unwrap_or(0);
        let next = self.items.get(at + 1).and_then(|&next| points.time(next as usize));
        let lasts = if lasting.length.is_unknown() {
            lasting.longest
        } else {
            lasting.length.of_point(points, point)
        };
        let end = begin.saturating_add(lasts);
        // None is told twice.
        [begin, next.map_or(end, |next| end.min(next))]
    }

    pub(super) fn heap_bytes(&self) -> usize {
        (self.items.capacity() + self.lengths.capacity()) * 4 + self.pyramid.heap_bytes()
    }
}

/// A row with what its items are.
#[derive(Debug, Clone, Copy)]
pub struct RowOf<'a> {
    pub(super) row: &'a ChartRow,
    /// Of all spans of the track, or of the samples.
    pub(super) begins: &'a Begins,
    /// Where in the table of spans those of the track start.
    pub(super) start: usize,
    /// Whether no span of the track ends behind what is around it.
    pub(super) nests: bool,
    /// Of samples.
    pub(super) lasting: Option<&'a Lasting>,
}

impl RowOf<'_> {
    /// How many items there are.
    pub fn len(&self) -> usize {
        self.row.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.row.items.is_empty()
    }

    fn begin(&self, profile: &Profile, at: usize) -> i64 {
        let item = self.row.items[at] as usize;
        match self.lasting {
            Some(_) => profile.points.time(item).unwrap_or(0),
            None => profile.timeline.spans.begin(item),
        }
    }

    /// Begin and end of an item.
    pub fn times(&self, profile: &Profile, at: usize) -> [i64; 2] {
        let begin = self.begin(profile, at);
        [begin, begin.saturating_add(self.length(profile, at))]
    }

    /// How long an item lasts.
    pub fn length(&self, profile: &Profile, at: usize) -> i64 {
        match (self.row.lengths[at], self.lasting) {
            (LONG, None) => profile.timeline.spans.length(self.row.items[at] as usize),
            (LONG, Some(lasting)) => {
                let [from, to] = self.row.of_sample(profile, at, lasting);
                to.saturating_sub(from)
            }
            (length, _) => length.into(),
        }
    }

    /// What of an item's length counts, of which `seen` is in sight.
    fn part(&self, profile: &Profile, at: usize, seen: i64) -> i64 {
        let Some(lasting) = self.lasting.filter(|lasting| lasting.running.is_some()) else {
            return seen;
        };
        let length = self.length(profile, at);
        let part = lasting.part(profile, self.row.items[at] as usize, length);
        (i128::from(part) * i128::from(seen) / i128::from(length.max(1))) as i64
    }

    /// The row of the table of spans, of a row of spans.
    pub fn span(&self, at: usize) -> Option<usize> {
        self.lasting.is_none().then(|| self.row.items[at] as usize)
    }

    /// The point of an item.
    pub fn point(&self, profile: &Profile, at: usize) -> PointId {
        match self.span(at) {
            Some(span) => profile.timeline.spans.point(span),
            None => PointId(self.row.items[at]),
        }
    }

    /// Where a time is; one of all rows of spans. Sooner found behind one that is known.
    pub fn edge(&self, profile: &Profile, time: i64, known: Option<TimeEdge>) -> TimeEdge {
        let known = known.filter(|known| known.time <= time).map_or(self.start, |known| known.at);
        let begin = |at: usize| match self.lasting {
            Some(_) => self.begin(profile, at),
            None => profile.timeline.spans.begin(self.start + at),
        };
        let at = self.start + self.begins.first_from(known - self.start, time, begin);
        TimeEdge { time, at }
    }

    /// The edges of an item within others, for the rows inside.
    pub fn edges_inside(
        &self,
        profile: &Profile,
        at: usize,
        [from, to]: [TimeEdge; 2],
    ) -> [TimeEdge; 2] {
        let [begin, end] = self.times(profile, at);
        let item = self.row.items[at] as usize;
        let last = if end >= to.time {
            to
        } else if self.nests && end > begin {
            // All up to the next of the row are inside.
            let next = self.row.items.get(at + 1);
            TimeEdge { time: end, at: next.map_or(usize::MAX, |&next| next as usize) }
        } else {
            self.edge(profile, end, Some(from))
        };
        [if begin > from.time { TimeEdge { time: begin, at: item } } else { from }, last]
    }

    /// The first item that ends behind a time, or begins then. None before `known` does.
    pub fn first_behind(&self, profile: &Profile, known: usize, edge: TimeEdge) -> usize {
        let first = self.first_from(known, edge);
        // Ends rise as begins do.
        let reaches = |before: usize| self.times(profile, before)[1] > edge.time;
        if first > known && reaches(first - 1) { first - 1 } else { first }
    }

    /// The first item that begins at a time or behind it. None before `known` does.
    pub fn first_from(&self, known: usize, edge: TimeEdge) -> usize {
        match self.lasting {
            Some(_) => edge.at.clamp(known, self.len().max(known)),
            None => search(known..self.len(), |at| (self.row.items[at] as usize) < edge.at),
        }
    }

    /// What is in a part of time; nothing if nothing is. Instants count as the shortest of all. Nothing
    /// before `known` may end behind its begin; it is moved on for parts that begin where this one ends, or
    /// later.
    pub fn busy(
        &self,
        profile: &Profile,
        known: &mut usize,
        [begin, end]: [TimeEdge; 2],
    ) -> Option<Busy> {
        if *known < self.len() {
            let [from, to] = self.times(profile, *known);
            if from <= begin.time && begin.time < end.time && end.time <= to {
                let length = end.time.saturating_sub(begin.time);
                return Some(Busy {
                    longest: *known,
                    length,
                    all: self.part(profile, *known, length),
                });
            }
        }
        // Only the outermost two can stand out: one that begins before, and the last that begins inside.
        let first = self.first_from(*known, begin);
        let last = self.first_from(first, end);
        let mut busy = None;
        if first > *known {
            let [from, to] = self.times(profile, first - 1);
            if to > begin.time {
                let length = to.min(end.time).saturating_sub(from.max(begin.time)).max(0);
                let all = self.part(profile, first - 1, length);
                busy = Some(Busy { longest: first - 1, length, all });
            }
        }
        *known = last.saturating_sub(1).max(*known);
        let mut take = |at: usize, length: i64, all: i64| {
            busy = Some(match busy {
                None => Busy { longest: at, length, all },
                Some(before) => {
                    let all = before.all.saturating_add(all);
                    if length > before.length {
                        Busy { longest: at, length, all }
                    } else {
                        Busy { all, ..before }
                    }
                }
            });
        };
        let length = |at: usize| self.length(profile, at);
        let part = |at: usize| self.part(profile, at, length(at));
        if last - first > 1
            && let Some(inner) = self.row.pyramid.range(first..last - 1, length, part)
        {
            take(inner.longest.0, inner.longest.1, inner.sum);
        }
        if last > first {
            let left = end.time.saturating_sub(self.begin(profile, last - 1));
            let length = self.length(profile, last - 1).min(left).max(0);
            take(last - 1, length, self.part(profile, last - 1, length));
        }
        busy
    }

    /// The place of what lasts longest among `places`.
    pub fn longest(&self, profile: &Profile, places: Range<usize>) -> Option<usize> {
        let length = |at: usize| self.length(profile, at);
        let together = self.row.pyramid.range(places, length, length)?;
        Some(together.longest.0)
    }
}
