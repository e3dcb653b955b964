//! What filters of time could not do as they were asked.

use std::fmt;

use profile::{MemberId, Profile, TrackId};
use work::steps;

use super::cut::Length;
use super::{Around, contexts_of, time_range, time_text};
use crate::shown::frames_matching;
use crate::{Filter, FilterError, FilterKind, Filtered, Pattern};

/// Something that whoever chose a time should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimeNote {
    /// Samples have no time, so that no range has them.
    Untimed {
        /// How many.
        count: u64,
        /// Of how many: points that count spans go by the times of these.
        of: u64,
    },
    /// A range ends before the recording begins, or begins behind its end.
    Outside {
        /// As it was written.
        range: String,
        /// The first and the last time of the recording.
        recording: [i64; 2],
    },
    /// No span has a frame that matches.
    NoSpan(String),
    /// The spans with a frame that matches have no length: nothing was during them.
    NoLength(String),
    /// No sample and no span has a label, a thread or a processor that matches.
    NoLabel(String),
    /// No mark is of a kind that matches.
    NoMark(String),
    /// All of this is there, but nothing is in the time that all filters leave.
    NothingLeft,
}

impl fmt::Display for TimeNote {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeNote::Untimed { count, of } if count == of => {
                write!(to, "none of {of} samples has a time: all of them are left out")
            }
            TimeNote::Untimed { count, of } => {
                write!(to, "{count} of {of} samples have no time and are left out")
            }
            TimeNote::Outside { range, recording: [first, last] } => {
                let [first, last] = [first, last].map(|time| time_text(*time));
                write!(to, "nothing was recorded in {range}: the recording is {first}..{last}")
            }
            TimeNote::NoSpan(pattern) => write!(to, "no span has a frame that matches {pattern}"),
            TimeNote::NoLength(pattern) => {
                write!(to, "spans with a frame that matches {pattern} have no length")
            }
            TimeNote::NoLabel(pattern) => write!(to, "no sample and no span has {pattern}"),
            TimeNote::NoMark(pattern) => write!(to, "no mark is of a kind that {pattern} matches"),
            TimeNote::NothingLeft => to.write_str("nothing is left in the chosen time"),
        }
    }
}

/// What is to be told of the filters of time, given what all filters left.
///
/// # Errors
/// If one of them cannot be understood.
pub fn time_notes(filtered: &Filtered, filters: &[Filter]) -> Result<Vec<TimeNote>, FilterError> {
    let profile = filtered.profile();
    let mut notes = unmatched_labels(filtered, filters)?;
    if filtered.window().is_none() {
        return Ok(notes);
    }
    let (count, of) = untimed_samples(profile);
    if count > 0 {
        notes.push(TimeNote::Untimed { count, of });
    }
    let recording = recorded_time(profile);
    for Filter { kind, pattern } in filters {
        match kind {
            FilterKind::Time => {
                let ranges = time_range(pattern)?;
                if let Some(recording) = recording
                    && ranges.between(recording[0], recording[1].saturating_add(1)).next().is_none()
                {
                    notes.push(TimeNote::Outside { range: pattern.clone(), recording });
                }
            }
            FilterKind::During => {
                let frames = frames_matching(profile, &Pattern::typed(pattern)?);
                let is_inside = contexts_of(profile, &frames);
                let spans = &profile.timeline.spans;
                let context = |row: usize| profile.points.context[spans.point(row).index()];
                let meant = (0..spans.len()).filter(|&row| is_inside[context(row).index()]);
                match meant.map(|row| spans.length(row)).max() {
                    None => notes.push(TimeNote::NoSpan(pattern.clone())),
                    Some(0) => notes.push(TimeNote::NoLength(pattern.clone())),
                    Some(_) => {}
                }
            }
            FilterKind::Around if Around::new(pattern)?.kinds_of(profile).is_empty() => {
                notes.push(TimeNote::NoMark(pattern.clone()));
            }
            _ => {}
        }
    }
    let is_explained = notes.iter().any(|note| match note {
        TimeNote::Untimed { count, of } => count == of && profile.timeline.spans.is_empty(),
        _ => true,
    });
    let points = profile.points.len();
    if points > 0 && !is_explained && !(0..points).any(|point| filtered.keeps_point(point)) {
        notes.push(TimeNote::NothingLeft);
    }
    Ok(notes)
}

