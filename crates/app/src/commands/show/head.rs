//! What every report on a profile begins with.

use std::rc::Rc;

use anyhow::Result;
use serde::Serialize;
use session::{Metric, ProfileDocument, ViewOptions, total_of, unfiltered_total};

use super::super::notes::view_warnings;
use super::ReportRequest;
use crate::report::{Cell, Head, Measure, Members, Span};
use crate::text::{json_number, share};

/// How values of a report read.
pub(super) struct Values {
    pub(super) measure: Rc<Measure>,
    /// What shares are of; 0 where there are none.
    whole: i64,
}

impl Values {
    pub(super) fn value(&self, value: i64) -> Cell<'static> {
        Cell::value(value, &self.measure)
    }

    pub(super) fn share(&self, value: i64) -> Cell<'static> {
        Cell::Share(value, self.whole)
    }

    /// A value with its share.
    pub(super) fn both(&self, value: i64) -> [Cell<'static>; 2] {
        [self.value(value), self.share(value)]
    }
}

/// The head and how values read.
pub(super) fn head(asked: &ReportRequest<'_>, view: &str, shape: &str) -> Result<(Head, Values)> {
    let ReportRequest { document, options, .. } = *asked;
    let metric = document.metrics().swap_remove(options.metric.index());
    let total = unfiltered_total(document, options.metric)?;
    // Values of formulas have no shares: they do not add up.
    let whole = if document.is_derived(options.metric) { 0 } else { total };
    let values = Values { measure: Measure::new(&metric), whole };
    let kept = total_of(document, options)?;
    let told = |value| values.measure.unit.text(value);
    let mut spans = vec![Span::plain("total "), Span::strong(told(total))];
    if kept != total {
        let share = share(kept, whole);
        let share = if share.is_empty() { share } else { format!(" ({share})") };
        spans.push(Span::plain(format!(", filters keep {}{share}", told(kept))));
    }
    let is_estimated = document.profile().origin.estimated_paths && shape != "flat";
    let note = if is_estimated { "totals are estimated from a call graph" } else { "" };
    let unit = if metric.unit.is_empty() { String::new() } else { format!(" ({})", metric.unit) };
    let members = members(document, options, &metric, view)?;
    let head = Head {
        title: document.title().to_owned(),
        metric: format!("{}{unit}", metric.name),
        view: shape.to_owned(),
        total: spans,
        note: note.to_owned(),
        members,
        ..Head::default()
    };
    Ok((head, values))
}

/// The metrics that a report tells, the first being that of its order.
pub(super) fn all_metrics(document: &ProfileDocument, options: &ViewOptions) -> Vec<Metric> {
    let metrics = document.metrics();
    let numbers = std::iter::once(&options.metric).chain(&options.more_metrics);
    numbers.map(|&number| metrics[number.index()].clone()).collect()
}

#[derive(Serialize)]
struct ProfileJson<'a> {
    title: &'a str,
    format: &'a str,
    filtered_total: Option<serde_json::Number>,
}

/// A metric.
#[derive(Serialize)]
pub(super) struct MetricJson<'a> {
    pub(super) name: &'a str,
    pub(super) unit: &'a str,
}

/// A metric with its sum over the whole profile.
#[derive(Serialize)]
struct TotalJson<'a> {
    name: &'a str,
    unit: &'a str,
    total: Option<serde_json::Number>,
}

fn members(
    document: &ProfileDocument,
    options: &ViewOptions,
    metric: &Metric,
    view: &str,
) -> Result<Members> {
    let profile = ProfileJson {
        title: document.title(),
        format: &document.profile().origin.format,
        filtered_total: json_number(total_of(document, options)?, metric.decimals),
    };
    let all = all_metrics(document, options);
    let numbers = std::iter::once(&options.metric).chain(&options.more_metrics);
    let metrics: Vec<TotalJson<'_>> = (numbers.zip(&all))
        .map(|(&number, Metric { name, unit, decimals, .. })| {
            let total = json_number(unfiltered_total(document, number)?, *decimals);
            Ok(TotalJson { name, unit, total })
        })
        .collect::<Result<_>>()?;
    let total = json_number(unfiltered_total(document, options.metric)?, metric.decimals);
    Members::default()
        .with("profile", &profile)?
        .with("metric", &MetricJson { name: &metric.name, unit: &metric.unit })?
        .with("total", &total)?
        .with("metrics", &metrics)?
        .with("warnings", &view_warnings(document, options)?)?
        .with("view", &view)
}
