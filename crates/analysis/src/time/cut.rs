//! What ranges of time and labels of spans leave of points.
//!
//! A sample counts where its time is in the window; one that lasted counts by its share. A point that
//! counts spans counts those that are kept and began in the window, and their time in it. Shares are
//! rounded so that those of ranges behind each other add up to the whole.

use std::collections::HashMap;

use profile::{
    ContextId, Metric, MetricId, Points, Profile, Span, Timing, TrackId, TrackKind, UnitKind,
    unit_scale,
};
use work::steps;

use super::{Intervals, Window};

/// Values of points that count in part.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cut {
    /// Points, sorted.
    points: Vec<u32>,
    /// Their values, a row each.
    values: Vec<i64>,
    metrics: usize,
}

impl Cut {
    /// Whether all values are their own.
    pub(crate) fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The values of a point that counts in part.
    pub(crate) fn row(&self, point: usize) -> Option<&[i64]> {
        let place = self.points.binary_search(&(point as u32)).ok()?;
        Some(&self.values[place * self.metrics..][..self.metrics])
    }

    /// For points that are asked for in their order.
    pub(crate) fn rows(&self) -> CutRows<'_> {
        CutRows { cut: self, next: 0 }
    }

    fn push(&mut self, point: usize, row: &[i64]) {
        self.points.push(point as u32);
        self.values.extend_from_slice(row);
    }

    /// What a window and `dropped_spans` (by row; empty drops none) leave of all points; drops those
    /// of which they leave nothing.
    pub(crate) fn new(
        profile: &Profile,
        window: Option<&Window>,
        dropped_spans: &[bool],
        dropped: &mut [bool],
    ) -> Cut {
        let points = &profile.points;
        let metrics = points.metrics();
        let mut cut = Cut { metrics, ..Cut::default() };
        let counted = Counted::new(profile, window, dropped_spans);
        let length = Length::new(profile);
        let hows: Vec<How> = profile.metrics.iter().map(How::new).collect();
        let mut row = vec![0; metrics];
        for (point, dropped) in steps("choosing a time", dropped.iter_mut().enumerate()) {
            if *dropped {
                continue;
            }
            let values = points.row(point);
            if let Some(counted) = counted.of_point(point) {
                for (index, value) in values.iter().enumerate() {
                    row[index] = counted.part(*value, hows[index]);
                }
                *dropped = !counted.is_touched;
            } else {
                let Some(window) = window else { continue };
                let Some(time) = points.time(point) else {
                    *dropped = true;
                    continue;
                };
                let inside = window.of(points.member(point), points.thread(point));
                match length.of_point(points, point) {
                    0 => {
                        *dropped = !inside.contains(time);
                        continue;
                    }
                    length => {
                        let end = time.saturating_add(length);
                        share(values, &hows, inside, [time, end], &mut row);
                        *dropped = inside.between(time, end).next().is_none();
                    }
                }
            }
            if !*dropped && row != values {
                cut.push(point, &row);
            }
        }
        cut
    }
}

/// Values of points in part, for points in their order.
pub(crate) struct CutRows<'a> {
    cut: &'a Cut,
    next: usize,
}

impl<'a> CutRows<'a> {
    /// The values of a point, if it counts in part.
    pub(crate) fn row(&mut self, point: usize) -> Option<&'a [i64]> {
        let points = &self.cut.points;
        while *points.get(self.next)? < point as u32 {
            self.next += 1;
        }
        let is_it = points[self.next] == point as u32;
        is_it.then(|| &self.cut.values[self.next * self.cut.metrics..][..self.cut.metrics])
    }
}

/// Of a value that is spread over `all`, what is behind `before` and in the next `inside` of it. What
/// is cut counts where it begins.
fn part(value: i64, before: i64, inside: i64, all: i64) -> i64 {
    if value == all {
        return inside;
    }
    if all <= 0 {
        return if inside > 0 { value } else { 0 };
    }
    let up_to = |place: i64| {
        let product = i128::from(value.unsigned_abs()) * i128::from(place);
        let rounded = (product + i128::from(all) - 1) / i128::from(all);
        if value < 0 { -rounded } else { rounded }
    };
    (up_to(before.saturating_add(inside).min(all)) - up_to(before)) as i64
}

/// What is taken of a value that counts in part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// It counts where it began.
    AtBegin,
    /// Its share.
    Spread,
    /// All of it: values of the metric do not add up.
    Whole,
}

impl How {
    pub(crate) fn new(metric: &Metric) -> How {
        match metric.timing {
            _ if !metric.combining.is_sum() => How::Whole,
            Timing::Begins => How::AtBegin,
            _ => How::Spread,
        }
    }
}