/// The filters that keep a label which nothing has.
fn unmatched_labels(filtered: &Filtered, filters: &[Filter]) -> Result<Vec<TimeNote>, FilterError> {
    let mut notes = vec![];
    for filter in filters.iter().filter(|filter| filter.kind == FilterKind::LabelFocus) {
        let points = filtered.profile().points.len();
        let alone = Filtered::new(filtered.profile().clone(), std::slice::from_ref(filter), false)?;
        if points > 0 && !(0..points).any(|point| alone.keeps_point(point)) {
            notes.push(TimeNote::NoLabel(filter.pattern.clone()));
        }
    }
    Ok(notes)
}

/// Of the points that count no spans, how many have no time, and how many there are.
fn untimed_samples(profile: &Profile) -> (u64, u64) {
    let spans = &profile.timeline.spans;
    let mut counts_spans = vec![false; if spans.is_empty() { 0 } else { profile.points.len() }];
    for row in steps("looking at spans", 0..spans.len()) {
        counts_spans[spans.point(row).index()] = true;
    }
    let samples = (0..profile.points.len())
        .filter(|&point| !counts_spans.get(point).copied().unwrap_or(false));
    samples.fold((0, 0), |(untimed, all), point| {
        (untimed + u64::from(profile.points.time(point).is_none()), all + 1)
    })
}

/// The first and the last time of everything, on the axis that members share: of samples that last, when
/// they end.
pub fn recorded_time(profile: &Profile) -> Option<[i64; 2]> {
    let of_members = (0..).map(MemberId).zip(recorded_times(profile));
    let on_axis = |(member, of): (MemberId, Option<[i64; 2]>)| {
        of.map(|ends| ends.map(|time| profile.timeline.on_axis(member, time)))
    };
    of_members.filter_map(on_axis).reduce(joined)
}

/// The first and the last time of everything of each member, whose times begin anew.
pub(crate) fn recorded_times(profile: &Profile) -> Vec<Option<[i64; 2]>> {
    let (points, timeline) = (&profile.points, &profile.timeline);
    let mut all: Vec<Option<[i64; 2]>> = vec![None; profile.members.len().max(1)];
    let mut widen = |member: MemberId, with: [i64; 2]| {
        if let Some(known) = all.get_mut(member.index()) {
            *known = Some(known.map_or(with, |known| joined(known, with)));
        }
    };
    let length = Length::new(profile);
    for point in 0..points.len() {
        if let Some(begin) = points.time(point) {
            let lasts = length.of_point(points, point);
            widen(points.member(point), [begin, begin.saturating_add(lasts)]);
        }
    }
    for (number, of) in timeline.tracks.iter().enumerate() {
        let track = TrackId(number as u32);
        for row in timeline.spans.of_track(track) {
            let span = timeline.spans.get(row);
            widen(of.member, [span.begin, span.end()]);
        }
        let marks = timeline.marks.of_track(track);
        for time in marks.map(|row| timeline.marks.get(track, row).time) {
            widen(of.member, [time, time]);
        }
    }
    for end in timeline.flows.iter().flat_map(|flow| [flow.from, flow.to]) {
        widen(timeline.tracks[end.track.index()].member, [end.time, end.time]);
    }
    for counter in &timeline.counters {
        if let (Some(&first), Some(&last)) = (counter.times.first(), counter.times.last()) {
            widen(timeline.tracks[counter.track.index()].member, [first, last]);
        }
    }
    all
}

fn joined(one: [i64; 2], other: [i64; 2]) -> [i64; 2] {
    [one[0].min(other[0]), one[1].max(other[1])]
}
