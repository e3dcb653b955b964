//! What changed of what happened when: spans by name, and a metric by stretches of time.

use std::collections::HashMap;

use analysis::{
    Change, Filtered, HeatGrid, Side, SpanStatistics, Tag, heat, recorded_time, span_statistics_on,
};
use profile::{StringId, Track};
use protocol::{ErrorCode, ProtocolError};

use super::convert;
use crate::{ChangeOrder, Compared, ProfileDocument, ViewOptions};

/// Spans of one name on both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct SpanChange {
    /// Name.
    pub name: String,
    /// Source file; may be empty.
    pub file: String,
    /// On lanes, where they may overlap.
    pub is_asynchronous: bool,
    /// Base and new side; none where there is no such span.
    pub sides: [Option<SpanStatistics>; 2],
    /// Runs of either side, by which counts and sums are divided.
    pub runs: [usize; 2],
    /// The kind of change of their sums.
    pub tag: Tag,
}

impl SpanChange {
    /// The sum of their lengths in nanoseconds, of one run.
    pub fn total(&self) -> Change {
        self.change(|one| Some(one.total))
    }

    /// The part of it in which none inside ran, of one run; none of asynchronous ones.
    pub fn self_time(&self) -> Option<Change> {
        (!self.is_asynchronous).then(|| self.change(|one| one.self_time))
    }

    /// How many there are in one run, on base and new side.
    pub fn counts(&self) -> [f64; 2] {
        let of = |side: usize| {
            let count = self.sides[side].as_ref().map_or(0, |one| one.count);
            count as f64 / self.runs[side].max(1) as f64
        };
        [of(0), of(1)]
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
}

/// How much of a metric was in a stretch of time, on both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StretchChange {
    /// Begin and end in nanoseconds; the end is no part of it but of the last one.
    pub times: [i64; 2],
    /// In whole units of the metric, which add up to what all stretches have: base and new side.
    pub values: [i64; 2],
}

/// A metric by stretches of time.
#[derive(Debug, Clone, PartialEq)]
pub struct StretchChanges {
    /// One behind the other, of one length.
    pub rows: Vec<StretchChange>,
    /// What has no time: base and new side.
    pub untimed: [f64; 2],
}

/// Most stretches.
const MOST_STRETCHES: usize = 1_000_000;

impl ProfileDocument {
    /// The side of a track of a comparison.
    fn side_of(&self, track: &Track) -> usize {
        let of_base = self.comparison().map_or(0, |of| of.groups.members[0]);
        usize::from(track.member.index() >= of_base)
    }

    /// Of a comparison, spans by name on both sides, as filters leave them; in no order.
    pub(super) fn changed_spans(&self, filtered: &Filtered) -> Vec<SpanChange> {
        let profile = self.profile();
        let comparing = self.comparison();
        let runs = comparing.map_or([1, 1], |of| of.groups.runs);
        let mut all: HashMap<(StringId, StringId, bool), SpanChange> = HashMap::new();
        for side in [0, 1] {
            for one in span_statistics_on(filtered, |track| self.side_of(track) == side) {
                let key = (one.name, one.file, one.is_asynchronous);
                let change = all.entry(key).or_insert_with(|| SpanChange {
                    name: profile.text(one.name).to_owned(),
                    file: profile.text(one.file).to_owned(),
                    is_asynchronous: one.is_asynchronous,
                    sides: [None, None],
                    runs,
                    tag: Tag::Unchanged,
                });
                change.sides[side] = Some(one);
            }
        }
        let noise = comparing.map_or(0.0, |of| of.noise);
        let mut rows: Vec<SpanChange> = all.into_values().collect();
        for row in &mut rows {
            row.tag = match &row.sides {
                [None, _] => Tag::Added,
                [_, None] => Tag::Deleted,
                // Spans are there, if they last for no time.
                _ => match row.total().tag(noise) {
                    Tag::Added => Tag::Larger,
                    Tag::Deleted => Tag::Smaller,
                    tag => tag,
                },
            };
        }
        rows
    }
}

