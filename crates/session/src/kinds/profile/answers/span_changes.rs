//! [`protocol::ProfileRequest::SpanChanges`].

use protocol::{
    ProtocolError, SpanChangeSort, SpanChangesParams, SpanChangesResult, SpanChangesRow,
};

use super::lanes::untimed;
use super::listing::{colours_of, place_of, taken, wanted};
use crate::kinds::profile::convert;
use crate::{ProfileDocument, SpanChange};

pub(crate) fn span_changes(
    document: &ProfileDocument,
    params: &SpanChangesParams,
) -> Result<SpanChangesResult, ProtocolError> {
    let of = document.comparison().ok_or_else(|| document.no_comparison())?;
    let runs = of.groups.runs.map(|runs| runs as u32);
    let profile = document.profile();
    let [origin, _] = document.charts().extent(profile).ok_or_else(|| untimed(document))?;
    let options = document.options(&params.view)?;
    let filtered = document.filtered_by(&options).map_err(convert::filter_error)?;
    let is_wanted = wanted(&params.filter)?;
    let mut found = document.changed_spans(&filtered);
    found.retain(|one| is_wanted(&one.name));
    let names = |a: &SpanChange, b: &SpanChange| {
        let name = |one: &SpanChange| (one.name.clone(), one.file.clone(), one.is_asynchronous);
        name(a).cmp(&name(b))
    };
    found.sort_by(names);
    let by: fn(&SpanChange) -> f64 = match params.sort {
        SpanChangeSort::Name => |_| 0.0,
        SpanChangeSort::Change => |one| one.total().difference().unsigned_abs() as f64,
        SpanChangeSort::Base => |one| one.total().base as f64,
        SpanChangeSort::New => |one| one.total().new as f64,
        SpanChangeSort::Count => |one| (one.counts()[1] - one.counts()[0]).abs(),
        SpanChangeSort::Median => |one| match medians(one) {
            [Some(base), Some(new)] => (new - base).abs(),
            _ => -1.0,
        },
    };
    // Those that are equal stay in the order of their names.
    found.sort_by(|a, b| by(b).total_cmp(&by(a)));
    let total = found.len() as u32;
    let colours = colours_of(document);
    let rows = taken(found, params.reverse, params.limit).into_iter().filter_map(|one| {
        let longest = one.sides[1].as_ref().or(one.sides[0].as_ref())?.longest;
        let (row, track) = longest;
        let span = profile.timeline.spans.get(row);
        let member = profile.timeline.tracks[track.index()].member;
        let change = one.total();
        let place = (member, Some(track), Some(row));
        Some(SpanChangesRow {
            totals: [change.base as f64, change.new as f64],
            counts: one.counts(),
            medians: medians(&one),
            tag: convert::tag(one.tag),
            place: place_of(document, origin, place, [span.begin, span.end()]),
            colours: colours(row),
            name: one.name,
            file: one.file,
            is_asynchronous: one.is_asynchronous,
        })
    });
    Ok(SpanChangesResult { rows: rows.collect(), total, runs })
}

fn medians(one: &SpanChange) -> [Option<f64>; 2] {
    let median = |side: usize| {
        let lengths = one.sides[side].as_ref().and_then(|one| one.lengths);
        lengths.map(|lengths| lengths.median as f64)
    };
    [median(0), median(1)]
}
