//! What ran on a track, in rows: the flame chart of its spans, and its samples in time order.
//!
//! ```text
//! row 0   |-- main -------------------|  |-- main --|
//! row 1    |-- read --| |-- read --|       |-- free|
//! ```
//! In a row nothing overlaps, so that whatever is in a part of time is found by two binary searches, and
//! what is longest there by a pyramid: in time that hardly depends on how much there is.

use profile::{Profile, Track, TrackId, TrackKind};
use work::steps;

use super::Intervals;
use super::begins::Begins;
use super::chart_row::{ChartRow, Lasting, RowOf};
use super::cores::{Cores, CoresBuilder};
use super::cut::{Length, Running};

/// More rows than this are not told apart: deeper spans are left out.
const MOST_ROWS: usize = 4096;
/// The same of lanes, where every row is asked whether it is free.
const MOST_LANE_ROWS: usize = 256;

/// The rows of a track.
#[derive(Debug, Default)]
pub struct TrackChart {
    rows: Vec<ChartRow>,
    samples: Option<ChartRow>,
    begins_of_samples: Begins,
    /// When anything ran, where rows stand beside each other and not in each other: on lanes.
    covered: Option<Intervals>,
    lasting: Lasting,
    /// Where in the table of spans those of the track start, and when they begin.
    spans: (usize, Begins),
    /// Whether none ends behind what is around it.
    nests: bool,
    cores: Cores,
    /// Spans that are deeper than there are rows.
    left_out: u64,
}

impl TrackChart {
    /// The chart of a track.
    pub fn new(profile: &Profile, track: TrackId) -> TrackChart {
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
        let all = spans.of_track(track);
        self.spans = (all.start, Begins::new(all.len(), |at| spans.begin(all.start + at)));
        self.nests = !is_lane;
        let mut cores = CoresBuilder::new(if is_lane { 0 } else { all.len() });
        for row in steps("laying out spans", all) {
            let span = spans.get(row);
            let depth = if is_lane {
                let free = ends.iter().position(|&end| end <= span.begin);
                free.unwrap_or(ends.len())
            } else {
                while ends.last().is_some_and(|&end| end <= span.begin) {
                    ends.pop();
                    cores.close();
                }
                ends.len()
            };
            if depth >= most {
                self.left_out += 1;
                continue;
            }
            let around = depth.checked_sub(1).map_or(i64::MAX, |around| ends[around]);
            self.nests &= span.end() <= around;
            if depth == ends.len() {
                ends.push(span.end());
            } else {
                ends[depth] = span.end();
            }
            if depth == self.rows.len() {
                self.rows.push(ChartRow::default());
            }
            self.rows[depth].items.push(row as u32);
            if !is_lane {
                cores.open(row - self.spans.0, span.length);
            }
        }
        if self.nests {
            self.cores = cores.finish();
        }
        if is_lane {
            let rows = steps("laying out spans", spans.of_track(track));
            let all = rows.map(|row| spans.get(row)).map(|span| [span.begin, span.end()]);
            self.covered = Some(Intervals::new(all.collect()));
        }
        for row in &mut self.rows {
            row.finish(|row, at| spans.length(row.items[at] as usize));
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
        self.lasting = Lasting {
            length: Length::new(profile),
            longest: usual.saturating_mul(2).max(1),
            running: Running::new(profile),
        };
        self.begins_of_samples = Begins::new(items.len(), time);
        let mut row = ChartRow::new(items);
        let length = |row: &ChartRow, at: usize| {
            let [begin, end] = row.of_sample(profile, at, &self.lasting);
            end.saturating_sub(begin)
        };
        row.finish_parts(length, |point, length| self.lasting.part(profile, point, length));
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
    pub fn row_of(&self, span: usize) -> Option<usize> {
        (0..self.rows.len()).find(|&row| {
            // Items of a row stand in the order of the table.
            self.rows[row].items.binary_search(&(span as u32)).is_ok()
        })
    }

    /// What a span is mostly: the innermost of those that last half of what is around them at least. Nothing
    /// where spans do not nest.
    pub fn core(&self, span: usize) -> Option<usize> {
        self.cores.of(span.checked_sub(self.spans.0)?).map(|core| core + self.spans.0)
    }

    /// A row of spans.
    pub fn row(&self, row: usize) -> Option<RowOf<'_>> {
        self.rows.get(row).map(|row| RowOf {
            row,
            begins: &self.spans.1,
            start: self.spans.0,
            nests: self.nests,
            lasting: None,
        })
    }

    /// The samples.
    pub fn samples(&self) -> Option<RowOf<'_>> {
        let row = self.samples.as_ref()?;
        Some(RowOf {
            row,
            begins: &self.begins_of_samples,
            start: 0,
            nests: false,
            lasting: Some(&self.lasting),
        })
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        let rows = self.rows.iter().chain(&self.samples);
        let rows: usize = rows.map(ChartRow::heap_bytes).sum();
        let begins = self.spans.1.heap_bytes() + self.begins_of_samples.heap_bytes();
        rows + begins
            + self.cores.heap_bytes()
            + self.covered.as_ref().map_or(0, |covered| covered.iter().len() * 16)
    }
}
