//! The time between spans of a name.

use std::collections::HashMap;

use profile::{StringId, TrackId, TrackKind};
use work::steps;

use super::Lengths;
use super::span_statistics::{Key, key_of};
use crate::Filtered;

/// Gaps between spans of one name and file on one track: from where all that began before have ended to
/// where the next begins. Where the next begins before that or just then, there is none. Only gaps that are in
/// the chosen time as a whole count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpanGaps {
    /// The innermost function of their contexts.
    pub name: StringId,
    /// Its source file; may be empty.
    pub file: StringId,
    /// On lanes.
    pub is_asynchronous: bool,
    /// How many there are, on all tracks.
    pub count: u64,
    /// The sum of their lengths in nanoseconds, held at the limit of 64 bits.
    pub total: i64,
    /// Lengths in nanoseconds.
    pub lengths: Lengths,
    /// When the longest begins, its track, and the row of the span that ends it.
    pub longest: (i64, TrackId, usize),
}

/// Of all spans whose points the filters keep; behind one that never ends no gap is known. Names of the largest sum of gaps first.
pub fn span_gaps(filtered: &Filtered) -> Vec<SpanGaps> {
    let profile = filtered.profile();
    let spans = &profile.timeline.spans;
    let mut all: HashMap<Key, (Vec<i64>, (i64, i64, TrackId, usize))> = HashMap::new();
    for (number, track) in profile.timeline.tracks.iter().enumerate() {
        let id = TrackId(number as u32);
        // By name, when all of its spans so far have ended, and whether that is known.
        let mut ended: HashMap<Key, (i64, bool)> = HashMap::new();
        for row in steps("looking at gaps", spans.of_track(id)) {
            let span = spans.get(row);
            if filtered.clip(track, row, &span).is_none() {
                continue;
            }
            let key = key_of(profile, row, track.kind == TrackKind::Lane);
            let before = ended.insert(key, (span.end(), !span.is_unfinished));
            let Some((before, is_known)) = before else { continue };
            if span.begin <= before || !is_known {
                ended.insert(key, (before.max(span.end()), !span.is_unfinished));
                continue;
            }
            let length = span.begin.saturating_sub(before);
            let is_inside = filtered.window().is_none_or(|window| {
                let window = window.of(track.member, track.thread);
                window.contains(before) && window.length_between(before, span.begin) == length
            });
            if is_inside {
                let (lengths, longest) = all.entry(key).or_insert((vec![], (0, 0, id, row)));
                lengths.push(length);
                if length > longest.0 {
                    *longest = (length, before, id, row);
                }
            }
        }
    }
    let mut all: Vec<SpanGaps> = all
        .into_iter()
        .map(|((name, file, is_asynchronous), (mut lengths, longest))| {
            lengths.sort_unstable();
            SpanGaps {
                name,
                file,
                is_asynchronous,
                count: lengths.len() as u64,
                total: lengths.iter().fold(0, |sum: i64, one| sum.saturating_add(*one)),
                lengths: Lengths::new(&lengths).unwrap_or_default(),
                longest: (longest.1, longest.2, longest.3),
            }
        })
        .collect();
    all.sort_by(|a, b| {
        let names =
            |one: &SpanGaps| (profile.text(one.name), profile.text(one.file), one.is_asynchronous);
        b.total.cmp(&a.total).then_with(|| names(a).cmp(&names(b)))
    });
    all
}
