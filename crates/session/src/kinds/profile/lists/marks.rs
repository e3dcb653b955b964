//! Marks by kind.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use analysis::{Filtered, counted_times};
use profile::{MemberId, TrackId};
use protocol::{ListKind, ProtocolError, RowFinds, RowName, Table};

use super::super::{ProfileDocument, ViewOptions, convert};
use super::list::ProfileList;
use super::places::{matcher, origin_of};
use crate::kinds::profile::trees::views::filtered_by;
use crate::table::{Columns, ListOptions};

/// Marks of one kind.
struct Marks {
    kind: String,
    count: u64,
    /// How many per second of the time that counts, by the clocks of the recordings that have some. None where
    /// that has no length.
    per_second: Option<f64>,
    tracks: u64,
    /// The first and the last time in nanoseconds.
    extent: [i64; 2],
}

pub(super) const LIST: ProfileList = ProfileList {
    kind: ListKind::Marks,
    stands_for: None,
    name: "marks",
    label: "Marks",
    title: "marks by kind",
    help: "Instants of a trace by kind: how many, how many a second",
    filter: "Filter marks",
    row: "Marks of a kind",
    empty: "The filters keep no marks.",
    has: |document| !document.profile().timeline.marks.is_empty(),
    rows: marks,
};

fn marks(
    document: &ProfileDocument,
    view: &ViewOptions,
    options: &ListOptions<'_>,
) -> Result<Table, ProtocolError> {
    origin_of(document)?;
    let filtered = filtered_by(document, view).map_err(convert::filter_error)?;
    let matches = matcher(options.filter)?;
    let mut rows = marks_by_kind(&filtered);
    rows.retain(|one| matches(&one.kind));

    let mut columns = Columns::<Marks>::sorted_by("count");
    columns.text("kind", |row| row.kind.clone());
    columns.count("count", "count", |row| row.count).help("How many there are.");
    columns
        .number("per_second", "per second", |row| row.per_second)
        .help("How many per second of the time that counts.");
    columns.count("tracks", "tracks", |row| row.tracks).help("On how many tracks they are.");
    columns.instant("first_ns", "first", |row| Some(row.extent[0])).help("When the first was.");
    columns.instant("last_ns", "last", |row| Some(row.extent[1])).help("When the last was.");
    columns.name("mark", |row| RowName {
        text: row.kind.clone(),
        finds: Some(RowFinds::Marks(row.kind.clone())),
        ..RowName::default()
    });
    columns.table("kind", rows, options, |row| row.kind.clone())
}

/// Marks by kind that the filters keep, the most frequent first.
fn marks_by_kind(filtered: &Filtered) -> Vec<Marks> {
    let profile = filtered.profile();
    let timeline = &profile.timeline;
    let mut all = BTreeMap::<&str, Marks>::new();
    // By kind, the recordings that have some.
    let mut of = BTreeSet::<(&str, MemberId)>::new();
    for track in (0..timeline.tracks.len() as u32).map(TrackId) {
        let mut seen = HashSet::new();
        for row in timeline.marks.of_track(track) {
            let mark = timeline.marks.get(track, row);
            if !filtered.keeps_time(&timeline.tracks[track.index()], mark.time) {
                continue;
            }
            let kind = profile.text(mark.kind);
            of.insert((kind, timeline.tracks[track.index()].member));
            let time = timeline.track_on_axis(track, mark.time);
            let one = all.entry(kind).or_insert_with(|| Marks {
                kind: kind.to_owned(),
                count: 0,
                per_second: None,
                tracks: 0,
                extent: [time, time],
            });
            one.count += 1;
            one.tracks += u64::from(seen.insert(mark.kind));
            one.extent = [one.extent[0].min(time), one.extent[1].max(time)];
        }
    }
    let counted = counted_times(filtered);
    let mut all: Vec<Marks> = all.into_values().collect();
    for one in &mut all {
        // Recordings have a time each, whatever stands together.
        let own = of.range((&*one.kind, MemberId(0))..=(&*one.kind, MemberId(u32::MAX)));
        let counted = own
            .filter_map(|(_, member)| counted.get(member.index()))
            .fold(0, |sum: i64, one| sum.saturating_add(*one));
        one.per_second = (counted > 0).then(|| one.count as f64 * 1e9 / counted as f64);
    }
    all.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.kind.cmp(&b.kind)));
    all
}
