//! The list of functions.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use analysis::statistics::{Interval, Verdict};
use analysis::{
    Change, FlatValues, FrameKey, FrameKeys, Pattern, Significance, Tag, matching_frames,
    matching_keys,
};
use profile::{Metric, MetricId};
use protocol::{
    ChangeDirection, ErrorCode, FunctionInfo, FunctionsColumns, FunctionsParams, FunctionsResult,
    IntervalInfo, ProtocolError, Reply, SortBy, TextResult,
};

use crate::kinds::pattern_error;
use crate::kinds::profile::colours::Measured;
use crate::kinds::profile::comparing::Runs;
use crate::kinds::profile::report::{is_told, magnitude};
use crate::kinds::profile::{convert, csv};
use crate::{Comparing, CsvTable, ProfileDocument, ViewOptions};

/// Most functions in an answer.
const MOST_ROWS: u32 = 10_000;

/// The functions of a list, in its order.
pub(super) struct List {
    pub(super) keys: Arc<FrameKeys>,
    /// By asked metric.
    pub(super) flats: Vec<Arc<FlatValues>>,
    pub(super) changes: Option<Changes>,
    pub(super) found: Vec<FrameKey>,
}

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
    let options = document.options(&params.view)?;
    let filtered = document.filtered_by(&options).map_err(convert::filter_error)?;
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

/// By how much the totals of a run differ, for those of some functions that were tested.
pub(super) fn intervals(
    changes: Option<&Changes>,
    wanted: &[FrameKey],
) -> HashMap<FrameKey, IntervalInfo> {
    let known = wanted.iter().filter_map(|&key| {
        let Interval { estimate, low, high } = changes?.test(key)?.shift.difference;
        Some((key, IntervalInfo { estimate, low, high }))
    });
    known.collect()
}

