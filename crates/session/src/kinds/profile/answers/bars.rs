//! Functions as bars, with how they spread over members.

use analysis::{FrameKey, FrameKeys, GroupPlaces, NO_VALUE, Side};
use layout::LinearScale;
use profile::MetricId;
use protocol::{
    BarsColumns, BarsResult, ErrorCode, FunctionsParams, FunctionsResult, ProtocolError, Reply,
};

use super::functions::{functions, list};
use crate::ProfileDocument;
use crate::kinds::profile::convert;
use crate::kinds::profile::lists::functions::List;
use crate::kinds::profile::trees::views::{filtered_by, view_options};

/// Most functions that are drawn.
const MOST_BARS: u32 = 1_000;

/// Self and total of a function by member.
type ByMember = [Vec<f64>; 2];

pub(crate) fn bars(
    document: &ProfileDocument,
    params: &FunctionsParams,
) -> Result<Reply<BarsResult, BarsColumns>, ProtocolError> {
    let [metric] = params.metrics[..] else {
        return Err(ProtocolError::new(ErrorCode::BadRequest, "bars show one metric"));
    };
    let metric = MetricId(metric);
    let params = FunctionsParams { count: params.count.min(MOST_BARS), ..params.clone() };
    let List { keys, flats, found, .. } = list(document, &params)?;
    let Reply { result, columns: values } = functions(document, &params)?;
    let FunctionsResult { total_rows, estimated, rows } = result;
    let of = |value: i64| if value == NO_VALUE { f64::NAN } else { value as f64 };
    let mut columns = BarsColumns {
        self_length: values.self_value.iter().map(|&value| of(value)).collect(),
        total_length: values.total_value.iter().map(|&value| of(value)).collect(),
        self_value: values.self_value,
        total_value: values.total_value,
        ..BarsColumns::default()
    };
    let shown: Vec<FrameKey> = rows.iter().map(|row| FrameKey(row.key)).collect();
    let members = spread(document, &params, metric, &keys, &shown)?;
    if let Some(by_key) = &members {
        let (least, most) = (f64::min as fn(f64, f64) -> f64, f64::max as fn(f64, f64) -> f64);
        for (row, [own, total]) in by_key.iter().enumerate() {
            let fold = |values: &[f64], with: fn(f64, f64) -> f64| {
                values.iter().copied().reduce(with).unwrap_or(0.0)
            };
            let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
            columns.self_length[row] = mean(own);
            columns.total_length[row] = mean(total);
            columns.self_least.push(fold(own, least));
            columns.self_most.push(fold(own, most));
            columns.total_least.push(fold(total, least));
            columns.total_most.push(fold(total, most));
        }
    }
    let lengths = [&columns.self_length, &columns.total_length];
    let spreads =
        [&columns.self_least, &columns.self_most, &columns.total_least, &columns.total_most];
    let ticks = LinearScale::around(lengths.into_iter().chain(spreads).flatten().copied()).ticks;
    let sum = |values: &mut dyn Iterator<Item = i64>| {
        values.filter(|&value| value != NO_VALUE).fold(0, i64::saturating_add)
    };
    let all = sum(&mut found.iter().map(|&key| flats[0].of(key).0));
    let told = sum(&mut columns.self_value.iter().copied());
    let whole = values.scale.first().copied().unwrap_or_default();
    columns.scale = vec![whole, all.saturating_sub(told)];
    let count = |by_key: &Vec<ByMember>| by_key.first().map(|[own, _]| own.len() as u32);
    let members = members.as_ref().and_then(count);
    let result = BarsResult { total_rows, estimated, rows, members, ticks };
    Ok(Reply { result, columns })
}

/// The values of some functions by member, where there are several; of a comparison those of the
/// runs of the shown side. None where values do not add up, and of both sides together.
fn spread(
    document: &ProfileDocument,
    params: &FunctionsParams,
    metric: MetricId,
    keys: &FrameKeys,
    shown: &[FrameKey],
) -> Result<Option<Vec<ByMember>>, ProtocolError> {
    if document.is_derived(metric) {
        return Ok(None);
    }
    let options = view_options(document, &params.view)?;
    let filtered = filtered_by(document, &options).map_err(convert::filter_error)?;
    let parts = filtered.parts();
    let compared = document.compared_metric(metric);
    // Which of the runs of both sides, and the metric that tells them.
    let (side, told) = match document.comparison() {
        None => (None, metric),
        Some(_) => {
            let sides = [Side::Base, Side::New];
            let Some(at) = sides.iter().position(|side| side.of(compared) == metric) else {
                return Ok(None);
            };
            (Some(at), Side::Both.of(compared))
        }
    };
    let count = match (document.comparison(), side) {
        (Some(comparing), Some(at)) => comparing.groups.kept(parts)[at],
        _ => parts.len(),
    };
    if count < 2 || shown.is_empty() {
        return Ok(None);
    }
    let places = GroupPlaces::new(&filtered, keys.keys(), keys.len());
    let of_runs = |values: &[i64]| -> Vec<f64> {
        match (document.comparison(), side) {
            (Some(comparing), Some(at)) => {
                let [base, new] = comparing.groups.values(parts, compared, values);
                if at == 0 { base } else { new }
            }
            _ => values.iter().map(|&value| value as f64).collect(),
        }
    };
    let by_key = work::steps("looking at members", shown).map(|&key| {
        let sums = places.sums(&filtered, key, &[told]);
        [of_runs(&sums.own), of_runs(&sums.total)]
    });
    Ok(Some(by_key.collect()))
}
