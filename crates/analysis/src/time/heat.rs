//! How much of a metric was when: its values by stretches of one length.

use profile::{Clock, MemberId, MetricId, TrackId, TrackKind};
use work::steps;

use super::cut::{Counted, How, Length, Open};
use super::{Intervals, Window};
use crate::Filtered;

/// Stretches of time, one behind the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeatGrid {
    /// Begin of the first one, in nanoseconds of the axis that members share.
    pub begin: i64,
    /// Length of each, in nanoseconds; at least 1.
    pub cell: i64,
    /// How many there are.
    pub cells: usize,
}

/// What a metric sums up to in each stretch of a [`HeatGrid`].
#[derive(Debug, Clone, PartialEq)]
pub struct Heat {
    /// By stretch, in the units of the metric. A sample counts where it is, one that lasted by its
    /// share, a span by its own time. What is cut is not rounded: parts of one value add up to it but
    /// for the last bits.
    pub values: Vec<f64>,
    /// Of all that counts, what is before or behind the stretches.
    pub outside: f64,
    /// Of all that counts, what has no time.
    pub untimed: f64,
}

/// The values of a metric by time. Nothing if they do not add up: of a metric by formula, maxima, means.
pub fn heat(filtered: &Filtered, metric: MetricId, grid: HeatGrid) -> Option<Heat> {
    if filtered.derived(metric).is_some() {
        return None;
    }
    let how = How::new(filtered.profile().metric(metric));
    if how == How::Whole {
        return None;
    }
    let mut cells = vec![Cells::new(grid)];
    let spreading = Spreading {
        how,
        clock: |member| filtered.profile().timeline.clock(member),
        cells_of: |_| Some(0),
        values: |row: &[i64]| [row[metric.index()] as f64],
    };
    let points = 0..filtered.profile().points.len();
    let [untimed] = spreading.add(filtered, points, &mut cells);
    let cells = cells.pop()?;
    let outside = cells.outside[0];
    let values = cells.sums().into_iter().map(|[value]| value).collect();
    Some(Heat { values, outside, untimed })
}

/// How values come into cells of time.
pub(crate) struct Spreading<C, S, V> {
    pub(crate) how: How,
    /// The clock of a member.
    pub(crate) clock: C,
    /// By point, in which of the cells its values are; those of none are left out.
    pub(crate) cells_of: S,
    /// What counts of the values of a point.
    pub(crate) values: V,
}

impl<'c, const N: usize, C, S, V> Spreading<C, S, V>
where
    C: Fn(MemberId) -> &'c Clock,
    S: Fn(usize) -> Option<usize>,
    V: Fn(&[i64]) -> [f64; N],
{
    /// Adds what filters keep of some points, those of all spans among them, to the cells; the sum of what
    /// has no time comes back.
    pub(crate) fn add(
        &self,
        filtered: &Filtered,
        chosen: impl ExactSizeIterator<Item = usize>,
        cells: &mut [Cells<N>],
    ) -> [f64; N] {
        let profile = filtered.profile();
        let everywhere = Window::everywhere(Intervals::all());
        let window = filtered.window().unwrap_or(&everywhere);
        let counted = Counted::new(profile, None, &[]);
        let length = Length::new(profile);
        let points = &profile.points;
        let mut untimed = [0.0; N];
        for point in steps("adding up by time", chosen) {
            if !filtered.keeps_point(point) || counted.of_point(point).is_some() {
                continue;
            }
            let Some(place) = (self.cells_of)(point) else { continue };
            let row = points.row(point);
            let values = (self.values)(row);
            let Some(time) = points.time(point) else {
                untimed = added(untimed, values, 1.0);
                continue;
            };
            let lasts = length.of_point(points, point);
            let inside = window.of(points.member(point), points.thread(point));
            let clock = (self.clock)(points.member(point));
            if lasts == 0 || self.how == How::AtBegin {
                if inside.contains(time) {
                    cells[place].at(clock.on_axis(time), values, 1.0);
                }
                continue;
            }
            for stretch in inside.between(time, time.saturating_add(lasts)) {
                cells[place].spread_by(clock, stretch, values, 1.0 / lasts as f64);
            }
        }
        self.add_spans(filtered, window, &counted, cells);
        untimed
    }

    fn add_spans(
        &self,
        filtered: &Filtered,
        window: &Window,
        counted: &Counted,
        cells: &mut [Cells<N>],
    ) {
        let profile = filtered.profile();
        let (points, timeline) = (&profile.points, &profile.timeline);
        for (number, track) in timeline.tracks.iter().enumerate() {
            let inside = window.of(track.member, track.thread);
            let clock = (self.clock)(track.member);
            let mut open = Open::new(track.kind == TrackKind::Lane);
            let rows = timeline.spans.of_track(TrackId(number as u32));
            for row in steps("adding up by time", rows) {
                let span = timeline.spans.get(row);
                let point = span.point.index();
                let context = points.context[point];
                let around = open.around(&span, profile.contexts.parent(context)).flatten();
                let is_kept = filtered.keeps_span(row, &span);
                let counts = if span.is_unfinished { around } else { Some((point, is_kept)) };
                open.push(&span, counts, context);
                let values = |point: usize, is_kept: bool| {
                    let place = (self.cells_of)(point)?;
                    let values = (self.values)(points.row(point));
                    is_kept.then_some((place, values))
                };
                let own = values(point, is_kept);
                let of = counted.of_point(point);
                let is_at_begin = self.how == How::AtBegin || of.is_none_or(|of| of.all <= 0);
                if let (Some((place, values)), true) =
                    (own, is_at_begin && inside.contains(span.begin))
                {
                    let spans = of.map_or(1, |of| of.spans.max(1));
                    cells[place].at(clock.on_axis(span.begin), values, 1.0 / spans as f64);
                }
                if self.how == How::AtBegin || span.is_unfinished {
                    continue;
                }
                // What a span takes of the one around it is not that one's own.
                let of_around = around.and_then(|(point, is_kept)| values(point, is_kept));
                let around = around.map(|(point, _)| point);
                for (point, own, sign) in [(Some(point), own, 1.0), (around, of_around, -1.0)] {
                    let all =
                        point.and_then(|point| counted.of_point(point)).map_or(0, |of| of.all);
                    if let (Some((place, values)), true) = (own, all > 0) {
                        for stretch in inside.between(span.begin, span.end()) {
                            cells[place].spread_by(clock, stretch, values, sign / all as f64);
                        }
                    }
                }
            }
        }
    }
}