/// All functions of a list as comma-separated values.
pub(crate) fn export_functions_csv(
    document: &ProfileDocument,
    params: &FunctionsParams,
) -> Result<Reply<TextResult>, ProtocolError> {
    let list = list(document, params)?;
    let runs = RunColumns::of(document, params, &list)?;
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
            let row = document.row_of_key(keys, key, 0, 0);
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
    fn of(
        document: &ProfileDocument,
        params: &FunctionsParams,
        List { changes, found, .. }: &List,
    ) -> Result<Option<RunColumns>, ProtocolError> {
        let tested = changes.as_ref().is_some_and(|changes| changes.tests.is_some());
        let Some(comparing) = document.comparison().filter(|_| tested) else { return Ok(None) };
        let options = document.options(&params.view)?;
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

fn metrics_of(params: &FunctionsParams) -> impl Iterator<Item = MetricId> {
    params.metrics.iter().copied().map(MetricId)
}

pub(super) fn list(
    document: &ProfileDocument,
    params: &FunctionsParams,
) -> Result<List, ProtocolError> {
    if params.metrics.len() > document.metrics().len() {
        let message = "more metrics are asked for than the document has";
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    let options = document.options(&params.view)?;
    let keys = document.keys(options.granularity);
    let flats = params
        .metrics
        .iter()
        .map(|&metric| flat_of(document, params, metric))
        .collect::<Result<Vec<_>, _>>()?;
    let changes = Changes::of(document, &options)?;
    let matching = matching(document, &options, &keys, &params.filter)?;
    let is_row = |&key: &FrameKey| {
        matching.as_ref().is_none_or(|matching| matching[key.index()])
            && flats.iter().any(|flat| is_told(flat.of(key)))
            && params.direction.is_none_or(|wanted| {
                let compared = changes.as_ref().zip(document.comparison());
                compared.is_some_and(|(changes, of)| changes.goes(of, key, wanted))
            })
    };
    let mut found: Vec<FrameKey> = keys.all().filter(is_row).collect();
    sort(document, params, &keys, &mut found)?;
    sort_by_runs(params, changes.as_ref(), &mut found);
    Ok(List { keys, flats, changes, found })
}

fn flat_of(
    document: &ProfileDocument,
    params: &FunctionsParams,
    metric: u32,
) -> Result<Arc<FlatValues>, ProtocolError> {
    let view = protocol::ViewSpec { metric, ..params.view.clone() };
    document.flat(&document.options(&view)?).map_err(convert::filter_error)
}

/// Whether functions match, by key; none where all do.
fn matching(
    document: &ProfileDocument,
    options: &ViewOptions,
    keys: &FrameKeys,
    filter: &str,
) -> Result<Option<Vec<bool>>, ProtocolError> {
    if filter.is_empty() {
        return Ok(None);
    }
    let pattern = Pattern::typed(filter).map_err(pattern_error)?;
    let filtered = document.filtered_by(options).map_err(convert::filter_error)?;
    Ok(Some(matching_keys(keys, &matching_frames(&filtered, &pattern))))
}

/// Sorts functions; of equal ones the larger in the other column comes first, then by name.
fn sort(
    document: &ProfileDocument,
    params: &FunctionsParams,
    keys: &FrameKeys,
    found: &mut [FrameKey],
) -> Result<(), ProtocolError> {
    let profile = document.profile();
    if matches!(params.sort.by, SortBy::Name | SortBy::Interval | SortBy::Verdict) {
        found.sort_by_cached_key(|&key| keys.name(profile, key).into_owned());
    } else {
        let flat = flat_of(document, params, params.sort.metric)?;
        let is_derived = document.is_derived(MetricId(params.sort.metric));
        let is_change = document.is_change(MetricId(params.sort.metric));
        let size = |value| if is_derived && !is_change { value } else { magnitude(value) };
        found.sort_by_cached_key(|&key| {
            let (own, total) = flat.of(key);
            let (own, total) = (size(own), size(total));
            let values =
                if params.sort.by == SortBy::SelfValue { (own, total) } else { (total, own) };
            (Reverse(values), keys.name(profile, key).into_owned())
        });
    }
    if params.sort.reverse {
        found.reverse();
    }
    Ok(())
}

/// Sorts functions by what runs say of their change, where that is asked for.
fn sort_by_runs(params: &FunctionsParams, changes: Option<&Changes>, found: &mut [FrameKey]) {
    let known: HashMap<FrameKey, f64> = match params.sort.by {
        SortBy::Interval => {
            let intervals = intervals(changes, found).into_iter();
            // An interval that holds 0 tells no change.
            let least = |IntervalInfo { low, high, .. }| f64::max(low, 0.0) - f64::min(high, 0.0);
            intervals.map(|(key, interval)| (key, -least(interval))).collect()
        }
        SortBy::Verdict => {
            let tests = changes.and_then(|changes| changes.tests.as_ref());
            tests.into_iter().flatten().map(|(&key, test)| (key, test.adjusted)).collect()
        }
        SortBy::Name | SortBy::SelfValue | SortBy::TotalValue => return,
    };
    found.sort_by(|a, b| match (known.get(a), known.get(b)) {
        (Some(a), Some(b)) if params.sort.reverse => b.total_cmp(a),
        (Some(a), Some(b)) => a.total_cmp(b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
}

pub(super) fn info(
    document: &ProfileDocument,
    keys: &FrameKeys,
    key: FrameKey,
    changes: Option<&Changes>,
) -> FunctionInfo {
    let row = document.row_of_key(keys, key, 0, 0);
    let tag = changes.and_then(|changes| changes.tag(document, key));
    let change = tag.zip(changes.map(|changes| changes.change(key)));
    let measured = Measured { own: 0, total: 0, change };
    let look = document.appearance().of_measured_key(document.profile(), keys, key, measured);
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

/// The changes of a comparison's functions.
pub(super) struct Changes {
    base: Arc<FlatValues>,
    new: Arc<FlatValues>,
    /// None where there are no runs to test.
    pub(super) tests: Option<HashMap<FrameKey, Significance>>,
}

impl Changes {
    /// Those in the metric that is compared; none where nothing is.
    pub(super) fn of(
        document: &ProfileDocument,
        options: &ViewOptions,
    ) -> Result<Option<Changes>, ProtocolError> {
        if document.comparison().is_none() {
            return Ok(None);
        }
        let sides = document.compared_sides(options.metric);
        let flat = |metric: MetricId| {
            let of = ViewOptions { metric, ..options.clone() };
            document.flat(&of).map_err(convert::filter_error)
        };
        let (base, new) = (flat(sides.base)?, flat(sides.new)?);
        let total = |key: FrameKey| Change { base: base.of(key).1, new: new.of(key).1 };
        let tests = match sides.compared {
            Some(compared) => document.function_tests(options, compared, &total)?,
            None => None,
        };
        Ok(Some(Changes { base, new, tests: tests.map(|tests| tests.total) }))
    }

    fn test(&self, key: FrameKey) -> Option<&Significance> {
        self.tests.as_ref()?.get(&key)
    }

    pub(super) fn change(&self, key: FrameKey) -> Change {
        Change { base: self.base.of(key).1, new: self.new.of(key).1 }
    }

    fn goes(&self, comparing: &Comparing, key: FrameKey, wanted: ChangeDirection) -> bool {
        let change = self.change(key);
        let difference = if comparing.is_rounding(change) { 0 } else { change.difference() };
        match wanted {
            ChangeDirection::Growth => difference > 0,
            ChangeDirection::Fall => difference < 0,
        }
    }

    pub(super) fn verdict(&self, document: &ProfileDocument, key: FrameKey) -> Option<Verdict> {
        Some(document.comparison()?.verdict(Runs::of(self.tests.as_ref(), &key)))
    }

    pub(super) fn tag(&self, document: &ProfileDocument, key: FrameKey) -> Option<Tag> {
        let comparing = document.comparison()?;
        Some(comparing.tag(self.change(key), Runs::of(self.tests.as_ref(), &key)))
    }
}
