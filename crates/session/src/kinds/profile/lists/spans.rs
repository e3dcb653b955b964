//! Spans by name.

use analysis::{SpanStatistics, span_statistics};
use protocol::{ListKind, ProtocolError, Table};

use super::super::{ProfileDocument, ViewOptions};
use super::kept::made;
use super::list::{ProfileList, has_spans};
use super::places::{colours_of, matcher, origin_of, place_of_span};
use super::span_name::span_name;
use crate::kinds::profile::document::track_titles::track_title;
use crate::table::{Columns, ListOptions};

pub(super) const LIST: ProfileList = ProfileList {
    kind: ListKind::Spans,
    stands_for: None,
    name: "spans",
    label: "Spans",
    title: "spans by name",
    help: "Spans of a trace by name: how many, how long, which longest",
    filter: "Filter spans",
    row: "Spans of a name",
    empty: "The filters keep no spans.",
    has: has_spans,
    rows: spans,
};

fn spans(
    document: &ProfileDocument,
    view: &ViewOptions,
    options: &ListOptions<'_>,
) -> Result<Table, ProtocolError> {
    let profile = document.profile();
    let origin = origin_of(document)?;
    let all = made(document, view, |filtered| Ok(span_statistics(filtered)))?;
    let matches = matcher(options.filter)?;
    let rows: Vec<&SpanStatistics> =
        all.iter().filter(|one| matches(profile.text(one.name))).collect();
    let colours = colours_of(document);
    let text = |id| profile.text(id).to_owned();

    let mut columns = Columns::<&SpanStatistics>::sorted_by("total_ns");
    columns.text("name", |row| text(row.name));
    columns.text("file", |row| text(row.file));
    columns.flag("asynchronous", |row| row.is_asynchronous);
    columns
        .time("total_ns", "total", |row| Some(row.total))
        .help("The sum of their lengths. Where spans of one name nest, each counts.");
    columns
        .time("self_ns", "self", |row| row.self_time)
        .help("The part of it in which no span inside ran. Asynchronous spans have none.");
    columns.count("count", "count", |row| row.count).help("How many there are.");
    columns.count("unfinished", "unfinished", |row| row.unfinished).for_programs();
    columns.time("shortest_ns", "shortest", |row| Some(row.lengths?.shortest)).for_programs();
    columns
        .time("median_ns", "median", |row| Some(row.lengths?.median))
        .help("Half of them are not longer.");
    columns.time("p95_ns", "95 %", |row| Some(row.lengths?.p95)).help("95 of 100 are not longer.");
    columns.time("p99_ns", "99 %", |row| Some(row.lengths?.p99)).for_programs();
    columns
        .time("longest_ns", "longest", |row| Some(row.lengths?.longest))
        .help("The longest of them.");
    columns
        .instant("longest_at_ns", "at", |row| {
            let (span, track) = row.longest;
            Some(profile.timeline.track_on_axis(track, profile.timeline.spans.begin(span)))
        })
        .unsorted()
        .help("When the longest begins.");
    columns.text("longest_track", |row| track_title(document, row.longest.1));
    columns
        .place("longest", |row| place_of_span(document, origin, row.longest))
        .help("To the longest of them");
    columns.name("span", |row| {
        let colours = colours(row.longest.0);
        let mut name = span_name(&text(row.name), &text(row.file), row.is_asynchronous, colours);
        if row.unfinished > 0 {
            let separator = if name.remark.is_empty() { "" } else { ", " };
            name.remark += &format!("{separator}{} unfinished", row.unfinished);
        }
        name
    });
    columns.table("name", rows, options, |row| {
        format!("{:?} {:?} {}", text(row.name), text(row.file), row.is_asynchronous)
    })
}
