//! Tracks, as the timeline shows them.

use analysis::{TrackSummary, shown_tracks, track_summaries};
use profile::TrackId;
use protocol::{ListKind, ProtocolError, RowName, Table};

use super::super::{ProfileDocument, ViewOptions, convert};
use super::list::ProfileList;
use super::places::{matcher, origin_of};
use crate::kinds::profile::document::track_titles::title_below_process;
use crate::kinds::profile::trees::views::filtered_by;
use crate::table::{Columns, ListOptions};

struct Track {
    id: TrackId,
    name: String,
    kind: &'static str,
    /// 0 for those under no other one.
    depth: u32,
    summary: TrackSummary,
}

pub(super) const LIST: ProfileList = ProfileList {
    kind: ListKind::Tracks,
    stands_for: None,
    name: "timeline",
    label: "Tracks",
    title: "tracks",
    help: "Tracks of a trace: processes, threads, lanes, and what is on them",
    filter: "Filter tracks",
    row: "Track",
    empty: "The filters keep no track.",
    has: |document| !document.profile().timeline.is_empty(),
    rows: tracks,
};

fn tracks(
    document: &ProfileDocument,
    view: &ViewOptions,
    options: &ListOptions<'_>,
) -> Result<Table, ProtocolError> {
    origin_of(document)?;
    let profile = document.profile();
    let filtered = filtered_by(document, view).map_err(convert::filter_error)?;
    let summaries = track_summaries(&filtered);
    let matches = matcher(options.filter)?;
    let rows: Vec<Track> = shown_tracks(profile)
        .iter()
        .map(|&(id, depth)| Track {
            id,
            name: title_below_process(document, id),
            kind: profile.timeline.tracks[id.index()].kind.name(),
            depth,
            summary: summaries[id.index()],
        })
        .filter(|one| matches(&one.name))
        .collect();

    let mut columns = Columns::<Track>::new();
    columns.text("track", |row| row.name.clone());
    columns.text("kind", |row| row.kind.to_owned());
    columns.count("depth", "depth", |row| row.depth.into()).for_programs();
    columns
        .time("busy_ns", "busy", |row| Some(row.summary.busy))
        .help("For how long at least one span was open.");
    columns.time("total_ns", "total", |row| Some(row.summary.total)).for_programs();
    columns.count("spans", "spans", |row| row.summary.spans);
    columns.count("samples", "samples", |row| row.summary.samples);
    columns.count("marks", "marks", |row| row.summary.marks);
    columns.count("counters", "counters", |row| row.summary.counters);
    columns.instant("first_ns", "first", |row| Some(row.summary.extent?[0]));
    columns.instant("last_ns", "last", |row| Some(row.summary.extent?[1]));
    columns.name("track", |row| RowName {
        text: row.name.clone(),
        remark: row.kind.to_owned(),
        depth: 2 * row.depth,
        ..RowName::default()
    });
    columns.table("track", rows, options, |row| row.id.0.to_string())
}
