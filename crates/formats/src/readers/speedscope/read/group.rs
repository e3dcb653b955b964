//! Series that are metrics of the same samples.

use profile::{Metric, Point, ProfileBuilder, ThreadId};

use super::names::split_metric;
use super::series::{Series, nanosecond_decimals, nanoseconds};
use crate::Warnings;
use crate::decimal::Decimal;

/// Series that are metrics of the same samples.
pub(super) struct Group {
    pub(super) series: Vec<Series>,
    /// Metric of each.
    pub(super) metrics: Vec<usize>,
    pub(super) thread: Option<ThreadId>,
}

impl Group {
    pub(super) fn push_points(
        self,
        builder: &mut ProfileBuilder,
        clock: i64,
        untimed: bool,
        warnings: &mut Warnings,
    ) {
        let mut values = vec![0; builder.metrics.len()];
        let factors: Vec<i64> = (self.series.iter().zip(&self.metrics))
            .map(|(series, &metric)| {
                10i64.pow(u32::from(builder.metrics[metric].decimals - series.decimals()))
            })
            .collect();
        let timed = self.series.iter().find(|series| series.is_timed());
        let clocked = timed.unwrap_or(&self.series[0]);
        let to_ns = |value: i64| {
            let decimal = Decimal { mantissa: value, exponent: -i32::from(clocked.decimals()) };
            nanoseconds(decimal, &clocked.unit).unwrap_or(i64::MAX)
        };
        let is_timed = clocked.is_timed() && !untimed;
        let mut passed = 0i64;
        let start = clocked.start_ns().saturating_sub(clock);
        for (row, &context) in self.series[0].contexts.iter().enumerate() {
            values.fill(0);
            for ((series, &metric), &factor) in self.series.iter().zip(&self.metrics).zip(&factors)
            {
                let value = series.values[row];
                values[metric] = value.checked_mul(factor).unwrap_or_else(|| {
                    warnings
                        .add("scale", || "values too large for the decimals of others".to_owned());
                    value.saturating_mul(factor)
                });
            }
            let time = match clocked.starts.get(row) {
                Some(&at) => to_ns(at).saturating_sub(clock),
                None => start.saturating_add(to_ns(passed)),
            };
            passed = passed.saturating_add(clocked.values[row]);
            if let (Some(&called), Some(calls)) = (clocked.calls.get(row), values.last_mut()) {
                *calls = called.into();
            }
            let time = is_timed.then_some(time);
            builder.points.push_point(
                Point { context, time, thread: self.thread, ..Point::default() },
                &values,
            );
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
