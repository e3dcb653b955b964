//! [`protocol::ProfileRequest::Concurrency`] and [`protocol::ProfileRequest::ConcurrencyChart`].

use std::cmp::Reverse;

use analysis::Concurrency;
use profile::{MemberId, ProcessId, StringId, TrackId};
use protocol::{
    ConcurrencyChartColumns, ConcurrencyChartParams, ConcurrencyChartResult, ConcurrencyOf,
    ConcurrencyParams, ConcurrencyResult, ConcurrencyRow, ConcurrencySort, ErrorCode,
    ProtocolError, Reply,
};

use super::lanes::untimed;
use super::listing::{place_of, taken, wanted};
use crate::ProfileDocument;
use crate::kinds::profile::concurrency_report::ConcurrencyRow as Reported;
use crate::kinds::profile::convert;

/// Most cells of a chart.
const MOST_CELLS: u32 = 4096;

pub(crate) fn concurrency(
    document: &ProfileDocument,
    params: &ConcurrencyParams,
) -> Result<ConcurrencyResult, ProtocolError> {
    let profile = document.profile();
    let [origin, _] = document.charts().extent(profile).ok_or_else(|| untimed(document))?;
    let options = document.options(&params.view)?;
    let all = document.charts().concurrency.of(&options.filters, || {
        let filtered = document.filtered_by(&options).map_err(convert::filter_error)?;
        Ok(analysis::concurrency(&filtered))
    })?;
    let is_wanted = wanted(&params.filter)?;
    let mut found: Vec<(&Concurrency, Reported)> = all
        .iter()
        .map(|one| (one, document.concurrency_row(one)))
        .filter(|(_, row)| is_wanted(&row.name))
        .collect();
    match params.sort {
        // They are in this order.
        ConcurrencySort::Of => {}
        ConcurrencySort::Name => {
            found.sort_by(|(_, a), (_, b)| (&a.name, &a.file).cmp(&(&b.name, &b.file)));
        }
        ConcurrencySort::Most => found.sort_by_key(|(one, _)| Reverse(one.most)),
        ConcurrencySort::MostAt => found.sort_by_key(|(one, _)| one.most_at),
        ConcurrencySort::MostFor => found.sort_by_key(|(one, _)| Reverse(one.most_for)),
        ConcurrencySort::Mean => found.sort_by(|(a, _), (b, _)| b.mean.total_cmp(&a.mean)),
        ConcurrencySort::Busy => found.sort_by_key(|(one, _)| Reverse(one.busy)),
    }
    let total = found.len() as u32;
    let rows = taken(found, params.reverse, params.limit).into_iter().map(|(one, row)| {
        let track = match one.of {
            analysis::ConcurrencyOf::Lane(lane) => Some(lane),
            _ => None,
        };
        ConcurrencyRow {
            of: told(one.of),
            what: row.of.to_owned(),
            name: row.name,
            span_name: match one.of {
                analysis::ConcurrencyOf::Name(name, ..) => profile.text(name).to_owned(),
                _ => String::new(),
            },
            file: row.file,
            most: row.most as f64,
            most_for: row.most_for as f64,
            busy: row.busy as f64,
            mean: row.mean,
            place: place_of(
                document,
                origin,
                (one.of.member(profile), track, None),
                [one.most_at; 2],
            ),
        }
    });
    Ok(ConcurrencyResult { rows: rows.collect(), total })
}

pub(crate) fn concurrency_chart(
    document: &ProfileDocument,
    params: &ConcurrencyChartParams,
) -> Result<Reply<ConcurrencyChartResult, ConcurrencyChartColumns>, ProtocolError> {
    let sound = params.from.is_finite() && params.to.is_finite() && params.from < params.to;
    if !sound || params.cells == 0 || params.cells > MOST_CELLS {
        let message =
            format!("a chart needs a begin, an end behind it and 1 to {MOST_CELLS} cells");
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    let profile = document.profile();
    let [origin, _] = document.charts().extent(profile).ok_or_else(|| untimed(document))?;
    let options = document.options(&params.view)?;
    let filtered = document.filtered_by(&options).map_err(convert::filter_error)?;
    let extent = [params.from, params.to].map(|at| origin.saturating_add(at.round() as i64));
    let of = meant(params.of);
    let chart = analysis::concurrency_chart(&filtered, of, extent, params.cells as usize);
    let most: Vec<f64> = chart.most.iter().map(|&count| count as f64).collect();
    let result = ConcurrencyChartResult { most: most.iter().copied().fold(0.0, f64::max) };
    Ok(Reply { result, columns: ConcurrencyChartColumns { most, mean: chart.mean } })
}

fn told(of: analysis::ConcurrencyOf) -> ConcurrencyOf {
    match of {
        analysis::ConcurrencyOf::Process(process, member) => {
            ConcurrencyOf::Threads { process: process.map(|process| process.0), member: member.0 }
        }
        analysis::ConcurrencyOf::Lane(track) => ConcurrencyOf::Lane { track: track.0 },
        analysis::ConcurrencyOf::Name(name, file, is_asynchronous, member) => {
            let (name, file, member) = (name.0, file.0, member.0);
            ConcurrencyOf::Spans { name, file, is_asynchronous, member }
        }
    }
}

fn meant(of: ConcurrencyOf) -> analysis::ConcurrencyOf {
    match of {
        ConcurrencyOf::Threads { process, member } => {
            analysis::ConcurrencyOf::Process(process.map(ProcessId), MemberId(member))
        }
        ConcurrencyOf::Lane { track } => analysis::ConcurrencyOf::Lane(TrackId(track)),
        ConcurrencyOf::Spans { name, file, is_asynchronous, member } => {
            let (name, file, member) = (StringId(name), StringId(file), MemberId(member));
            analysis::ConcurrencyOf::Name(name, file, is_asynchronous, member)
        }
    }
}
