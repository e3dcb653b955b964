//! [`protocol::ProfileRequest::CriticalPath`].

use std::cmp::Reverse;

use analysis::{PathPart, PathPiece};
use protocol::{
    CriticalPathColumns, CriticalPathParams, CriticalPathResult, PathKind, PathRow, PathSort,
    PathSpan, ProtocolError, Reply,
};
use work::steps;

use super::lanes::untimed;
use super::listing::{after, colours_of, place_of, taken, wanted};
use crate::ProfileDocument;
use crate::kinds::profile::convert;
use crate::kinds::profile::path_report::PathRow as Reported;

/// Most stretches that are drawn.
const MOST_DRAWN: usize = 50_000;

pub(crate) fn critical_path(
    document: &ProfileDocument,
    params: &CriticalPathParams,
) -> Result<Reply<CriticalPathResult, CriticalPathColumns>, ProtocolError> {
    let profile = document.profile();
    let [origin, _] = document.charts().extent(profile).ok_or_else(|| untimed(document))?;
    let options = document.options(&params.view)?;
    let path = document.charts().path.of(&options.filters, || {
        let filtered = document.filtered_by(&options).map_err(convert::filter_error)?;
        analysis::critical_path(&filtered, &options.filters).map_err(convert::filter_error)
    })?;
    let Some(path) = &*path else {
        let (rows, notes) = (vec![], vec![]);
        let result = CriticalPathResult { span: None, rows, total: 0, stretches: 0, notes };
        return Ok(Reply { result, columns: CriticalPathColumns::default() });
    };
    let is_wanted = wanted(&params.filter)?;
    let mut found: Vec<(usize, &PathPiece, Reported)> = steps("listing the path", &path.pieces)
        .enumerate()
        .map(|(at, piece)| (at, piece, document.path_row(piece)))
        .filter(|(_, _, row)| is_wanted(&row.name) || is_wanted(&row.track))
        .collect();
    let length = |piece: &PathPiece| piece.end.saturating_sub(piece.begin);
    match params.sort {
        // They are in this order.
        PathSort::Begin => {}
        PathSort::Name => found.sort_by(|a, b| (a.2.kind, &a.2.name).cmp(&(b.2.kind, &b.2.name))),
        PathSort::Track => found.sort_by(|a, b| a.2.track.cmp(&b.2.track)),
        PathSort::Length => found.sort_by_key(|(_, piece, _)| Reverse(length(piece))),
    }
    let total = found.len() as u32;
    let span = profile.timeline.spans.get(path.span);
    let colours = colours_of(document);
    let place = |piece: &PathPiece| {
        let member = profile.timeline.tracks[piece.track.index()].member;
        let of = (member, Some(piece.track), span_of(piece));
        place_of(document, origin, of, [piece.begin, piece.end])
    };
    let rows =
        taken(found, params.reverse, params.limit).into_iter().map(|(at, piece, row)| PathRow {
            at: at as u32,
            kind: match piece.part {
                PathPart::Span(_) => PathKind::Span,
                PathPart::Waiting => PathKind::Waiting,
                PathPart::Flow(_) => PathKind::Flow,
            },
            name: row.name,
            track: row.track,
            share: length(piece) as f64 / span.length.max(1) as f64,
            place: place(piece),
            colours: span_of(piece).map_or(0, &colours),
        });
    let rows = rows.collect();
    let track = document.track_of_span(path.span);
    let member = track.map(|track| profile.timeline.tracks[track.index()].member);
    let member = member.unwrap_or_default();
    let span = PathSpan {
        name: document.span_name(path.span),
        track: track.map_or(String::new(), |track| document.track_title(track)),
        place: place_of(
            document,
            origin,
            (member, track, Some(path.span)),
            [span.begin, span.end()],
        ),
    };
    let mut columns = CriticalPathColumns::default();
    for piece in steps("drawing the path", path.pieces.iter().take(MOST_DRAWN)) {
        columns.track.push(piece.track.0);
        columns.row.push(place(piece).row.unwrap_or(0));
        columns.kind.push(match piece.part {
            PathPart::Span(_) => 0,
            PathPart::Waiting => 1,
            PathPart::Flow(_) => 2,
        });
        let on_axis = |time| profile.timeline.track_on_axis(piece.track, time);
        columns.begin.push(after(origin, on_axis(piece.begin)));
        columns.end.push(after(origin, on_axis(piece.end)));
    }
    let notes = document.path_notes(path, &options);
    let stretches = path.pieces.len() as u32;
    let result = CriticalPathResult { span: Some(span), rows, total, stretches, notes };
    Ok(Reply { result, columns })
}

/// The row of the span that runs.
fn span_of(piece: &PathPiece) -> Option<usize> {
    match piece.part {
        PathPart::Span(row) => Some(row),
        PathPart::Waiting | PathPart::Flow(_) => None,
    }
}
