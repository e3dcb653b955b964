//! Functions by their calls and their value a call.

use std::io;
use std::sync::Arc;

use analysis::{
    FlatValues, FrameKey, FrameKeys, FunctionCalls, Granularity, NO_VALUE, Side, counts_calls,
    counts_primitive_calls, function_calls,
};
use layout::{ScatterThing, Zone};
use profile::{Metric, MetricId, Profile};
use protocol::{
    ErrorCode, ProtocolError, Reply, ScatterColumns, ScatterDiagonal, ScatterOf, ScatterParams,
    ScatterResult, TextResult, ViewParams, ViewSpec,
};

use super::functions::info;
use crate::kinds::profile::lists::functions::Changes;
use crate::kinds::profile::pictures::appearance::appearance;
use crate::kinds::profile::pictures::colours::Measured;
use crate::kinds::profile::trees::values::is_measured;
use crate::kinds::profile::trees::views::{filtered_by, flat_by, frame_keys, view_options};
use crate::kinds::profile::{convert, csv};
use crate::{CsvTable, ProfileDocument, ViewOptions};

/// Most functions that are placed.
const MOST_MARKS: u32 = 5_000;

/// The functions that were called or have a value.
struct Called {
    options: ViewOptions,
    keys: Arc<FrameKeys>,
    calls: FunctionCalls,
    flat: Arc<FlatValues>,
    found: Vec<FrameKey>,
}

pub(crate) fn scatter(
    document: &ProfileDocument,
    params: &ScatterParams,
) -> Result<Reply<ScatterResult, ScatterColumns>, ProtocolError> {
    let called = Called::of(document, &params.view)?;
    let of = match called.calls.primitive {
        Some(_) => params.of,
        None => ScatterOf::OwnValue,
    };
    let means: Vec<(f64, f64)> = called.found.iter().map(|&key| called.mean(of, key)).collect();
    let things: Vec<ScatterThing> = (called.found.iter().zip(&means))
        .map(|(&key, &(calls, mean))| {
            let weight = called.flat.of(key).1.max(0) as f64;
            ScatterThing { x: calls, y: mean, weight }
        })
        .collect();
    let placed = layout::scatter(&things, params.most.min(MOST_MARKS) as usize);
    let changes = Changes::new(document, &called.options)?;
    let filtered = filtered_by(document, &called.options).map_err(convert::filter_error)?;
    let mut columns = ScatterColumns::default();
    let mut rows = vec![];
    let all: i64 = sum(called.found.iter().map(|&key| called.flat.of(key).0));
    let mut shown = 0i64;
    let mut largest = 0;
    for mark in &placed.marks {
        let key = called.found[mark.thing];
        let (own, total) = called.flat.of(key);
        shown = shown.saturating_add(own);
        largest = largest.max(total);
        columns.zone.push(match mark.zone {
            Zone::Plot => 0,
            Zone::NoX => 1,
            Zone::NoY => 2,
        });
        columns.x.push(mark.x);
        columns.y.push(mark.y);
        columns.radius.push(mark.radius);
        columns.calls.push(called.calls.all[key.index()]);
        columns.primitive.push(called.primitive(key).unwrap_or(NO_VALUE));
        columns.self_value.push(own);
        columns.total_value.push(total);
        columns.mean.push(means[mark.thing].1);
        let mut row = info(document, &called.keys, key, changes.as_ref());
        row.colours = called.colours(document, key, changes.as_ref());
        rows.push(row);
    }
    let whole = filtered.program_total(called.options.metric);
    columns.scale = vec![whole, all.saturating_sub(shown), largest];
    let diagonals = placed.diagonals.iter().map(|line| ScatterDiagonal {
        product: line.product,
        begin: line.begin,
        end: line.end,
    });
    let result = ScatterResult {
        of,
        metric: called.options.metric.0,
        primitive_unknown: called.primitive_unknown(document),
        total_rows: called.found.len() as u32,
        rows,
        across: [placed.across.from, placed.across.to],
        up: [placed.up.from, placed.up.to],
        diagonals: diagonals.collect(),
    };
    Ok(Reply { result, columns })
}

/// All functions with their calls, the one with the largest total first.
pub(crate) fn export_calls_csv(
    document: &ProfileDocument,
    params: &ViewParams,
) -> Result<Reply<TextResult>, ProtocolError> {
    let mut called = Called::of(document, &params.view)?;
    let Called { flat, found, .. } = &mut called;
    found.sort_by_key(|&key| std::cmp::Reverse(flat.of(key).1));
    let text = written(document, &called).map_err(|error| {
        ProtocolError::new(ErrorCode::Limit, format!("the list cannot be written: {error}"))
    })?;
    Ok(Reply::from(TextResult { text, file_name: format!("{}-calls.csv", document.title()) }))
}

fn written(document: &ProfileDocument, called: &Called) -> io::Result<String> {
    let metric = &document.metrics()[called.options.metric.index()];
    let mut out = CsvTable::new(vec![]);
    for name in ["function", "file", "line", "module", "calls", "primitive calls"] {
        out.text(name)?;
    }
    csv::value_heads(&mut out, metric)?;
    let unit = csv::unit(metric);
    for name in ["self a call", "total a primitive call"] {
        out.text(&format!("{} {name}{unit}", metric.name))?;
    }
    out.end_row()?;
    for &key in work::steps("writing functions", &called.found) {
        let row = info(document, &called.keys, key, None);
        out.text(&row.name)?;
        out.text(&row.file)?;
        if row.line == 0 { out.empty() } else { out.exact(row.line) }?;
        out.text(&row.module)?;
        out.exact(called.calls.all[key.index()])?;
        match called.primitive(key) {
            Some(calls) => out.exact(calls),
            None => out.empty(),
        }?;
        let (own, total) = called.flat.of(key);
        csv::values(&mut out, metric, [own, total])?;
        for of in [ScatterOf::OwnValue, ScatterOf::TotalValue] {
            match called.mean(of, key).1 {
                mean if mean.is_finite() => out.exact(mean / 10f64.powi(metric.decimals.into())),
                _ => out.empty(),
            }?;
        }
        out.end_row()?;
    }
    String::from_utf8(out.finish()?).map_err(io::Error::other)
}

