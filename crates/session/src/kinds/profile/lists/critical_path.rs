//! The critical path of a span.

use std::sync::Arc;

use analysis::{CriticalPath, PathPart, PathPiece};
use profile::TrackId;
use protocol::{
    CriticalPathColumns, CriticalPathParams, CriticalPathResult, ErrorCode, ListKind, PathSpan,
    ProtocolError, Reply, RowFinds, RowName, Table,
};
use work::steps;

use super::super::{ProfileDocument, ViewOptions, convert};
use super::kept::made;
use super::list::{ProfileList, has_spans};
use super::places::{after, colours_of, matcher, origin_of, place_of, place_of_span};
use crate::kinds::profile::document::track_titles::{span_name, track_of_span, track_title};
use crate::kinds::profile::trees::views::view_options;
use crate::table::{Columns, ListOptions};

/// Most pieces that are drawn.
const MOST_DRAWN: usize = 50_000;

/// The span that a critical path is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathHead {
    /// Its name.
    pub span: String,
    /// Its track, with the recording where there are several.
    pub track: String,
    /// When it begins and ends on the axis of the timeline, in nanoseconds.
    pub extent: [i64; 2],
    /// How long it is, as it was recorded.
    pub length: i64,
}

/// The span whose critical path a list has: that of the row, or the longest that filters keep, or the longest of those that
/// filters of `During` name. None if there is no such span.
///
/// # Errors
/// If a filter cannot be understood, or there is no such span.
pub fn critical_path_head(
    document: &ProfileDocument,
    view: &ViewOptions,
    span: Option<u32>,
) -> Result<Option<PathHead>, ProtocolError> {
    let path = path_of(document, view, span)?;
    Ok((*path).as_ref().map(|path| {
        let timeline = &document.profile().timeline;
        let span = timeline.spans.get(path.span);
        let track = track_of_span(document, path.span);
        PathHead {
            span: span_name(document, path.span),
            track: track.map_or(String::new(), |track| track_title(document, track)),
            extent: [span.begin, span.end()].map(|time| match track {
                Some(track) => timeline.track_on_axis(track, time),
                None => time,
            }),
            length: span.length,
        }
    }))
}

pub(super) const LIST: ProfileList = ProfileList {
    kind: ListKind::CriticalPath,
    stands_for: None,
    name: "critical-path",
    label: "Critical path",
    title: "critical path",
    help: "What a span waited for: the chain of work that decided how long it took",
    filter: "Filter by name or track",
    row: "Piece of the critical path",
    empty: "The filters keep no span whose path could be followed.",
    has: has_spans,
    rows: pieces,
};

fn pieces(
    document: &ProfileDocument,
    view: &ViewOptions,
    options: &ListOptions<'_>,
) -> Result<Table, ProtocolError> {
    /// A piece with its place in the path.
    type Row<'a> = (usize, &'a PathPiece);
    let profile = document.profile();
    let origin = origin_of(document)?;
    let path = path_of(document, view, options.span)?;
    let all: &[PathPiece] = (*path).as_ref().map_or(&[], |path| &path.pieces);
    let whole = (*path).as_ref().map_or(0, |path| profile.timeline.spans.get(path.span).length);
    let matches = matcher(options.filter)?;
    let name = |piece: &PathPiece| match piece.part {
        PathPart::Span(row) => span_name(document, row),
        PathPart::Waiting => String::new(),
        PathPart::Flow(name) => profile.text(name).to_owned(),
    };
    let track = |piece: &PathPiece| track_title(document, piece.track);
    let rows: Vec<Row<'_>> = steps("listing the path", all)
        .enumerate()
        .filter(|(_, piece)| {
            options.filter.is_empty() || matches(&name(piece)) || matches(&track(piece))
        })
        .collect();
    let colours = colours_of(document);
    let length = |piece: &PathPiece| piece.end.saturating_sub(piece.begin);
    let on_axis = |piece: &PathPiece, time| Some(profile.timeline.track_on_axis(piece.track, time));

    let mut columns = Columns::<Row<'_>>::sorted_by("begin_ns");
    columns.text("track", |(_, piece)| track(piece));
    columns.text("kind", |(_, piece)| kind_name(piece.part).to_owned());
    columns.text("name", |(_, piece)| name(piece));
    columns
        .words("track", "track", |(_, piece)| track(piece))
        .help("Where it is. Of a flow, where it arrives.");
    columns
        .instant("begin_ns", "from", |(_, piece)| on_axis(piece, piece.begin))
        .help("When it begins.");
    columns.instant("end_ns", "to", |(_, piece)| on_axis(piece, piece.end)).help("When it ends.");
    columns.time("time_ns", "time", |(_, piece)| Some(length(piece))).help("How long it is.");
    columns
        .share("share", "share", |(_, piece)| {
            (whole > 0).then(|| length(piece) as f64 / whole as f64)
        })
        .help("Of the whole path.");
    columns
        .place("show", |(_, piece)| place_of_piece(document, origin, piece))
        .help("To this piece, and its span");
    columns.name("piece", |(_, piece)| {
        let name = name(piece);
        let (text, remark) = match (piece.part, name.as_str()) {
            (PathPart::Span(_), "") => ("[no frame]", ""),
            (PathPart::Span(_), name) => (name, ""),
            (PathPart::Flow(_), "") => ("[flow]", ""),
            (PathPart::Flow(_), name) => (name, "flow"),
            (PathPart::Waiting, _) => ("[waiting]", ""),
        };
        let span = span_of(piece);
        RowName {
            text: text.to_owned(),
            remark: remark.to_owned(),
            detail: match piece.part {
                PathPart::Flow(_) if name.is_empty() => format!("to {}", track(piece)),
                PathPart::Flow(_) => format!("flow to {}", track(piece)),
                PathPart::Span(_) | PathPart::Waiting => track(piece),
            },
            kind: if span.is_some() { String::new() } else { kind_name(piece.part).to_owned() },
            colours: span.map(&colours),
            finds: span.map(|_| RowFinds::Spans(name.clone())),
            ..RowName::default()
        }
    });
    let mut table = columns.table("piece", rows, options, |(at, _)| at.to_string())?;
    if let Some(path) = &*path {
        table.notes = notes(document, path, view, options.span);
    }
    Ok(table)
}

