//! What ran on a track, in rows: the flame chart of its spans, and its samples in time order.
//!
//! ```text
//! row 0   |-- main -------------------|  |-- main --|
//! row 1    |-- read --| |-- read --|       |-- free|
//! ```
//! In a row nothing overlaps, so that whatever is in a part of time is found by two binary searches, and
//! what is longest there by a pyramid: in time that hardly depends on how much there is.

use std::ops::Range;

use profile::{PointId, Profile, Track, TrackId, TrackKind};
use work::steps;

use super::Intervals;
use super::cut::Length;
use super::pyramid::Pyramid;

/// More rows than this are not told apart: deeper spans are left out.
const MOST_ROWS: usize = 4096;
/// The same of lanes, where every row is asked whether it is free.
const MOST_LANE_ROWS: usize = 256;

/// The rows of a track.
#[derive(Debug, Default)]
pub struct TrackChart {
    rows: Vec<ChartRow>,
    samples: Option<ChartRow>,
    /// When anything ran, where rows stand beside each other and not in each other: on lanes.
    covered: Option<Intervals>,
    lasting: Lasting,
    /// Spans that are deeper than there are rows.
    left_out: u64,
}

/// How long samples last.
#[derive(Debug, Default)]
struct Lasting {
    length: Length,
    /// Without a length of their own they last until the next one, but no longer than this.
    longest: i64,
}

/// Spans, or samples, one behind the other.
#[derive(Debug, Default)]
struct ChartRow {
    /// Rows of the table of spans, or points, by time.
    items: Vec<u32>,
    pyramid: Pyramid,
}

/// What is together in a part of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Busy {
    /// The place of what lasts longest there.
    pub longest: usize,
    /// For how long it does, in nanoseconds.
    pub length: i64,
    /// For how many nanoseconds anything does.
    pub all: i64,
}

impl TrackChart {
    /// The chart of a track.
    pub fn of(profile: &Profile, track: TrackId) -> TrackChart {
        let mut chart = TrackChart::of_spans(profile, track);
        let of = &profile.timeline.tracks[track.index()];
        if of.kind == TrackKind::Thread {
            chart.add_samples(profile, of);
        }
        chart
    }

    /// The chart of a track without its samples.
    pub(super) fn of_spans(profile: &Profile, track: TrackId) -> TrackChart {
        let mut chart = TrackChart::default();
        chart.add_spans(profile, track);
        chart
    }

    fn add_spans(&mut self, profile: &Profile, track: TrackId) {
        let spans = &profile.timeline.spans;
        let is_lane = profile.timeline.tracks[track.index()].kind == TrackKind::Lane;
        // By row, when its last span ends.
        let mut ends: Vec<i64> = vec![];
        let most = if is_lane { MOST_LANE_ROWS } else { MOST_ROWS };
        for row in steps("laying out spans", spans.of_track(track)) {
            let span = spans.get(row);
            let depth = if is_lane {
                let free = ends.iter().position(|&end| end <= span.begin);
                free.unwrap_or(ends.len())
            } else {
                while ends.last().is_some_and(|&end| end <= span.begin) {
                    ends.pop();
                }
                ends.len()
            };
            if depth >= most {
                self.left_out += 1;
                continue;
            }
            if depth == ends.len() {
                ends.push(span.end());
            } else {
                ends[depth] = span.end();
            }
            if depth == self.rows.len() {
                self.rows.push(ChartRow::default());
            }
            self.rows[depth].items.push(row as u32);
        }
        if is_lane {
            let rows = steps("laying out spans", spans.of_track(track));
            let all = rows.map(|row| spans.get(row)).map(|span| [span.begin, span.end()]);
            self.covered = Some(Intervals::of(all.collect()));
        }
        for row in &mut self.rows {
            row.items.shrink_to_fit();
            row.pyramid = Pyramid::of(row.items.len(), |at| spans.length(row.items[at] as usize));
        }
    }

    fn add_samples(&mut self, profile: &Profile, of: &Track) {
        let points = &profile.points;
        if !points.has_times() {
            return;
        }
        let own = |point: &usize| {
            points.thread(*point) == of.thread
                && points.member(*point) == of.member
                && points.time(*point).is_some()
        };
        let mut items: Vec<u32> = steps("laying out samples", 0..points.len())
            .filter(own)
            .map(|point| point as u32)
            .collect();
        if items.is_empty() {
            return;
        }
        items.sort_by_key(|&point| points.time(point as usize));
        let time = |at: usize| points.time(items[at] as usize).unwrap_or(0);
        let mut gaps: Vec<i64> =
            (1..items.len()).map(|at| time(at).saturating_sub(time(at - 1))).collect();
        let middle = gaps.len() / 2;
        let usual = if gaps.is_empty() { 1 } else { *gaps.select_nth_unstable(middle).1 };
        self.lasting =
            Lasting { length: Length::of(profile), longest: usual.saturating_mul(2).max(1) };
        let mut row = ChartRow { items, pyramid: Pyramid::default() };
        row.pyramid = Pyramid::of(row.items.len(), |at| {
            let [begin, end] = row.of_sample(profile, at, &self.lasting);
            end.saturating_sub(begin)
        });
        self.samples = Some(row);
    }

    /// On a lane, for how many nanoseconds of a part of time anything ran; nothing on other tracks, whose first
    /// row is around all others.
    pub fn covered(&self, [begin, end]: [i64; 2]) -> Option<i64> {
        Some(self.covered.as_ref()?.length_between(begin, end))
    }

