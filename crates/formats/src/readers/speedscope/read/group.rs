//! Series that are metrics of the same samples.

use hashbrown::HashMap;
use profile::{
    LabelSetId, Metric, Point, ProcessId, ProfileBuilder, Span, StringId, ThreadId, Track, TrackId,
    TrackKind,
};

use super::names::split_metric;
use super::series::{Series, nanosecond_decimals};
use crate::Warnings;
use crate::time::spans::SpanPoints;

/// Series that are metrics of the same samples.
pub(super) struct Group {
    pub(super) series: Vec<Series>,
    /// Metric of each.
    pub(super) metrics: Vec<usize>,
    pub(super) thread: Option<ThreadId>,
}

/// Where points go, and what their times are counted from.
pub(super) struct Target<'a> {
    pub(super) builder: &'a mut ProfileBuilder,
    /// Nanoseconds on the producer's clock.
    pub(super) clock: i64,
    /// Times say nothing.
    pub(super) untimed: bool,
    pub(super) points: SpanPoints,
    pub(super) processes: HashMap<ProcessId, TrackId>,
}

impl Group {
    /// The series whose values are the time that passed.
    pub(super) fn clocked(&self) -> Option<usize> {
        self.series.iter().position(Series::is_timed)
    }

    pub(super) fn push_points(self, target: &mut Target<'_>, warnings: &mut Warnings) {
        let metrics = &target.builder.metrics;
        let factors: Vec<i64> = (self.series.iter().zip(&self.metrics))
            .map(|(series, &metric)| {
                10i64.pow(u32::from(metrics[metric].decimals - series.decimals()))
            })
            .collect();
        let mut scaled = |value: i64, factor: i64| {
            value.checked_mul(factor).unwrap_or_else(|| {
                warnings.add("scale", || "values too large for the decimals of others".to_owned());
                value.saturating_mul(factor)
            })
        };
        let track = self.track(target);
        if self.series[0].evented {
            return self.push_calls(track, |own| scaled(own, factors[0]), target);
        }
        let builder = &mut *target.builder;
        let mut values = vec![0; builder.metrics.len()];
        let clocked = &self.series[self.clocked().unwrap_or(0)];
        let mut passed = 0i64;
        let start = clocked.start_ns().saturating_sub(target.clock);
        for (row, &context) in self.series[0].contexts.iter().enumerate() {
            values.fill(0);
            for ((series, &metric), &factor) in self.series.iter().zip(&self.metrics).zip(&factors)
            {
                values[metric] = scaled(series.values[row], factor);
            }
            let time = track.map(|_| start.saturating_add(clocked.nanoseconds(passed)));
            passed = passed.saturating_add(clocked.values[row]);
            let point = Point { context, time, thread: self.thread, ..Point::default() };
            builder.points.push_point(point, &values);
        }
    }

    /// The track of a profile whose times are known.
    fn track(&self, target: &mut Target<'_>) -> Option<TrackId> {
        if target.untimed || self.clocked().is_none() {
            return None;
        }
        let builder = &mut *target.builder;
        let process = self.thread.and_then(|thread| builder.threads[thread.index()].process);
        let parent = process.map(|process| {
            *target.processes.entry(process).or_insert_with(|| {
                let (kind, process) = (TrackKind::Process, Some(process));
                builder.timeline.track(Track { kind, process, ..Track::default() })
            })
        });
        let name = match self.thread {
            Some(_) => StringId::EMPTY,
            None => builder.strings.intern(&self.series[0].name),
        };
        let thread = self.thread;
        Some(builder.timeline.track(Track { name, parent, process, thread, ..Track::default() }))
    }

    /// Points for what was called, and a span for each call.
    fn push_calls(
        &self,
        track: Option<TrackId>,
        mut scaled: impl FnMut(i64) -> i64,
        target: &mut Target<'_>,
    ) {
        let (series, metric) = (&self.series[0], self.metrics[0]);
        let Target { builder, clock, points, .. } = target;
        let labels = LabelSetId(0);
        let calls = builder.metrics.len() - 1;
        for cost in &series.calls.costs {
            let point = points.of(self.thread, cost.context, labels, builder);
            let values = builder.points.row_mut(point);
            values[metric] = values[metric].saturating_add(scaled(cost.own));
            values[calls] += cost.calls;
        }
        let Some(track) = track else { return };
        for call in &series.calls.all {
            // Rounded at both ends, so that calls stay inside of each other.
            let begin = series.nanoseconds(call.begin);
            let end = series.nanoseconds(call.begin.saturating_add(call.length));
            let span = Span {
                begin: begin.saturating_sub(*clock),
                length: end.saturating_sub(begin),
                point: points.of(self.thread, call.context, labels, builder),
                ..Span::default()
            };
            builder.timeline.spans.push(track, span);
        }
    }
}

/// Whether `series` is one more metric of the samples of `group`.
pub(super) fn joins(group: &[Series], series: &Series, is_ours: bool) -> bool {
    let may = |known: &Series| {
        let metrics = (split_metric(&known.name), split_metric(&series.name));
        match metrics {
            (Some((metric, thread)), Some((other, others))) => metric != other && thread == others,
            _ => known.unit != series.unit || (is_ours && known.name != series.name),
        }
    };
    let is_sampled = |series: &Series| !series.evented && !series.contexts.is_empty();
    is_sampled(series)
        && group.iter().all(|known| is_sampled(known) && may(known))
        && group[0].contexts == series.contexts
}

/// The metric of a series; `several` if it is one of several of the same samples.
pub(super) fn metric_of(series: &Series, several: bool, is_ours: bool) -> Metric {
    let unit = match series.unit.as_str() {
        "none" | "" => "count",
        unit => unit,
    };
    let name = match (split_metric(&series.name), series.unit.as_str()) {
        (Some((metric, _)), _) => metric,
        _ if (several || is_ours) && !series.name.is_empty() => &series.name,
        (None, "bytes") => "memory",
        (None, unit) if nanosecond_decimals(unit).is_some() => "time",
        _ => "weight",
    };
    Metric {
        name: name.to_owned(),
        unit: unit.to_owned(),
        decimals: series.decimals(),
        ..Metric::default()
    }
}

/// Adds the unit to names that stand for several metrics.
pub(super) fn tell_units_apart(metrics: &mut [Metric]) {
    let names: Vec<String> = metrics.iter().map(|metric| metric.name.clone()).collect();
    for metric in metrics {
        if names.iter().filter(|name| **name == metric.name).count() > 1 {
            metric.name = format!("{} ({})", metric.name, metric.unit);
        }
    }
}
