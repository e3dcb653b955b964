//! The list of functions.

use std::collections::HashMap;
use std::io;

use analysis::{FrameKey, FrameKeys, Tag};
use profile::{Metric, MetricId};
use protocol::{
    ErrorCode, FunctionInfo, FunctionsColumns, FunctionsParams, FunctionsResult, IntervalInfo,
    ProtocolError, Reply, SortBy, TextResult, ViewSpec,
};

use crate::kinds::profile::lists::functions::{Changes, List, Wanted, intervals};
use crate::kinds::profile::pictures::appearance::appearance;
use crate::kinds::profile::pictures::colours::Measured;
use crate::kinds::profile::trees::report::row_of_key;
use crate::kinds::profile::trees::views::{filtered_by, view_options};
use crate::kinds::profile::{convert, csv, lists};
use crate::{CsvTable, ProfileDocument};

/// Most functions in an answer.
const MOST_ROWS: u32 = 10_000;

pub(crate) fn functions(
    document: &ProfileDocument,
    params: &FunctionsParams,
) -> Result<Reply<FunctionsResult, FunctionsColumns>, ProtocolError> {
    let List { keys, flats, changes, found } = list(document, params)?;
    let first = found.len().min(params.first as usize);
    let count = params.count.min(MOST_ROWS) as usize;
    let asked = &found[first..found.len().min(first.saturating_add(count))];
    let mut columns = FunctionsColumns::default();
    for &key in asked {
        for flat in &flats {
            let (own, total) = flat.of(key);
            columns.self_value.push(own);
            columns.total_value.push(total);
        }
    }
    let options = view_options(document, &params.view)?;
    let filtered = filtered_by(document, &options).map_err(convert::filter_error)?;
    columns.scale = metrics_of(params).map(|metric| filtered.program_total(metric)).collect();
    let estimated = asked.iter().any(|&key| flats.iter().any(|flat| flat.is_estimated(key)));
    let mut rows: Vec<FunctionInfo> =
        asked.iter().map(|&key| info(document, &keys, key, changes.as_ref())).collect();
    let intervals = intervals(changes.as_ref(), asked);
    for row in &mut rows {
        row.interval = intervals.get(&FrameKey(row.key)).cloned();
    }
    let total_rows = found.len() as u32;
    Ok(Reply { result: FunctionsResult { total_rows, estimated, rows }, columns })
}

/// All functions of a list as comma-separated values.
pub(crate) fn export_functions_csv(
    document: &ProfileDocument,
    params: &FunctionsParams,
) -> Result<Reply<TextResult>, ProtocolError> {
    let list = list(document, params)?;
    let runs = RunColumns::new(document, params, &list)?;
    let text = written(document, params, &list, runs.as_ref()).map_err(|error| {
        ProtocolError::new(ErrorCode::Limit, format!("the list cannot be written: {error}"))
    })?;
    Ok(Reply::from(TextResult { text, file_name: format!("{}.csv", document.title()) }))
}

fn written(
    document: &ProfileDocument,
    params: &FunctionsParams,
    list: &List,
    runs: Option<&RunColumns>,
) -> io::Result<String> {
    let List { keys, flats, changes, found } = list;
    let metrics = document.metrics();
    let mut out = CsvTable::new(vec![]);
    for name in ["function", "file", "line", "module"] {
        out.text(name)?;
    }
    let has_estimates = !document.profile().switched_off.is_empty();
    if has_estimates {
        out.text("exact")?;
    }
    if changes.is_some() {
        out.text("change")?;
    }
    if let Some(RunColumns { metric, .. }) = runs {
        let unit = csv::unit(metric);
        for name in ["p", "verdict"] {
            out.text(name)?;
        }
        for end in ["low", "high"] {
            out.text(&format!("interval {end}{unit}"))?;
        }
    }
    for metric in metrics_of(params) {
        csv::value_heads(&mut out, &metrics[metric.index()])?;
    }
    out.end_row()?;
    for &key in work::steps("writing functions", found) {
        let row = info(document, keys, key, changes.as_ref());
        out.text(&row.name)?;
        out.text(&row.file)?;
        if row.line == 0 { out.empty() } else { out.exact(row.line) }?;
        out.text(&row.module)?;
        if has_estimates {
            let row = row_of_key(document, keys, key, 0, 0);
            out.text(row.exactness.as_ref().map_or("", |exactness| &exactness.text))?;
        }
        if let Some(changes) = changes {
            out.text(changes.tag(document, key).map_or("", Tag::sign))?;
        }
        if let Some(runs) = runs {
            runs.write(&mut out, key, &row)?;
        }
        for (metric, flat) in metrics_of(params).zip(flats) {
            let (own, total) = flat.of(key);
            csv::values(&mut out, &metrics[metric.index()], [own, total])?;
        }
        out.end_row()?;
    }
    String::from_utf8(out.finish()?).map_err(io::Error::other)
}

