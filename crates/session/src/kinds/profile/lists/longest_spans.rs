//! Single spans, the longest first.

use analysis::KeptSpan;
use protocol::{ListKind, ProtocolError, Table};
use std::collections::HashMap;

use super::super::{ProfileDocument, ViewOptions, convert};
use super::list::{ProfileList, has_spans};
use super::places::{colours_of, matcher, origin_of, place_of_span};
use super::span_name::span_name;
use crate::kinds::profile::document::track_titles::{
    process_of, span_name as name_of, track_title,
};
use crate::kinds::profile::trees::views::filtered_by;
use crate::table::{Columns, ListOptions};

pub(super) const LIST: ProfileList = ProfileList {
    kind: ListKind::LongestSpans,
    stands_for: None,
    name: "longest-spans",
    label: "Longest spans",
    title: "longest spans",
    help: "Single spans of a trace: the longest first",
    filter: "Filter spans",
    row: "Span",
    empty: "The filters keep no spans.",
    has: has_spans,
    rows: longest_spans,
};

fn longest_spans(
    document: &ProfileDocument,
    view: &ViewOptions,
    options: &ListOptions<'_>,
) -> Result<Table, ProtocolError> {
    let profile = document.profile();
    let spans = &profile.timeline.spans;
    let origin = origin_of(document)?;
    // There may be millions: they are not kept.
    let filtered = filtered_by(document, view).map_err(convert::filter_error)?;
    let mut rows: Vec<KeptSpan> = analysis::longest_spans(&filtered);
    if !options.filter.is_empty() {
        let matches = matcher(options.filter)?;
        let mut known = HashMap::new();
        rows.retain(|span| {
            let context = profile.points.context[spans.point(span.row).index()];
            *known.entry(context).or_insert_with(|| matches(&name_of(document, span.row)))
        });
    }
    let colours = colours_of(document);
    let is_asynchronous = |row: &KeptSpan| {
        profile.timeline.tracks[row.track.index()].kind == profile::TrackKind::Lane
    };
    let file = |row: &KeptSpan| {
        let context = profile.points.context[spans.point(row.row).index()];
        let frame = profile.frames_of(context).next_back().map(profile::FrameId);
        let function = frame.and_then(|frame| profile.frames.function(frame));
        function.map_or("", |function| profile.text(profile.functions.file[function.index()]))
    };
    let track = |row: &KeptSpan| track_title(document, row.track);

    let mut columns = Columns::<KeptSpan>::sorted_by("length_ns");
    columns.text("name", |row| name_of(document, row.row));
    columns.text("file", move |row| file(row).to_owned());
    columns.text("track", track);
    columns.maybe_text("process", |row| {
        let process = process_of(document, row.track)?;
        Some(profile.process_name(process))
    });
    columns.count("span", "span", |row| row.row as u64).for_programs();
    columns.flag("asynchronous", is_asynchronous);
    columns.flag("unfinished", |row| row.length.is_none());
    columns
        .time("length_ns", "length", |row| row.length)
        .help("How long it is, as far as the filters keep it. Unfinished spans have no length.");
    columns
        .time("self_ns", "self", |row| row.self_time)
        .help("The part of it in which no span inside ran. Asynchronous spans have none.");
    columns
        .instant("begin_ns", "begins", |row| {
            Some(profile.timeline.track_on_axis(row.track, spans.begin(row.row)))
        })
        .help("When it begins.");
    columns.words("on", "on", track).unsorted().help("Its track.");
    columns
        .place("show", |row| place_of_span(document, origin, (row.row, row.track)))
        .help("To this span");
    columns.name("span", |row| {
        let name = name_of(document, row.row);
        let mut name = span_name(&name, file(row), is_asynchronous(row), colours(row.row));
        if row.length.is_none() {
            let separator = if name.remark.is_empty() { "" } else { ", " };
            name.remark += &format!("{separator}unfinished");
        }
        name.detail = track(row);
        name
    });
    columns.table("span", rows, options, |row| row.row.to_string())
}