/// The values of a sample that lasted from one time to another.
fn share(values: &[i64], hows: &[How], inside: &Intervals, [begin, end]: [i64; 2], to: &mut [i64]) {
    to.fill(0);
    let all = end.saturating_sub(begin);
    for [from, until] in inside.between(begin, end) {
        let (before, length) = (from.saturating_sub(begin), until.saturating_sub(from));
        for (index, value) in values.iter().enumerate() {
            match hows[index] {
                How::Whole => to[index] = *value,
                How::AtBegin if from == begin => to[index] = *value,
                How::AtBegin => {}
                How::Spread => to[index] += part(*value, before, length, all),
            }
        }
    }
}

/// The metrics that say how long points lasted, each with its unit in nanoseconds: recordings of several
/// kinds of events have one for each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Length {
    metrics: Vec<(MetricId, i64, i64)>,
}

impl Length {
    pub(crate) fn new(profile: &Profile) -> Length {
        let metrics = profile.metric_ids().filter_map(|id| {
            let metric = profile.metric(id);
            let (scale, kind) = unit_scale(&metric.unit);
            let divisor = 10i64.checked_pow(metric.decimals.into())?;
            let is_length = metric.timing == Timing::Length && kind == UnitKind::Time;
            is_length.then_some((id, scale, divisor))
        });
        Length { metrics: metrics.collect() }
    }

    /// Whether nothing tells how long points lasted.
    pub(crate) fn is_unknown(&self) -> bool {
        self.metrics.is_empty()
    }

    /// Nanoseconds that a point lasted, whatever its values were brought to.
    pub(crate) fn of_point(&self, points: &Points, point: usize) -> i64 {
        points.kept_length(point).unwrap_or_else(|| self.of_row(points.row(point)))
    }

    /// Nanoseconds, of several the most; 0 for what did not last.
    fn of_row(&self, row: &[i64]) -> i64 {
        let lengths = self.metrics.iter().map(|&(metric, scale, divisor)| {
            i128::from(row[metric.index()]) * i128::from(scale) / i128::from(divisor)
        });
        lengths.max().unwrap_or(0).clamp(0, i64::MAX.into()) as i64
    }
}

/// The metric that says how long a thread ran while a point lasted; the rest of it the thread waited.
#[derive(Debug, Clone, Copy)]
pub(super) struct Running {
    metric: MetricId,
    scale: i64,
    divisor: i64,
}

impl Running {
    /// None where points have no length, or nothing tells.
    pub(super) fn new(profile: &Profile) -> Option<Running> {
        if Length::new(profile).is_unknown() {
            return None;
        }
        profile.metric_ids().find_map(|id| {
            let metric = profile.metric(id);
            let (scale, kind) = unit_scale(&metric.unit);
            let is_running = metric.name.eq_ignore_ascii_case("CPU time")
                && metric.timing != Timing::Length
                && kind == UnitKind::Time;
            let divisor = 10i64.checked_pow(metric.decimals.into())?;
            is_running.then_some(Running { metric: id, scale, divisor })
        })
    }

    /// Nanoseconds, of a point's values.
    pub(super) fn of_row(&self, row: &[i64]) -> i64 {
        let value = i128::from(row[self.metric.index()]) * i128::from(self.scale)
            / i128::from(self.divisor);
        value.clamp(0, i64::MAX.into()) as i64
    }
}

/// Some of the spans of a point.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PartOfSpans {
    /// Nanoseconds of their own, without what ran inside.
    pub(crate) own: i64,
    /// How many they are.
    pub(crate) spans: i64,
}

impl PartOfSpans {
    /// What they have of a value of their point, behind those `before`; `all` are nanoseconds and spans
    /// of the point.
    pub(crate) fn of_value(
        self,
        value: i64,
        how: How,
        before: PartOfSpans,
        (all, spans): (i64, i64),
    ) -> i64 {
        let counted = CountedPoint {
            all,
            inside: self.own,
            before: before.own,
            spans,
            began: self.spans,
            began_before: before.spans,
            is_touched: true,
        };
        counted.part(value, how)
    }
}

/// The spans of a point.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CountedPoint {
    /// Nanoseconds of their own, without what ran inside.
    pub(super) all: i64,
    /// Of them, those in the window, of spans that are kept.
    inside: i64,
    /// Of them, those before the window begins.
    before: i64,
    pub(super) spans: i64,
    /// Those that are kept and began in the window, and those that began before it.
    began: i64,
    began_before: i64,
    /// A part of one that is kept is in the window: if only what ran inside it.
    is_touched: bool,
}

/// Points that count spans, by point.
pub(super) struct Counted {
    /// By point, its place in `of`; empty where there are no spans.
    places: Vec<u32>,
    of: Vec<CountedPoint>,
}

/// No place: the point counts no spans.
const NONE: u32 = u32::MAX;

