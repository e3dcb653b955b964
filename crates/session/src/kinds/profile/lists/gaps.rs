//! The time between spans of a name.

use analysis::{SpanGaps, span_gaps};
use protocol::{ListKind, ProtocolError, Table};

use super::super::{ProfileDocument, ViewOptions};
use super::kept::made;
use super::list::{ProfileList, has_spans};
use super::places::{colours_of, matcher, origin_of, place_of};
use super::span_name::span_name;
use crate::kinds::profile::document::track_titles::track_title;
use crate::table::{Columns, ListOptions};

pub(super) const LIST: ProfileList = ProfileList {
    kind: ListKind::Gaps,
    stands_for: None,
    name: "gaps",
    label: "Gaps",
    title: "time between spans of a name",
    help: "Time between spans of a name on a track: how often, how long, where the longest is",
    filter: "Filter gaps",
    row: "Gaps between spans of a name",
    empty: "No name has two spans on one track with time between them, of what the filters keep; gaps that a range cuts do not count.",
    has: has_spans,
    rows: gaps,
};

fn gaps(
    document: &ProfileDocument,
    view: &ViewOptions,
    options: &ListOptions<'_>,
) -> Result<Table, ProtocolError> {
    let profile = document.profile();
    let origin = origin_of(document)?;
    let all = made(document, view, |filtered| Ok(span_gaps(filtered)))?;
    let matches = matcher(options.filter)?;
    let rows: Vec<&SpanGaps> = all.iter().filter(|one| matches(profile.text(one.name))).collect();
    let colours = colours_of(document);
    let text = |id| profile.text(id).to_owned();

    let mut columns = Columns::<&SpanGaps>::sorted_by("total_ns");
    columns.text("name", |row| text(row.name));
    columns.text("file", |row| text(row.file));
    columns.flag("asynchronous", |row| row.is_asynchronous);
    columns.time("total_ns", "total", |row| Some(row.total)).help(
        "The sum of the gaps on all tracks. Where spans overlap or follow at once, there is none.",
    );
    columns.count("count", "count", |row| row.count).help("How many gaps there are.");
    columns
        .time("shortest_ns", "shortest", |row| Some(row.lengths.shortest))
        .help("The shortest gap.");
    columns
        .time("median_ns", "median", |row| Some(row.lengths.median))
        .help("Half of the gaps are not longer.");
    columns
        .time("p95_ns", "95 %", |row| Some(row.lengths.p95))
        .help("95 of 100 gaps are not longer.");
    columns.time("p99_ns", "99 %", |row| Some(row.lengths.p99)).for_programs();
    columns.time("longest_ns", "longest", |row| Some(row.lengths.longest)).help("The longest gap.");
    columns
        .instant("longest_at_ns", "at", |row| {
            let (begin, track, _) = row.longest;
            Some(profile.timeline.track_on_axis(track, begin))
        })
        .unsorted()
        .help("When the longest begins.");
    let track = |row: &&SpanGaps| track_title(document, row.longest.1);
    columns.text("longest_track", track);
    columns.words("on", "on", track).unsorted().help("The track of the longest.");
    columns
        .place("longest", |row| {
            let (begin, track, span) = row.longest;
            let member = profile.timeline.tracks[track.index()].member;
            let extent = [begin, begin.saturating_add(row.lengths.longest)];
            place_of(document, origin, (member, Some(track), Some(span)), extent)
        })
        .help("To the longest gap, and the span that ends it");
    columns.name("between spans of", |row| {
        let colours = colours(row.longest.2);
        span_name(&text(row.name), &text(row.file), row.is_asynchronous, colours)
    });
    columns.table("name", rows, options, |row| {
        format!("{:?} {:?} {}", text(row.name), text(row.file), row.is_asynchronous)
    })
}
