//! Figures of spans by name: how many there are, how long they last, and which last longest.

use std::cmp::Reverse;
use std::collections::HashMap;

use profile::{FrameId, Profile, StringId, Track, TrackId, TrackKind};

use super::kept_spans::{KeptSpan, kept_spans};
use crate::Filtered;

/// Spans of one name and file, on tracks whose spans nest or on others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpanStatistics {
    /// The innermost function of their contexts.
    pub name: StringId,
    /// Its source file; may be empty.
    pub file: StringId,
    /// On lanes, where they may overlap.
    pub is_asynchronous: bool,
    /// How many there are.
    pub count: u64,
    /// How many of them never end. Their time is in no figure.
    pub unfinished: u64,
    /// The sum of their lengths in nanoseconds, held at the limit of 64 bits. Of spans inside others
    /// of the same name both count.
    pub total: i64,
    /// The part of it in which no span inside ran; none of asynchronous ones, which do not nest.
    pub self_time: Option<i64>,
    /// Lengths in nanoseconds; nothing where none ends.
    pub lengths: Option<Lengths>,
    /// The longest: its row, and its track. Where none ends, the first.
    pub longest: (usize, TrackId),
}

/// Quantiles of lengths in nanoseconds: the smallest that so many are not above (nearest rank).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lengths {
    /// Of all.
    pub shortest: i64,
    /// Of half.
    pub median: i64,
    /// Of 95 in a hundred.
    pub p95: i64,
    /// Of 99 in a hundred.
    pub p99: i64,
    /// Of all.
    pub longest: i64,
}

impl Lengths {
    pub(super) fn new(sorted: &[i64]) -> Option<Lengths> {
        let (shortest, longest) = (*sorted.first()?, *sorted.last()?);
        let quantile = |share: usize| sorted[(sorted.len() * share).div_ceil(100) - 1];
        let [median, p95, p99] = [50, 95, 99].map(quantile);
        Some(Lengths { shortest, median, p95, p99, longest })
    }
}

/// What is collected of a name.
struct Group {
    /// Of those that end.
    lengths: Vec<i64>,
    unfinished: u64,
    self_time: i64,
    longest: (i64, usize, TrackId),
}

impl Group {
    fn statistics(mut self, (name, file, is_asynchronous): Key) -> SpanStatistics {
        self.lengths.sort_unstable();
        let total = self.lengths.iter().fold(0, |sum: i64, one| sum.saturating_add(*one));
        SpanStatistics {
            name,
            file,
            is_asynchronous,
            count: self.lengths.len() as u64 + self.unfinished,
            unfinished: self.unfinished,
            total,
            self_time: (!is_asynchronous).then_some(self.self_time),
            lengths: Lengths::new(&self.lengths),
            longest: (self.longest.1, self.longest.2),
        }
    }
}

/// Name, file, whether asynchronous.
pub(super) type Key = (StringId, StringId, bool);

/// Of all spans whose points the filters keep, clipped to the time that counts, those of the largest
/// sum first.
pub fn span_statistics(filtered: &Filtered) -> Vec<SpanStatistics> {
    span_statistics_on(filtered, |_| true)
}

/// The same of some tracks.
pub fn span_statistics_on(
    filtered: &Filtered,
    is_meant: impl Fn(&Track) -> bool,
) -> Vec<SpanStatistics> {
    let profile = filtered.profile();
    let mut groups: HashMap<Key, Group> = HashMap::new();
    kept_spans(filtered, is_meant, |KeptSpan { row, track, length, self_time }| {
        let is_asynchronous = profile.timeline.tracks[track.index()].kind == TrackKind::Lane;
        let group = groups.entry(key_of(profile, row, is_asynchronous)).or_insert_with(|| Group {
            lengths: vec![],
            unfinished: 0,
            self_time: 0,
            longest: (-1, row, track),
        });
        match length {
            Some(length) => group.lengths.push(length),
            None => group.unfinished += 1,
        }
        group.self_time = group.self_time.saturating_add(self_time.unwrap_or(0));
        // Of equally long ones the first counts.
        let (longest, known_row, known_track) = group.longest;
        let rank = |length: i64, track, row| (length, Reverse((track, row)));
        let length = length.unwrap_or(-1);
        if rank(length, track, row) > rank(longest, known_track, known_row) {
            group.longest = (length, row, track);
        }
    });
    let mut all: Vec<SpanStatistics> =
        groups.into_iter().map(|(key, group)| group.statistics(key)).collect();
    let text = |id: StringId| profile.text(id);
    all.sort_by(|a, b| {
        let names = |one: &SpanStatistics| (text(one.name), text(one.file), one.is_asynchronous);
        b.total.cmp(&a.total).then_with(|| names(a).cmp(&names(b)))
    });
    all
}

/// A span goes by the innermost function of its context.
pub(super) fn key_of(profile: &Profile, row: usize, is_asynchronous: bool) -> Key {
    let point = profile.timeline.spans.point(row);
    let context = profile.points.context[point.index()];
    let frame = profile.frames_of(context).next_back().map(FrameId);
    let function = frame.and_then(|frame| profile.frames.function(frame));
    let functions = &profile.functions;
    match function {
        Some(function) => {
            let row = function.index();
            (functions.name[row], functions.file[row], is_asynchronous)
        }
        None => (StringId::EMPTY, StringId::EMPTY, is_asynchronous),
    }
}