impl Counted {
    pub(super) fn of_point(&self, point: usize) -> Option<&CountedPoint> {
        self.of.get(*self.places.get(point)? as usize)
    }

    /// What a window and `dropped_spans` leave; no window leaves all of the time.
    pub(super) fn new(
        profile: &Profile,
        window: Option<&Window>,
        dropped_spans: &[bool],
    ) -> Counted {
        let timeline = &profile.timeline;
        let mut counted = Counted { places: vec![], of: vec![] };
        if timeline.spans.is_empty() {
            return counted;
        }
        counted.places = vec![NONE; profile.points.len()];
        let everywhere = Window::everywhere(Intervals::all());
        let window = window.unwrap_or(&everywhere);
        for (number, track) in timeline.tracks.iter().enumerate() {
            let inside = window.of(track.member, track.thread);
            let start = inside.iter().next().map_or(i64::MAX, |first| first[0]);
            let mut open = Open::new(track.kind == TrackKind::Lane);
            let rows = timeline.spans.of_track(TrackId(number as u32));
            for row in steps("clipping spans", rows) {
                let span = timeline.spans.get(row);
                let place = counted.place(span.point.index());
                let context = profile.points.context[span.point.index()];
                let end = span.end();
                let is_kept = !dropped_spans.get(row).copied().unwrap_or(false);
                let own = Own {
                    all: span.length,
                    inside: inside.length_between(span.begin, end),
                    before: end.min(start).saturating_sub(span.begin).max(0),
                };
                let one = &mut counted.of[place as usize];
                one.spans += 1;
                let begins = inside.contains(span.begin);
                one.began += i64::from(begins && is_kept);
                one.is_touched |= is_kept && (begins || own.inside > 0);
                one.began_before += i64::from(span.begin < start);
                let caller = profile.contexts.parent(context);
                let around = open.around(&span, caller).flatten();
                if span.is_unfinished {
                    // Its time is that of what is around it.
                    open.push(&span, around, context);
                    continue;
                }
                one.add(own.kept(is_kept), 1);
                if let Some((around, is_kept)) = around {
                    counted.of[around as usize].add(own.kept(is_kept), -1);
                }
                open.push(&span, Some((place, is_kept)), context);
            }
        }
        counted
    }

    fn place(&mut self, point: usize) -> u32 {
        if self.places[point] == NONE {
            self.places[point] = self.of.len() as u32;
            self.of.push(CountedPoint::default());
        }
        self.places[point]
    }
}

/// Nanoseconds of a span.
#[derive(Clone, Copy)]
struct Own {
    all: i64,
    inside: i64,
    before: i64,
}

impl Own {
    /// What counts of it where its span is kept or not.
    fn kept(self, is_kept: bool) -> Own {
        if is_kept { self } else { Own { inside: 0, ..self } }
    }
}

/// Spans of a track that have begun: their ends and what is known of each, innermost last.
pub(crate) enum Open<T> {
    Nested(Vec<(i64, T)>),
    /// On a lane spans of several operations overlap: by operation and context. The one around another is of
    /// the same operation, and has the context that the other's is called from.
    Lane(HashMap<(u32, ContextId), Vec<(i64, T)>>),
}

impl<T: Copy> Open<T> {
    pub(crate) fn new(is_lane: bool) -> Open<T> {
        if is_lane { Open::Lane(HashMap::new()) } else { Open::Nested(vec![]) }
    }

    /// What is known of the innermost one that is open when a span begins, whose caller is known.
    pub(crate) fn around(&mut self, span: &Span, caller: Option<ContextId>) -> Option<T> {
        let open = match self {
            Open::Nested(open) => open,
            Open::Lane(open) => open.get_mut(&(span.operation, caller?))?,
        };
        while open.last().is_some_and(|(end, _)| *end <= span.begin) {
            open.pop();
        }
        open.last().map(|(_, known)| *known)
    }

    /// A span begins.
    pub(crate) fn push(&mut self, span: &Span, known: T, context: ContextId) {
        let open = match self {
            Open::Nested(open) => open,
            Open::Lane(open) => open.entry((span.operation, context)).or_default(),
        };
        open.push((span.end(), known));
    }
}

impl CountedPoint {
    /// What is left of a value.
    fn part(&self, value: i64, how: How) -> i64 {
        match how {
            How::Whole => value,
            How::Spread if self.all > 0 => {
                part(value, self.before.max(0), self.inside.max(0), self.all)
            }
            _ => part(value, self.began_before, self.began, self.spans),
        }
    }

    fn add(&mut self, own: Own, sign: i64) {
        self.all = self.all.saturating_add(own.all.saturating_mul(sign));
        self.inside = self.inside.saturating_add(own.inside.saturating_mul(sign));
        self.before = self.before.saturating_add(own.before.saturating_mul(sign));
    }
}