/// What several runs say of the functions of a list.
struct RunColumns {
    intervals: HashMap<FrameKey, IntervalInfo>,
    /// What is compared, in the unit and the decimals of the intervals.
    metric: Metric,
}

impl RunColumns {
    fn new(
        document: &ProfileDocument,
        params: &FunctionsParams,
        List { changes, found, .. }: &List,
    ) -> Result<Option<RunColumns>, ProtocolError> {
        let tested = changes.as_ref().is_some_and(|changes| changes.tests.is_some());
        let Some(comparing) = document.comparison().filter(|_| tested) else { return Ok(None) };
        let options = view_options(document, &params.view)?;
        let intervals = intervals(changes.as_ref(), found);
        let compared = document.compared_metric(options.metric);
        Ok(Some(RunColumns { intervals, metric: comparing.metrics[compared.index()].clone() }))
    }

    fn write(
        &self,
        out: &mut CsvTable<Vec<u8>>,
        key: FrameKey,
        row: &FunctionInfo,
    ) -> io::Result<()> {
        let verdict = row.verdict.as_ref().map_or("unknown", |found| found.verdict.name());
        let Some(p) = row.adjusted else {
            out.empty()?;
            out.text(verdict)?;
            out.empty()?;
            return out.empty();
        };
        out.exact(p)?;
        out.text(verdict)?;
        match self.intervals.get(&key) {
            Some(IntervalInfo { low, high, .. }) => {
                for end in [low, high] {
                    out.exact(end / 10f64.powi(self.metric.decimals.into()))?;
                }
                Ok(())
            }
            None => {
                out.empty()?;
                out.empty()
            }
        }
    }
}

/// The functions of a request.
pub(super) fn list(
    document: &ProfileDocument,
    params: &FunctionsParams,
) -> Result<List, ProtocolError> {
    let known = document.metrics().len();
    if params.metrics.len() > known {
        let message = "you asked for more metrics than the document has";
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    let view = view_options(document, &params.view)?;
    let by_value = matches!(params.sort.by, SortBy::SelfValue | SortBy::TotalValue);
    let sorted_by = by_value.then_some(params.sort.metric);
    for metric in params.metrics.iter().copied().chain(sorted_by) {
        view_options(document, &ViewSpec { metric, ..params.view.clone() })?;
    }
    let metrics: Vec<MetricId> = metrics_of(params).collect();
    let wanted = Wanted {
        metrics: &metrics,
        sort: params.sort,
        filter: &params.filter,
        direction: params.direction,
    };
    lists::functions::functions(document, &view, &wanted)
}

fn metrics_of(params: &FunctionsParams) -> impl Iterator<Item = MetricId> {
    params.metrics.iter().copied().map(MetricId)
}

pub(super) fn info(
    document: &ProfileDocument,
    keys: &FrameKeys,
    key: FrameKey,
    changes: Option<&Changes>,
) -> FunctionInfo {
    let row = row_of_key(document, keys, key, 0, 0);
    let tag = changes.and_then(|changes| changes.tag(document, key));
    let change = tag.zip(changes.map(|changes| changes.change(key)));
    let measured = Measured { own: 0, total: 0, change };
    let look = appearance(document).of_measured_key(document.profile(), keys, key, measured);
    FunctionInfo {
        key: key.0,
        label: (row.label != row.name).then_some(row.label),
        name: row.name,
        file: row.place.file,
        line: row.place.line,
        module: row.place.module,
        colours: look.0,
        tag: tag.map(convert::tag),
        interval: None,
        verdict: changes.and_then(|all| all.verdict(document, key)).map(convert::verdict),
        adjusted: changes.and_then(|changes| changes.test(key)).map(|test| test.adjusted),
    }
}