impl Called {
    fn of(document: &ProfileDocument, view: &ViewSpec) -> Result<Called, ProtocolError> {
        let options = view_options(document, view)?;
        let Metrics { value: metric, calls: counted, primitive } =
            metrics(document, options.metric)?;
        let options = ViewOptions { metric, ..options };
        let keys = frame_keys(document, options.granularity);
        let flat = flat_by(document, &options).map_err(convert::filter_error)?;
        let filtered = filtered_by(document, &options).map_err(convert::filter_error)?;
        // What files tell of functions, they tell of nothing coarser or finer.
        let stored = primitive.filter(|_| options.granularity == Granularity::Function);
        let calls = function_calls(&filtered, keys.keys(), keys.len(), counted, stored);
        let is_row = |key: &FrameKey| calls.all[key.index()] != 0 || is_measured(flat.of(*key));
        let found = keys.all().filter(is_row).collect();
        Ok(Called { options, keys, calls, flat, found })
    }

    fn primitive(&self, key: FrameKey) -> Option<i64> {
        self.calls.primitive.as_ref().map(|calls| calls[key.index()])
    }

    /// Calls, and the value of one of them; no number where there is none or it is not known.
    fn mean(&self, of: ScatterOf, key: FrameKey) -> (f64, f64) {
        let (own, total) = self.flat.of(key);
        let (calls, value) = match of {
            ScatterOf::OwnValue => (Some(self.calls.all[key.index()]), own),
            ScatterOf::TotalValue => (self.primitive(key), total),
        };
        match calls {
            Some(calls) if calls > 0 && value != NO_VALUE => {
                (calls as f64, value as f64 / calls as f64)
            }
            _ => (0.0, f64::NAN),
        }
    }

    /// Its groups, its change, and the share of its calls that are recursive.
    fn colours(&self, document: &ProfileDocument, key: FrameKey, of: Option<&Changes>) -> u32 {
        let all = self.calls.all[key.index()];
        let recursive = self.primitive(key).map_or(0, |primitive| all.saturating_sub(primitive));
        let change = of.and_then(|of| Some((of.tag(document, key)?, of.change(key))));
        let measured = Measured { own: recursive, total: all, change };
        appearance(document).of_measured_key(document.profile(), &self.keys, key, measured).0
    }

    fn primitive_unknown(&self, document: &ProfileDocument) -> Option<String> {
        let told = || {
            let format = &document.profile().origin.format;
            format!(
                "{format} has calls between functions and no call paths: which calls were recursive \
                 is not known"
            )
        };
        self.calls.primitive.is_none().then(told)
    }
}

/// Metrics of one side.
struct Metrics {
    /// What is divided by calls.
    value: MetricId,
    calls: MetricId,
    primitive: Option<MetricId>,
}

fn metrics(document: &ProfileDocument, shown: MetricId) -> Result<Metrics, ProtocolError> {
    let profile = document.profile();
    let comparing = document.comparison();
    let all = comparing.as_ref().map_or(&profile.metrics, |comparing| &comparing.metrics);
    let first = |is_it: fn(&Profile, &Metric) -> bool| {
        let found = all.iter().position(|metric| is_it(profile, metric))?;
        Some(MetricId(found as u32))
    };
    let [calls, primitive] = [first(counts_calls), first(counts_primitive_calls)];
    let is_measured = shown.index() < profile.metrics.len();
    let (value, [calls, primitive]) = match comparing {
        None => (shown, [calls, primitive]),
        Some(_) => {
            let sides = [Side::Base, Side::New, Side::Both];
            let compared = document.compared_metric(shown);
            let side = sides.into_iter().find(|side| is_measured && side.of(compared) == shown);
            // Change and ratio have no calls of their own.
            let side = side.unwrap_or(Side::Both);
            let is_own = is_measured || document.is_change(shown);
            let value = if is_own { side.of(compared) } else { shown };
            (value, [calls, primitive].map(|of| of.map(|metric| side.of(metric))))
        }
    };
    let refused = |message: String, hint: &str| {
        Err(ProtocolError::new(ErrorCode::BadRequest, message).with_hint(hint))
    };
    let Some(calls) = calls else {
        return refused(
            "No call counts.".to_owned(),
            "Samples tell how often a function was seen, not how often it was called. Recorders that \
             follow every call count them: Hotframe’s and VizTracer’s for Python, cProfile, \
             callgrind, gprof, TAU.",
        );
    };
    let name = &document.metrics()[value.index()].name;
    if value == calls {
        let message = format!("{name} cannot be divided by itself.");
        return refused(message, "Choose a metric of what calls cost, such as time.");
    }
    if document.is_derived(value) {
        let message = format!("Values of {name} do not add up over calls.");
        return refused(message, "Choose a metric that was measured and adds up.");
    }
    Ok(Metrics { value, calls, primitive })
}

fn sum(values: impl Iterator<Item = i64>) -> i64 {
    values.filter(|&value| value != NO_VALUE).fold(0, i64::saturating_add)
}
