//! [`protocol::ProfileRequest::ExportTimelineSvg`] and [`protocol::ProfileRequest::ExportSpansCsv`].

use std::io;

use profile::{FrameId, TrackId, TrackKind};
use protocol::{ErrorCode, ExportTimelineSvgParams, ProtocolError, TextResult, ViewParams};
use work::steps;

use super::lanes::{lanes, tracks, untimed};
use super::span::{arguments, self_time};
use crate::kinds::profile::convert;
use crate::kinds::profile::timeline_svg::timeline_svg;
use crate::{CsvTable, ProfileDocument};

/// Most spans of an exported table.
const MOST_SPANS: usize = 5_000_000;

pub(crate) fn export_timeline_svg(
    document: &ProfileDocument,
    params: &ExportTimelineSvgParams,
) -> Result<TextResult, ProtocolError> {
    let lanes = lanes(document, &params.lanes)?;
    let text = timeline_svg(document.title(), &tracks(document)?, &lanes, params);
    Ok(TextResult { text, file_name: format!("{} timeline.svg", document.title()) })
}

/// Spans that the filters keep, track by track and by begin; times are exact and in nanoseconds
/// after the start of the profile.
pub(crate) fn export_spans_csv(
    document: &ProfileDocument,
    params: &ViewParams,
) -> Result<TextResult, ProtocolError> {
    let profile = document.profile();
    if document.charts().extent(profile).is_none() {
        return Err(untimed(document));
    }
    let filters = convert::filters(&params.view.filters);
    let filtered = document.filtered(&filters, true).map_err(convert::filter_error)?;
    let timeline = &profile.timeline;
    let mut kept: Vec<(TrackId, usize, i64)> = vec![];
    for track in analysis::shown_tracks(profile).into_iter().map(|(track, _)| track) {
        let of = &timeline.tracks[track.index()];
        for row in steps("choosing spans", timeline.spans.of_track(track)) {
            if let Some([.., length]) = filtered.clip(of, &timeline.spans.get(row)) {
                kept.push((track, row, length));
            }
        }
    }
    if kept.len() > MOST_SPANS {
        let message = format!("a table holds at most {MOST_SPANS} spans, these are {}", kept.len());
        let error = ProtocolError::new(ErrorCode::Limit, message);
        return Err(error.with_hint("keep a range of time first"));
    }
    let text = spans_table(document, &kept).map_err(|error| {
        ProtocolError::new(ErrorCode::Limit, format!("the table cannot be written: {error}"))
    })?;
    Ok(TextResult { text, file_name: format!("{} spans.csv", document.title()) })
}

fn spans_table(document: &ProfileDocument, kept: &[(TrackId, usize, i64)]) -> io::Result<String> {
    let profile = document.profile();
    let mut out = CsvTable::new(vec![]);
    let heads = [
        "name",
        "track",
        "begin (nanoseconds)",
        "length (nanoseconds)",
        "kept (nanoseconds)",
        "self (nanoseconds)",
        "file",
        "line",
        "arguments",
    ];
    for head in heads {
        out.text(head)?;
    }
    out.end_row()?;
    for &(track, row, length) in steps("writing spans", kept) {
        let span = profile.timeline.spans.get(row);
        let context = profile.points.context[span.point.index()];
        let frame = profile.frames_of(context).next_back().map(FrameId);
        out.text(&frame.map_or_else(Default::default, |frame| profile.frame_name(frame)))?;
        out.text(&document.track_name(track))?;
        out.exact(span.begin)?;
        out.exact(span.length)?;
        out.exact(length)?;
        match profile.timeline.tracks[track.index()].kind {
            // Those on lanes do not nest.
            TrackKind::Lane => out.empty()?,
            _ => out.exact(self_time(profile, track, row))?,
        }
        out.text(frame.map_or("", |frame| profile.frame_file(frame)))?;
        match frame.map_or(0, |frame| profile.place_line(frame)) {
            0 => out.empty()?,
            line => out.exact(line)?,
        }
        let told = arguments(profile, &span);
        let told: Vec<String> = told.iter().map(|[key, value]| format!("{key}={value}")).collect();
        out.text(&told.join("; "))?;
        out.end_row()?;
    }
    String::from_utf8(out.finish()?).map_err(io::Error::other)
}
