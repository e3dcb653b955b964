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
    let profile = filtered.profile();
    if filtered.derived(metric).is_some() {
        return None;
    }
    let how = How::of(profile.metric(metric));
    if how == How::Whole {
        return None;
    }
    let mut cells = Cells::new(grid);
    let clock = |member: MemberId| profile.timeline.clock(member);
    let everywhere = Window::everywhere(Intervals::all());
    let window = filtered.window().unwrap_or(&everywhere);
    let counted = Counted::of(profile, &everywhere);
    let length = Length::of(profile);
    let points = &profile.points;
    let mut untimed = 0.0;
    for point in steps("adding up by time", 0..points.len()) {
        if !filtered.keeps_point(point) || counted.of_point(point).is_some() {
            continue;
        }
        let row = points.row(point);
        let value = row[metric.index()] as f64;
        let Some(time) = points.time(point) else {
            untimed += value;
            continue;
        };
        let lasts = length.of_row(row);
        let inside = window.of(points.member(point), points.thread(point));
        if lasts == 0 || how == How::AtBegin {
            if inside.contains(time) {
                cells.at(clock(points.member(point)).on_axis(time), value);
            }
            continue;
        }
        for stretch in inside.between(time, time.saturating_add(lasts)) {
            cells.spread_by(clock(points.member(point)), stretch, value / lasts as f64);
        }
    }
    let timeline = &profile.timeline;
    for (number, track) in timeline.tracks.iter().enumerate() {
        let inside = window.of(track.member, track.thread);
        let clock = clock(track.member);
        let mut open = Open::new(track.kind == TrackKind::Lane);
        let rows = timeline.spans.of_track(TrackId(number as u32));
        for row in steps("adding up by time", rows) {
            let span = timeline.spans.get(row);
            let point = span.point.index();
            let context = points.context[point];
            let around = open.around(span.begin, profile.contexts.parent(context));
            open.push(span.end(), point as u32, context);
            let value = |point: usize| {
                let value = points.row(point)[metric.index()] as f64;
                filtered.keeps_point(point).then_some(value)
            };
            let own = value(point);
            let of = counted.of_point(point);
            let is_at_begin = how == How::AtBegin || of.is_none_or(|of| of.all <= 0);
            if let (Some(value), true) = (own, is_at_begin && inside.contains(span.begin)) {
                let spans = of.map_or(1, |of| of.spans.max(1));
                cells.at(clock.on_axis(span.begin), value / spans as f64);
            }
            if how == How::AtBegin {
                continue;
            }
            // What a span takes of the one around it is not that one's own.
            let around = around.map(|point| point as usize);
            for (point, value, sign) in
                [(Some(point), own, 1.0), (around, around.and_then(value), -1.0)]
            {
                let all = point.and_then(|point| counted.of_point(point)).map_or(0, |of| of.all);
                if let (Some(value), true) = (value, all > 0) {
                    for stretch in inside.between(span.begin, span.end()) {
                        cells.spread_by(clock, stretch, sign * value / all as f64);
                    }
                }
            }
        }
    }
    Some(cells.into_heat(untimed))
}

/// Sums by cell.
struct Cells {
    grid: HeatGrid,
    end: i64,
    own: Vec<f64>,
    /// By cell, by how much a nanosecond is more from it on than in the one before.
    rises: Vec<f64>,
    outside: f64,
}

impl Cells {
    fn new(grid: HeatGrid) -> Cells {
        let length = grid.cell.saturating_mul(i64::try_from(grid.cells).unwrap_or(i64::MAX));
        let end = grid.begin.saturating_add(length);
        let [own, rises] = [vec![0.0; grid.cells], vec![0.0; grid.cells + 1]];
        Cells { grid, end, own, rises, outside: 0.0 }
    }

    fn cell_of(&self, time: i64) -> usize {
        (time.saturating_sub(self.grid.begin) / self.grid.cell) as usize
    }

    fn at(&mut self, time: i64, value: f64) {
        if time < self.grid.begin || time >= self.end {
            self.outside += value;
        } else {
            let cell = self.cell_of(time);
            self.own[cell] += value;
        }
    }

    /// The same of a stretch of a clock, where the value is spread evenly over it.
    fn spread_by(&mut self, clock: &Clock, stretch: [i64; 2], each: f64) {
        for [own, axis] in clock.pieces(stretch) {
            let [own_length, length] = [own, axis].map(|[from, to]| to.saturating_sub(from));
            if length == own_length {
                self.spread(axis, each);
            } else if length > 0 {
                self.spread(axis, each * own_length as f64 / length as f64);
            } else {
                self.at(axis[0], each * own_length as f64);
            }
        }
    }

    fn spread(&mut self, [from, to]: [i64; 2], each: f64) {
        let (begin, end) = (from.max(self.grid.begin), to.min(self.end));
        let inside = end.saturating_sub(begin).max(0);
        self.outside += each * (to.saturating_sub(from) - inside) as f64;
        if inside == 0 {
            return;
        }
        let (first, last) = (self.cell_of(begin), self.cell_of(end - 1));
        if first == last {
            self.own[first] += each * inside as f64;
            return;
        }
        let edge = |cell: usize| self.grid.begin + self.grid.cell * cell as i64;
        self.own[first] += each * (edge(first + 1) - begin) as f64;
        self.own[last] += each * (end - edge(last)) as f64;
        self.rises[first + 1] += each;
        self.rises[last] -= each;
    }

    fn into_heat(self, untimed: f64) -> Heat {
        let mut each = 0.0;
        let values: Vec<f64> = self
            .own
            .iter()
            .zip(&self.rises)
            .map(|(own, rise)| {
                each += rise;
                own + each * self.grid.cell as f64
            })
            .collect();
        // What is left of adding and taking away is no value.
        let most = values.iter().fold(0.0f64, |most, value| most.max(value.abs()));
        let told = |value: f64| if value.abs() <= most * 1e-9 { 0.0 } else { value };
        Heat { values: values.into_iter().map(told).collect(), outside: self.outside, untimed }
    }
}
