//! [`protocol::ProfileRequest::Gaps`].

use std::cmp::Reverse;

use analysis::{SpanGaps, span_gaps};
use protocol::{GapSort, GapsParams, GapsResult, GapsRow, ProtocolError};

use super::lanes::untimed;
use super::listing::{colours_of, place_of, taken, wanted};
use crate::ProfileDocument;
use crate::kinds::profile::convert;

pub(crate) fn gaps(
    document: &ProfileDocument,
    params: &GapsParams,
) -> Result<GapsResult, ProtocolError> {
    let profile = document.profile();
    let [origin, _] = document.charts().extent(profile).ok_or_else(|| untimed(document))?;
    let options = document.options(&params.view)?;
    let all = document.charts().gaps.of(&options.filters, || {
        let filtered = document.filtered_by(&options).map_err(convert::filter_error)?;
        Ok(span_gaps(&filtered))
    })?;
    let is_wanted = wanted(&params.filter)?;
    let mut found: Vec<&SpanGaps> =
        all.iter().filter(|one| is_wanted(profile.text(one.name))).collect();
    let by: fn(&SpanGaps) -> i64 = match params.sort {
        GapSort::Name => |_| 0,
        GapSort::Count => |one| one.count as i64,
        GapSort::Total => |one| one.total,
        GapSort::Median => |one| one.lengths.median,
        GapSort::P95 => |one| one.lengths.p95,
        GapSort::Longest => |one| one.lengths.longest,
    };
    // Those that are equal stay in the order of their totals.
    if params.sort == GapSort::Name {
        found.sort_by_key(|one| (profile.text(one.name), profile.text(one.file)));
    } else {
        found.sort_by_key(|one| Reverse(by(one)));
    }
    let total = found.len() as u32;
    let colours = colours_of(document);
    let rows = taken(found, params.reverse, params.limit).into_iter().map(|one| {
        let (begin, track, span) = one.longest;
        let extent = [begin, begin.saturating_add(one.lengths.longest)];
        let member = profile.timeline.tracks[track.index()].member;
        GapsRow {
            name: profile.text(one.name).to_owned(),
            file: profile.text(one.file).to_owned(),
            is_asynchronous: one.is_asynchronous,
            count: one.count as f64,
            total: one.total as f64,
            median: one.lengths.median as f64,
            p95: one.lengths.p95 as f64,
            longest: one.lengths.longest as f64,
            place: place_of(document, origin, (member, Some(track), Some(span)), extent),
            track: document.track_title(track),
            colours: colours(span),
        }
    });
    Ok(GapsResult { rows: rows.collect(), total })
}