/// The critical path as the timeline draws it.
pub(crate) fn critical_path(
    document: &ProfileDocument,
    params: &CriticalPathParams,
) -> Result<Reply<CriticalPathResult, CriticalPathColumns>, ProtocolError> {
    let profile = document.profile();
    let origin = origin_of(document)?;
    let view = view_options(document, &params.view)?;
    let path = path_of(document, &view, params.span)?;
    let mut columns = CriticalPathColumns::default();
    let Some(path) = &*path else {
        return Ok(Reply { result: CriticalPathResult { span: None, stretches: 0 }, columns });
    };
    for piece in steps("drawing the path", path.pieces.iter().take(MOST_DRAWN)) {
        columns.track.push(piece.track.0);
        columns.row.push(place_of_piece(document, origin, piece).row.unwrap_or(0));
        columns.kind.push(match piece.part {
            PathPart::Span(_) => 0,
            PathPart::Waiting => 1,
            PathPart::Flow(_) => 2,
        });
        let on_axis = |time| profile.timeline.track_on_axis(piece.track, time);
        columns.begin.push(after(origin, on_axis(piece.begin)));
        columns.end.push(after(origin, on_axis(piece.end)));
    }
    let span = track_of_span(document, path.span).map(|track| PathSpan {
        name: span_name(document, path.span),
        track: track_title(document, track),
        place: place_of_span(document, origin, (path.span, track)),
    });
    let stretches = path.pieces.len() as u32;
    Ok(Reply { result: CriticalPathResult { span, stretches }, columns })
}

fn path_of(
    document: &ProfileDocument,
    view: &ViewOptions,
    span: Option<u32>,
) -> Result<Arc<Option<CriticalPath>>, ProtocolError> {
    if let Some(row) = span {
        let path = analysis::critical_path_of(document.profile(), row as usize);
        let message = || format!("there is no span {row}");
        let path = path.ok_or_else(|| ProtocolError::new(ErrorCode::BadRequest, message()))?;
        return Ok(Arc::new(Some(path)));
    }
    made(document, view, |filtered| {
        analysis::critical_path(filtered, &view.filters).map_err(convert::filter_error)
    })
}

fn place_of_piece(
    document: &ProfileDocument,
    origin: i64,
    piece: &PathPiece,
) -> protocol::TimePlace {
    let TrackId(track) = piece.track;
    let member = document.profile().timeline.tracks[track as usize].member;
    let of = (member, Some(piece.track), span_of(piece));
    place_of(document, origin, of, [piece.begin, piece.end])
}

/// The row of the span that runs.
fn span_of(piece: &PathPiece) -> Option<usize> {
    match piece.part {
        PathPart::Span(row) => Some(row),
        PathPart::Waiting | PathPart::Flow(_) => None,
    }
}

fn kind_name(part: PathPart) -> &'static str {
    match part {
        PathPart::Span(_) => "span",
        PathPart::Waiting => "waiting",
        PathPart::Flow(_) => "flow",
    }
}

/// What you need to know of the path.
fn notes(
    document: &ProfileDocument,
    path: &CriticalPath,
    view: &ViewOptions,
    chosen: Option<u32>,
) -> Vec<String> {
    let timeline = &document.profile().timeline;
    let mut notes = vec![];
    if timeline.spans.get(path.span).is_unfinished {
        notes.push(
            "the end of the span was not recorded: the path goes on to the last event of its track"
                .into(),
        );
    }
    if path.pieces.is_empty() {
        notes.push("the span takes no time".into());
    }
    if chosen.is_some() && !view.filters.is_empty() {
        notes.push("the span was chosen by its number: filters do not apply to it".into());
    } else if view.filters.iter().any(|filter| filter.kind.is_of_time()) {
        notes.push("time filters do not cut the path: it covers the whole span".into());
    }
    if path.left_out > 0 {
        let (are, them) = match path.left_out {
            1 => ("1 asynchronous span is".to_owned(), "it"),
            many => (format!("{many} asynchronous spans are"), "one of them"),
        };
        notes.push(format!(
            "{are} not considered for the longest span, and on the path only where a flow leads to {them}: filter to the time during {them} to get a path of its own"
        ));
    }
    if timeline.flows.is_empty() {
        notes.push("the trace has no flow events: the path stays on one track".into());
    }
    if !timeline.clocks.is_empty() {
        notes.push(
            "begins and ends are on the axis, where recordings are stretched; lengths are as recorded"
                .into(),
        );
    }
    notes
}
