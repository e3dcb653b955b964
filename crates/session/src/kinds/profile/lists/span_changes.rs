//! Spans by name on both sides of a comparison.

use std::collections::HashMap;

use analysis::{Change, Filtered, SpanStatistics, Tag, span_statistics_on};
use profile::{StringId, TrackId};
use protocol::{ErrorCode, ListKind, ProtocolError, Table};

use super::super::{ProfileDocument, ViewOptions, convert};
use super::list::{ProfileList, has_spans};
use super::places::{colours_of, matcher, origin_of, place_of_span};
use super::span_name::span_name;
use crate::kinds::profile::document::comparing::Comparing;
use crate::kinds::profile::trees::views::filtered_by;
use crate::table::{Columns, ListOptions};

/// Name and file of spans, and whether they are asynchronous.
type Key = (StringId, StringId, bool);

/// Spans of one name on both sides.
struct SpanChange {
    key: Key,
    /// Base and new side. None where there is no such span.
    sides: [Option<SpanStatistics>; 2],
    /// Runs of either side, by which counts and sums are divided.
    runs: [usize; 2],
    /// The longest in the new profile, or where there is none, in the base: its row, and its track.
    longest: (usize, TrackId),
}

/// A figure of the spans of one side.
type Figure = (&'static str, fn(&SpanStatistics) -> Option<i64>);

const FIGURES: [Figure; 5] = [
    ("shortest_ns", |one| Some(one.lengths?.shortest)),
    ("median_ns", |one| Some(one.lengths?.median)),
    ("p95_ns", |one| Some(one.lengths?.p95)),
    ("p99_ns", |one| Some(one.lengths?.p99)),
    ("longest_ns", |one| Some(one.lengths?.longest)),
];

impl SpanChange {
    /// The sum of their lengths in nanoseconds, of one run.
    fn total(&self) -> Change {
        self.change(|one| Some(one.total))
    }

    /// The part of it in which no span inside ran, of one run. Asynchronous spans have none.
    fn self_time(&self) -> Option<Change> {
        let (_, _, is_asynchronous) = self.key;
        (!is_asynchronous).then(|| self.change(|one| one.self_time))
    }

    /// How many there are in one run, on base and new side.
    fn counts(&self) -> [f64; 2] {
        let of = |side: usize| {
            let count = self.sides[side].as_ref().map_or(0, |one| one.count);
            count as f64 / self.runs[side].max(1) as f64
        };
        [of(0), of(1)]
    }

    /// By how much the median changed, over all runs.
    fn median_change(&self) -> Option<i64> {
        let [base, new] = &self.sides;
        let [base, new] = [base.as_ref()?.lengths?, new.as_ref()?.lengths?];
        Some(new.median.saturating_sub(base.median))
    }

    fn change(&self, of: fn(&SpanStatistics) -> Option<i64>) -> Change {
        let of = |side: usize| {
            let value = self.sides[side].as_ref().and_then(of).unwrap_or(0);
            // To the nearest.
            let runs = i128::try_from(self.runs[side].max(1)).unwrap_or(1);
            ((2 * i128::from(value) + runs).div_euclid(2 * runs)) as i64
        };
        Change { base: of(0), new: of(1) }
    }

    /// The kind of change of the sums.
    fn tag(&self, noise: f64) -> Tag {
        match &self.sides {
            [None, _] => Tag::Added,
            [_, None] => Tag::Deleted,
            // Spans are there, if they last for no time.
            _ => match self.total().tag(noise) {
                Tag::Added => Tag::Larger,
                Tag::Deleted => Tag::Smaller,
                tag => tag,
            },
        }
    }
}

pub(super) const LIST: ProfileList = ProfileList {
    kind: ListKind::SpanChanges,
    stands_for: Some(ListKind::Spans),
    name: "spans",
    label: "Changes",
    title: "spans by name",
    help: "Spans by name in base and new profile",
    filter: "Filter spans",
    row: "Spans of a name",
    empty: "The filters keep no spans.",
    has: has_spans,
    rows: span_changes,
};

fn span_changes(
    document: &ProfileDocument,
    view: &ViewOptions,
    options: &ListOptions<'_>,
) -> Result<Table, ProtocolError> {
    let comparison = document.comparison().ok_or_else(|| document.no_comparison())?;
    let profile = document.profile();
    if profile.timeline.spans.is_empty() {
        let message = format!("{} has no spans to compare", document.title());
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    let origin = origin_of(document)?;
    let (noise, runs) = (comparison.noise, comparison.groups.runs);
    let filtered = filtered_by(document, view).map_err(convert::filter_error)?;
    let matches = matcher(options.filter)?;
    let text = |id| profile.text(id).to_owned();
    let mut rows = changed_spans(document, &filtered, runs);
    rows.retain(|row| matches(profile.text(row.key.0)));
    rows.sort_by_cached_key(|row| {
        let (name, file, is_asynchronous) = row.key;
        let change = row.total().difference().unsigned_abs();
        (std::cmp::Reverse(change), text(name), text(file), is_asynchronous)
    });
    let colours = colours_of(document);

    let mut columns = Columns::<SpanChange>::sorted_by("change");
    add_sums(&mut columns);
    columns.text("name", |row| text(row.key.0));
    columns.text("file", |row| text(row.key.1));
    columns.flag("asynchronous", |row| row.key.2);
    add_change(&mut columns, "total", |row| Some(row.total()), move |row| row.tag(noise));
    add_change(&mut columns, "self", SpanChange::self_time, |row| {
        row.self_time().map_or(Tag::Unchanged, |change| change.tag(0.0))
    });
    add_sides(&mut columns, runs);
    columns
        .place("longest", |row| place_of_span(document, origin, row.longest))
        .help("To the longest of them");
    columns.name("span", |row| {
        let (name, file, is_asynchronous) = row.key;
        let colours = colours(row.longest.0);
        let mark = row.tag(noise).sign().to_owned();
        let of = span_name(&text(name), &text(file), is_asynchronous, colours);
        protocol::RowName { mark, ..of }
    });
    let mut table = columns.table("name", rows, options, |row| {
        let (name, file, is_asynchronous) = row.key;
        format!("{:?} {:?} {is_asynchronous}", text(name), text(file))
    })?;
    table.notes.extend(notes(comparison));
    Ok(table)
}

/// The columns that people read: sums of both sides, and by how much they changed.
fn add_sums(columns: &mut Columns<'_, SpanChange>) {
    columns
        .time("base", "base", |row| Some(row.total().base))
        .for_people()
        .help("The sum of their lengths in the base.");
    columns
        .time("new", "new", |row| Some(row.total().new))
        .for_people()
        .help("The sum of their lengths in the new profile.");
    columns
        .time_change("change", "change", |row| Some(row.total().difference()))
        .for_people()
        .help("By how much the sum of their lengths changed.");
    columns.growth("by", "by", |row| growth(row.total())).help("The same as a share of the base.");
    columns
        .time_change("self_change", "self change", |row| {
            row.self_time().map(|change| change.difference())
        })
        .for_people()
        .help("By how much the time changed in which no span inside ran.");
    columns
        .counts("count", "count", SpanChange::counts)
        .help("How many there are in base and new profile.");
    columns
        .time_change("median", "median", SpanChange::median_change)
        .for_people()
        .help("By how much the length changed that half of them do not exceed.");
}

/// The figures of each side, for programs.
fn add_sides(columns: &mut Columns<'_, SpanChange>, runs: [usize; 2]) {
    for (side, group) in ["base", "new"].into_iter().enumerate() {
        if runs[side] == 1 {
            columns.count("count", "count", move |row| row.counts()[side] as u64)
        } else {
            columns.number("count", "count", move |row| Some(row.counts()[side]))
        }
        .for_programs()
        .within(group);
        for (key, figure) in FIGURES {
            columns
                .time(key, key, move |row| row.sides[side].as_ref().and_then(figure))
                .for_programs()
                .within(group);
        }
    }
}

/// What you need to know of sums over runs, and of scaled values.
fn notes(comparison: &Comparing) -> Vec<String> {
    let mut notes = vec![];
    let runs = comparison.groups.runs;
    if runs != [1, 1] {
        let [base, new] = runs;
        notes.push(format!(
            "counts and sums are means per run ({base} and {new} runs); medians and longest are of all spans of a side; significance was not tested"
        ));
    }
    if comparison.normalise != analysis::Normalise::Absolute {
        notes.push("lengths of spans are not scaled".to_owned());
    }
    notes
}

/// The new value divided by the old one, where there was one.
fn growth(change: Change) -> Option<f64> {
    change.ratio().filter(|_| change.base > 0)
}

/// Both sides of a change and how they differ, for programs.
fn add_change<'a>(
    columns: &mut Columns<'a, SpanChange>,
    group: &'static str,
    of: impl Fn(&SpanChange) -> Option<Change> + Copy + 'a,
    tag: impl Fn(&SpanChange) -> Tag + 'a,
) {
    columns.maybe_text("tag", move |row| of(row).map(|_| tag(row).sign().to_owned())).within(group);
    columns.time("base", "base", move |row| Some(of(row)?.base)).for_programs().within(group);
    columns
        .time("new", "new", move |row| Some(of(row)?.new))
        .for_programs()
        .within(group)
        .falling();
    columns
        .time_change("difference", "difference", move |row| Some(of(row)?.difference()))
        .for_programs()
        .within(group);
    columns.number("ratio", "ratio", move |row| of(row)?.ratio()).for_programs().within(group);
}

/// Spans by name on both sides, as filters leave them, in no order.
fn changed_spans(
    document: &ProfileDocument,
    filtered: &Filtered,
    runs: [usize; 2],
) -> Vec<SpanChange> {
    let of_base = document.comparison().map_or(0, |of| of.groups.members[0]);
    let mut all: HashMap<Key, SpanChange> = HashMap::new();
    for side in [0, 1] {
        let is_of_side =
            |track: &profile::Track| usize::from(track.member.index() >= of_base) == side;
        for one in span_statistics_on(filtered, is_of_side) {
            let key = (one.name, one.file, one.is_asynchronous);
            let longest = one.longest;
            let change =
                all.entry(key).or_insert(SpanChange { key, sides: [None, None], runs, longest });
            change.longest = longest;
            change.sides[side] = Some(one);
        }
    }
    all.into_values().collect()
}
