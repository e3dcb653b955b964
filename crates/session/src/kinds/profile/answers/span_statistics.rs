//! [`protocol::ProfileRequest::SpanStatistics`], [`protocol::ProfileRequest::MarkStatistics`] and
//! [`protocol::ProfileRequest::FindMark`].

use std::cmp::Reverse;

use analysis::{SpanStatistics, span_statistics as span_statistics_of};
use profile::TrackId;
use protocol::{
    ErrorCode, FindMarkParams, FindMarkResult, MarkSort, MarkStatisticsParams,
    MarkStatisticsResult, MarkStatisticsRow, ProtocolError, SpanSort, SpanStatisticsParams,
    SpanStatisticsResult, SpanStatisticsRow,
};
use work::steps;

use super::lanes::untimed;
use super::listing::{after, colours_of, taken, wanted};
use crate::ProfileDocument;
use crate::kinds::profile::convert;
use crate::kinds::profile::timeline_report::{MarkRow, marks_by_kind};

pub(crate) fn span_statistics(
    document: &ProfileDocument,
    params: &SpanStatisticsParams,
) -> Result<SpanStatisticsResult, ProtocolError> {
    let profile = document.profile();
    let [origin, _] = document.charts().extent(profile).ok_or_else(|| untimed(document))?;
    let filters = convert::filters(&params.view.filters);
    let all = document.charts().statistics.of(&filters, || {
        let filtered = document.filtered(&filters, true).map_err(convert::filter_error)?;
        Ok(span_statistics_of(&filtered))
    })?;
    let is_wanted = wanted(&params.filter)?;
    let mut found: Vec<&SpanStatistics> =
        all.iter().filter(|one| is_wanted(profile.text(one.name))).collect();
    // Those that are equal stay in the order of their totals.
    let by: fn(&SpanStatistics) -> i64 = match params.sort {
        SpanSort::Name => |_| 0,
        SpanSort::Count => |one| one.count as i64,
        SpanSort::Total => |one| one.total,
        SpanSort::SelfTime => |one| one.self_time.unwrap_or(-1),
        SpanSort::Median => |one| one.lengths.map_or(-1, |lengths| lengths.median),
        SpanSort::P95 => |one| one.lengths.map_or(-1, |lengths| lengths.p95),
        SpanSort::Longest => |one| one.lengths.map_or(-1, |lengths| lengths.longest),
    };
    if params.sort == SpanSort::Name {
        found.sort_by_key(|one| (profile.text(one.name), profile.text(one.file)));
    } else {
        found.sort_by_key(|one| Reverse(by(one)));
    }
    let total = found.len() as u32;
    let colours = colours_of(document);
    let spans = &profile.timeline.spans;
    let rows = taken(found, params.reverse, params.limit).into_iter().map(|one| {
        let (row, track) = one.longest;
        let chart = document.charts().of_track(profile, track);
        let span = spans.get(row);
        let [begin, end] =
            [span.begin, span.end()].map(|time| profile.timeline.track_on_axis(track, time));
        SpanStatisticsRow {
            name: profile.text(one.name).to_owned(),
            file: profile.text(one.file).to_owned(),
            is_asynchronous: one.is_asynchronous,
            count: one.count as f64,
            unfinished: one.unfinished as f64,
            total: one.total as f64,
            self_time: one.self_time.map(|time| time as f64),
            median: one.lengths.map(|lengths| lengths.median as f64),
            p95: one.lengths.map(|lengths| lengths.p95 as f64),
            longest: one.lengths.map(|lengths| lengths.longest as f64),
            span: row as u32 + 1,
            track: track.0,
            row: chart.row_of(row).unwrap_or(0) as u32,
            begin: after(origin, begin),
            length: (i128::from(end) - i128::from(begin)) as f64,
            colours: colours(row),
        }
    });
    Ok(SpanStatisticsResult { rows: rows.collect(), total })
}

pub(crate) fn mark_statistics(
    document: &ProfileDocument,
    params: &MarkStatisticsParams,
) -> Result<MarkStatisticsResult, ProtocolError> {
    let [origin, _] =
        document.charts().extent(document.profile()).ok_or_else(|| untimed(document))?;
    let filters = convert::filters(&params.view.filters);
    let filtered = document.filtered(&filters, true).map_err(convert::filter_error)?;
    let is_wanted = wanted(&params.filter)?;
    let mut found = marks_by_kind(&filtered);
    found.retain(|one| is_wanted(&one.kind));
    match params.sort {
        MarkSort::Name => found.sort_by(|a, b| a.kind.cmp(&b.kind)),
        // They are in this order.
        MarkSort::Count => {}
        MarkSort::Tracks => found.sort_by_key(|one| Reverse(one.tracks)),
        MarkSort::First => found.sort_by_key(|one| one.extent[0]),
        MarkSort::Last => found.sort_by_key(|one| one.extent[1]),
    }
    let total = found.len() as u32;
    let rows = taken(found, params.reverse, params.limit).into_iter();
    let rows = rows.map(|MarkRow { kind, count, tracks, extent, .. }| MarkStatisticsRow {
        kind,
        count: count as f64,
        tracks: tracks as f64,
        first: after(origin, extent[0]),
        last: after(origin, extent[1]),
    });
    Ok(MarkStatisticsResult { rows: rows.collect(), total })
}

pub(crate) fn find_mark(
    document: &ProfileDocument,
    params: &FindMarkParams,
) -> Result<FindMarkResult, ProtocolError> {
    let profile = document.profile();
    let [origin, _] = document.charts().extent(profile).ok_or_else(|| untimed(document))?;
    let filters = convert::filters(&params.view.filters);
    let filtered = document.filtered(&filters, true).map_err(convert::filter_error)?;
    let timeline = &profile.timeline;
    let mut found: Vec<(i64, u32)> = vec![];
    for track in (0..timeline.tracks.len() as u32).map(TrackId) {
        let of = &timeline.tracks[track.index()];
        for row in steps("finding marks", timeline.marks.of_track(track)) {
            let mark = timeline.marks.get(track, row);
            if profile.text(mark.kind) == params.kind && filtered.keeps_time(of, mark.time) {
                found.push((timeline.track_on_axis(track, mark.time), track.0));
            }
        }
    }
    found.sort_unstable();
    let count = found.len() as f64;
    let from = origin.saturating_add(params.from.round() as i64);
    let next = match (params.behind, params.back) {
        (Some(track), false) => found.partition_point(|&one| one <= (from, track)),
        (None, false) => found.partition_point(|&(time, _)| time < from),
        (Some(track), true) => {
            (found.partition_point(|&one| one < (from, track)) + found.len()).saturating_sub(1)
        }
        (None, true) => {
            (found.partition_point(|&(time, _)| time < from) + found.len()).saturating_sub(1)
        }
    };
    let next = next % found.len().max(1);
    let Some(&(time, track)) = found.get(next) else {
        let message = format!("there is no mark {} that the filters keep", params.kind);
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    };
    Ok(FindMarkResult { count, at: next as f64, track, time: after(origin, time) })
}
