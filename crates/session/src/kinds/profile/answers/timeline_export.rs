//! [`protocol::ProfileRequest::ExportTimelineSvg`] and [`protocol::ProfileRequest::ExportSpansCsv`].

use std::io;

use analysis::{Filter, FilterKind};
use profile::{FrameId, TrackId, TrackKind};
use protocol::{
    ErrorCode, ExportTimelineSvgParams, Granularity, LanesParams, LanesWanted, Order,
    ProtocolError, Shape, TextResult, ViewParams, ViewSpec,
};
use work::steps;

use super::lanes::{lanes, lanes_kept, tracks, untimed};
use super::span::{arguments, self_time};
use crate::kinds::profile::convert;
use crate::kinds::profile::document::track_titles::track_name;
use crate::kinds::profile::pictures::charts::extent;
use crate::kinds::profile::pictures::timeline_svg::timeline_svg;
use crate::kinds::profile::trees::views::filtered_profile;
use crate::{CsvTable, ProfileDocument, SvgOptions, ViewOptions};

/// Most spans of an exported table.
const MOST_SPANS: usize = 5_000_000;
/// Most tracks of a picture of all of them, and most rows of each.
const MOST_TRACKS: usize = 500;
const MOST_ROWS: u32 = 200;
/// Width of the names beside the tracks, and the margin.
const TIMELINE_NAMES: f64 = 186.0;

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
    let text = spans_csv(document, &convert::filters(&params.view.filters))?;
    Ok(TextResult { text, file_name: format!("{} spans.csv", document.title()) })
}

/// All spans that filters keep as comma-separated values.
pub fn spans_csv(document: &ProfileDocument, filters: &[Filter]) -> Result<String, ProtocolError> {
    let profile = document.profile();
    if extent(document).is_none() {
        return Err(untimed(document));
    }
    let filtered = filtered_profile(document, filters, true).map_err(convert::filter_error)?;
    let timeline = &profile.timeline;
    let mut kept: Vec<(TrackId, usize, i64)> = vec![];
    for track in analysis::shown_tracks(profile).into_iter().map(|(track, _)| track) {
        let of = &timeline.tracks[track.index()];
        for row in steps("choosing spans", timeline.spans.of_track(track)) {
            if let Some([.., length]) = filtered.clip(of, row, &timeline.spans.get(row)) {
                kept.push((track, row, length));
            }
        }
    }
    if kept.len() > MOST_SPANS {
        let message = format!("a table holds at most {MOST_SPANS} spans, these are {}", kept.len());
        let error = ProtocolError::new(ErrorCode::Limit, message);
        return Err(error.with_hint("keep a range of time first"));
    }
    spans_table(document, &kept).map_err(|error| {
        ProtocolError::new(ErrorCode::Limit, format!("the table cannot be written: {error}"))
    })
}

/// All tracks with all of their rows as SVG, in the time that filters of time choose; also what
/// is left out because there is too much.
pub fn all_tracks_svg(
    document: &ProfileDocument,
    options: &ViewOptions,
    look: &SvgOptions,
) -> Result<(String, Vec<String>), ProtocolError> {
    let shown = tracks(document)?;
    let [mut from, mut to] = [0.0, shown.length.max(1.0)];
    for filter in options.filters.iter().filter(|one| one.kind == FilterKind::Time) {
        let chosen = analysis::time_range(&filter.pattern)
            .map_err(|error| ProtocolError::new(ErrorCode::BadPattern, error.to_string()))?;
        let ends: Vec<[i64; 2]> = chosen.iter().collect();
        if let (Some([first, _]), Some([_, last])) = (ends.first(), ends.last()) {
            from = f64::max(from, *first as f64 - shown.origin);
            to = f64::min(to, *last as f64 - shown.origin);
        }
    }
    let wanted = shown.tracks.iter().take(MOST_TRACKS).map(|track| LanesWanted {
        track: track.track,
        first_row: 0,
        rows: MOST_ROWS,
        group: false,
    });
    let view = ViewSpec {
        document: 0,
        metric: options.metric.0,
        shape: Shape::TopDown {},
        granularity: Granularity::Function,
        filters: vec![],
        order: Order::Value,
        collapse_recursion: protocol::Collapse::None,
        role: None,
    };
    let params = ExportTimelineSvgParams {
        lanes: LanesParams {
            view,
            from,
            to,
            width: (look.width - TIMELINE_NAMES).max(100.0),
            tracks: wanted.collect(),
            search: look.search.clone(),
        },
        theme: look.theme,
        colour: look.colour,
        upwards: false,
    };
    let lanes = lanes_kept(document, &params.lanes, options.filters.clone())?;
    let mut notes = vec![];
    let tracks = shown.tracks.len().saturating_sub(MOST_TRACKS) + shown.more as usize;
    if tracks > 0 {
        notes.push(format!("{tracks} more tracks are not in the picture"));
    }
    if lanes.result.is_cut {
        notes.push("the picture does not show all bars; choose a range of time".to_owned());
    }
    Ok((timeline_svg(document.title(), &shown, &lanes, &params), notes))
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
        "self of all of it (nanoseconds)",
        "unfinished",
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
        out.text(&track_name(document, track))?;
        out.exact(profile.timeline.track_on_axis(track, span.begin))?;
        out.exact(span.length)?;
        out.exact(length)?;
        match profile.timeline.tracks[track.index()].kind {
            // Those on lanes do not nest.
            TrackKind::Lane => out.empty()?,
            _ if span.is_unfinished => out.empty()?,
            _ => out.exact(self_time(profile, track, row))?,
        }
        out.text(if span.is_unfinished { "yes" } else { "" })?;
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