impl Compared {
    /// Spans by name, in an order as functions are, at most `limit` of them; also how many names there are.
    ///
    /// # Errors
    /// If a filter cannot be understood, or neither side has spans.
    pub fn span_changes(
        &self,
        options: &ViewOptions,
        order: ChangeOrder,
        limit: usize,
    ) -> Result<(Vec<SpanChange>, usize), ProtocolError> {
        let profile = self.document.profile();
        if profile.timeline.spans.is_empty() {
            let message = format!("{} has no spans to compare", self.document.title());
            return Err(ProtocolError::new(ErrorCode::BadRequest, message));
        }
        let filtered = self.document.filtered_by(options).map_err(convert::filter_error)?;
        let mut rows = self.document.changed_spans(&filtered);
        rows.sort_by(|a, b| {
            let size = |row: &SpanChange| match order {
                ChangeOrder::Change => row.total().difference().unsigned_abs() as i128,
                ChangeOrder::Own => row.self_time().map_or(0, |of| of.new).into(),
                ChangeOrder::Total => row.total().new.into(),
                ChangeOrder::Name => 0,
            };
            let name = |row: &SpanChange| (row.name.clone(), row.file.clone(), row.is_asynchronous);
            size(b).cmp(&size(a)).then_with(|| name(a).cmp(&name(b)))
        });
        let count = rows.len();
        rows.truncate(limit);
        Ok((rows, count))
    }

    /// A metric of both by `stretches` stretches of the time that both recordings have together.
    ///
    /// # Errors
    /// If nothing has a time, the metric does not add up, or a filter cannot be understood.
    pub fn stretch_changes(
        &self,
        options: &ViewOptions,
        stretches: usize,
    ) -> Result<StretchChanges, ProtocolError> {
        let filtered = self.document.filtered_by(options).map_err(convert::filter_error)?;
        let stretches = stretches.clamp(1, MOST_STRETCHES);
        let nothing = StretchChanges { rows: vec![], untimed: [0.0; 2] };
        let recorded = recorded_time(filtered.profile()).ok_or_else(|| {
            let message = format!("{} does not tell when anything was", self.document.title());
            ProtocolError::new(ErrorCode::BadRequest, message)
        })?;
        let Some((grid, last)) = grid_of(&filtered, recorded, stretches) else {
            return Ok(nothing);
        };
        let of = |side: Side| {
            let metric = self.side(options.metric, side);
            heat(&filtered, metric, grid).ok_or_else(|| {
                let name = &self.metrics[options.metric.index()].name;
                let message = format!("values of {name} do not add up over time");
                ProtocolError::new(ErrorCode::BadRequest, message)
                    .with_hint("Choose a measured metric that is a sum, by --metric.")
            })
        };
        let [base, new] = [of(Side::Base)?, of(Side::New)?];
        let edge = |cell: usize| {
            let behind = grid.cell.saturating_mul(i64::try_from(cell).unwrap_or(i64::MAX));
            grid.begin.saturating_add(behind)
        };
        let [base_values, new_values] = [&base.values, &new.values].map(|all| whole_parts(all));
        let values = base_values.into_iter().zip(new_values).enumerate();
        let row = |(cell, (base, new))| StretchChange {
            times: [edge(cell), edge(cell + 1).min(last)],
            values: [base, new],
        };
        let untimed = [base.untimed, new.untimed];
        Ok(StretchChanges { rows: values.map(row).collect(), untimed })
    }
}

/// Values in whole units, rounded so that any of them behind each other add up to their sum.
fn whole_parts(values: &[f64]) -> Vec<i64> {
    let (mut sum, mut told) = (0.0, 0i64);
    let part = |value: &f64| {
        sum += value;
        let up_to = sum.round() as i64;
        let own = up_to.saturating_sub(told);
        told = up_to;
        own
    };
    values.iter().map(part).collect()
}

/// So many stretches over all the time that counts, with its end; the last holds the very last instant, too.
/// Nothing where nothing counts.
fn grid_of(
    filtered: &Filtered,
    [first, last]: [i64; 2],
    stretches: usize,
) -> Option<(HeatGrid, i64)> {
    let window = filtered.window().map(|window| window.on_any(filtered.profile()));
    let inside: Vec<[i64; 2]> = match &window {
        Some(window) => window.between(first, last.saturating_add(1)).collect(),
        None => vec![[first, last.saturating_add(1)]],
    };
    let (begin, end) = (inside.first()?[0], inside.last()?[1]);
    let length = (i128::from(end) - i128::from(begin)).max(1);
    let cells = stretches as i128;
    let cell = i64::try_from(rounded_up((length + cells - 1) / cells)).unwrap_or(i64::MAX);
    // No stretch begins behind the end.
    let cells = ((length + i128::from(cell) - 1) / i128::from(cell)) as usize;
    Some((HeatGrid { begin, cell, cells }, end.min(last).max(begin)))
}

/// The next number of two digits and zeros: lengths that people can read.
fn rounded_up(number: i128) -> i128 {
    let mut unit = 1;
    while number / unit >= 100 {
        unit *= 10;
    }
    (number + unit - 1) / unit * unit
}