fn added<const N: usize>(sums: [f64; N], values: [f64; N], share: f64) -> [f64; N] {
    std::array::from_fn(|column| sums[column] + values[column] * share)
}

/// Sums of several values by cell.
pub(crate) struct Cells<const N: usize> {
    grid: HeatGrid,
    end: i64,
    own: Vec<[f64; N]>,
    /// By cell, by how much a nanosecond is more from it on than in the one before.
    rises: Vec<[f64; N]>,
    pub(crate) outside: [f64; N],
    /// The most that was added to a cell at once of what is spread, and taken from what is around it.
    spread: [f64; N],
}

impl<const N: usize> Cells<N> {
    pub(crate) fn new(grid: HeatGrid) -> Cells<N> {
        let length = grid.cell.saturating_mul(i64::try_from(grid.cells).unwrap_or(i64::MAX));
        let end = grid.begin.saturating_add(length);
        let [own, rises] = [vec![[0.0; N]; grid.cells], vec![[0.0; N]; grid.cells + 1]];
        Cells { grid, end, own, rises, outside: [0.0; N], spread: [0.0; N] }
    }

    fn cell_of(&self, time: i64) -> usize {
        (time.saturating_sub(self.grid.begin) / self.grid.cell) as usize
    }

    /// Adds a share of values at a time.
    fn at(&mut self, time: i64, values: [f64; N], share: f64) {
        if time < self.grid.begin || time >= self.end {
            self.outside = added(self.outside, values, share);
        } else {
            let cell = self.cell_of(time);
            self.own[cell] = added(self.own[cell], values, share);
        }
    }

    /// The same of a stretch of a clock, where for each of its nanoseconds a share of the values counts.
    pub(crate) fn spread_by(
        &mut self,
        clock: &Clock,
        stretch: [i64; 2],
        values: [f64; N],
        each: f64,
    ) {
        for [own, axis] in clock.pieces(stretch) {
            let [own_length, length] = [own, axis].map(|[from, to]| to.saturating_sub(from));
            if length == own_length {
                self.spread(axis, values, each);
            } else if length > 0 {
                self.spread(axis, values, each * own_length as f64 / length as f64);
            } else {
                self.at(axis[0], values, each * own_length as f64);
            }
        }
    }

    fn spread(&mut self, [from, to]: [i64; 2], values: [f64; N], each: f64) {
        let (begin, end) = (from.max(self.grid.begin), to.min(self.end));
        let inside = end.saturating_sub(begin).max(0);
        let outside = to.saturating_sub(from) - inside;
        self.outside = added(self.outside, values, each * outside as f64);
        if inside == 0 {
            return;
        }
        let part = each * inside.min(self.grid.cell) as f64;
        self.spread = std::array::from_fn(|at| self.spread[at].max((values[at] * part).abs()));
        let (first, last) = (self.cell_of(begin), self.cell_of(end - 1));
        if first == last {
            self.own[first] = added(self.own[first], values, each * inside as f64);
            return;
        }
        let edge = |cell: usize| self.grid.begin + self.grid.cell * cell as i64;
        let [head, tail] = [(edge(first + 1) - begin) as f64, (end - edge(last)) as f64];
        self.own[first] = added(self.own[first], values, each * head);
        self.own[last] = added(self.own[last], values, each * tail);
        self.rises[first + 1] = added(self.rises[first + 1], values, each);
        self.rises[last] = added(self.rises[last], values, -each);
    }

    /// By cell, what it has.
    pub(crate) fn sums(&self) -> Vec<[f64; N]> {
        let mut each = [0.0; N];
        let sum = |(own, rise): (&[f64; N], &[f64; N])| {
            each = added(each, *rise, 1.0);
            added(*own, each, self.grid.cell as f64)
        };
        let mut sums: Vec<[f64; N]> = self.own.iter().zip(&self.rises).map(sum).collect();
        // What is left of adding and taking away is not a value.
        for (column, most) in self.spread.into_iter().enumerate().filter(|(_, most)| *most > 0.0) {
            for sum in sums.iter_mut().filter(|sum| sum[column].abs() <= most * 1e-9) {
                sum[column] = 0.0;
            }
        }
        sums
    }
}