    /// How many rows of spans there are.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Spans that are left out because they are deeper than there are rows.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The row in which a span is.
    pub fn row_of(&self, profile: &Profile, span: usize) -> Option<usize> {
        let begin = profile.timeline.spans.begin(span);
        (0..self.rows.len()).find(|&row| {
            let of = RowOf { row: &self.rows[row], lasting: None };
            let first = of.first_from(profile, 0..of.len(), begin);
            let same = self.rows[row].items[first..].iter();
            same.take_while(|&&item| profile.timeline.spans.begin(item as usize) == begin)
                .any(|&item| item as usize == span)
        })
    }

    /// A row of spans.
    pub fn row(&self, row: usize) -> Option<RowOf<'_>> {
        self.rows.get(row).map(|row| RowOf { row, lasting: None })
    }

    /// The samples.
    pub fn samples(&self) -> Option<RowOf<'_>> {
        let row = self.samples.as_ref()?;
        Some(RowOf { row, lasting: Some(&self.lasting) })
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        let rows = self.rows.iter().chain(&self.samples);
        let rows: usize = rows.map(|row| row.items.capacity() * 4 + row.pyramid.heap_bytes()).sum();
        rows + self.covered.as_ref().map_or(0, |covered| covered.iter().len() * 16)
    }
}

impl ChartRow {
    /// When a sample begins and ends.
    fn of_sample(&self, profile: &Profile, at: usize, lasting: &Lasting) -> [i64; 2] {
        let points = &profile.points;
        let point = self.items[at] as usize;
        let begin = points.time(point).unwrap_or(0);
        let next = self.items.get(at + 1).and_then(|&next| points.time(next as usize));
        let lasts = if lasting.length.is_unknown() {
            lasting.longest
        } else {
            lasting.length.of_row(points.row(point))
        };
        let end = begin.saturating_add(lasts);
        // None is told twice.
        [begin, next.map_or(end, |next| end.min(next))]
    }
}

/// A row with what its items are.
#[derive(Debug, Clone, Copy)]
pub struct RowOf<'a> {
    row: &'a ChartRow,
    /// Of samples: see [`TrackChart`].
    lasting: Option<&'a Lasting>,
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

    /// Begin and end of an item.
    pub fn times(&self, profile: &Profile, at: usize) -> [i64; 2] {
        match self.lasting {
            Some(lasting) => self.row.of_sample(profile, at, lasting),
            None => {
                let (spans, row) = (&profile.timeline.spans, self.row.items[at] as usize);
                let begin = spans.begin(row);
                [begin, begin.saturating_add(spans.length(row))]
            }
        }
    }

    /// How long an item lasts.
    fn length(&self, profile: &Profile, at: usize) -> i64 {
        if let Some(span) = self.span(at) {
            return profile.timeline.spans.length(span);
        }
        let [from, to] = self.times(profile, at);
        to.saturating_sub(from)
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

    /// Of `places`, the first that ends behind a time, or begins then.
    pub fn first_behind(&self, profile: &Profile, places: Range<usize>, time: i64) -> usize {
        self.search(places, |at| {
            let [begin, end] = self.times(profile, at);
            end <= time && begin < time
        })
    }

    /// Of `places`, the first that begins at a time or behind it.
    pub fn first_from(&self, profile: &Profile, places: Range<usize>, time: i64) -> usize {
        self.search(places, |at| self.times(profile, at)[0] < time)
    }

    /// The first of which something no longer holds; sooner found where it is near the first place.
    fn search(&self, places: Range<usize>, holds: impl Fn(usize) -> bool) -> usize {
        let (mut first, mut end) = (places.start, places.end);
        let mut step = 1;
        while first < end && step < end - first {
            if !holds(first + step - 1) {
                end = first + step - 1;
                break;
            }
            first += step;
            step *= 2;
        }
        while first < end {
            let middle = first + (end - first) / 2;
            if holds(middle) {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        first
    }

    /// What is in a part of time; nothing if nothing is. Instants count as the shortest of all. Nothing
    /// before `known` may end behind `begin`; it is moved to the first that does.
    pub fn busy(
        &self,
        profile: &Profile,
        known: &mut usize,
        [begin, end]: [i64; 2],
    ) -> Option<Busy> {
        let first = self.first_behind(profile, *known..self.len(), begin);
        *known = first;
        let last = self.first_from(profile, first..self.len(), end);
        if first >= last {
            return None;
        }
        let clipped = |at: usize| {
            let [from, to] = self.times(profile, at);
            to.min(end).saturating_sub(from.max(begin)).max(0)
        };
        let length = |at: usize| self.length(profile, at);
        // Only the outermost two can stand out.
        let mut busy = Busy { longest: first, length: clipped(first), all: clipped(first) };
        let mut take = |at: usize, length: i64, all: i64| {
            busy.all = busy.all.saturating_add(all);
            if length > busy.length {
                (busy.longest, busy.length) = (at, length);
            }
        };
        if last - first > 2
            && let Some(inner) = self.row.pyramid.range(first + 1..last - 1, length)
        {
            take(inner.longest.0, inner.longest.1, inner.sum);
        }
        if last - first > 1 {
            take(last - 1, clipped(last - 1), clipped(last - 1));
        }
        Some(busy)
    }

    /// The place of what lasts longest among `places`.
    pub fn longest(&self, profile: &Profile, places: Range<usize>) -> Option<usize> {
        let length = |at: usize| self.length(profile, at);
        self.row.pyramid.range(places, length).map(|together| together.longest.0)
    }
}
