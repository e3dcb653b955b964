//! The spans that filters keep, one by one: how long each is, and how long none ran inside it.

use std::cmp::Reverse;

use profile::{Track, TrackId, TrackKind};
use work::steps;

use crate::Filtered;

/// A span that filters keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptSpan {
    /// Its row.
    pub row: usize,
    /// Its track.
    pub track: TrackId,
    /// How much of it the filters keep, in nanoseconds. None if its end was not recorded.
    pub length: Option<i64>,
    /// The part of the length in which no span inside ran. Spans on lanes have none, for those do not
    /// nest, nor have unfinished ones.
    pub self_time: Option<i64>,
}

/// A span that is open.
struct Open {
    end: i64,
    /// Its row and its length, if it is kept.
    kept: Option<(usize, i64)>,
    /// Its time without that of the spans inside.
    own: i64,
}

impl Open {
    /// Tells `tell` those that end by a time; the innermost are the last.
    fn close(open: &mut Vec<Open>, until: i64, track: TrackId, tell: &mut impl FnMut(KeptSpan)) {
        while let Some(one) = open.pop_if(|one| one.end <= until) {
            if let Some((row, length)) = one.kept {
                tell(KeptSpan { row, track, length: Some(length), self_time: Some(one.own) });
            }
        }
    }
}

/// All spans that filters keep, the longest first; of equally long ones the one of the first row.
/// Unfinished ones come last.
pub fn longest_spans(filtered: &Filtered) -> Vec<KeptSpan> {
    let mut all = vec![];
    kept_spans(filtered, |_| true, |span| all.push(span));
    all.sort_unstable_by_key(|span| (Reverse(span.length), span.row));
    all
}

/// Tells `tell` every span that filters keep on the tracks that are meant: an inner one before the one
/// around it.
pub(super) fn kept_spans(
    filtered: &Filtered,
    is_meant: impl Fn(&Track) -> bool,
    mut tell: impl FnMut(KeptSpan),
) {
    let profile = filtered.profile();
    let spans = &profile.timeline.spans;
    let tracks = profile.timeline.tracks.iter().enumerate();
    for (number, of) in tracks.filter(|(_, track)| is_meant(track)) {
        let track = TrackId(number as u32);
        let nests = of.kind != TrackKind::Lane;
        let mut open: Vec<Open> = vec![];
        for row in steps("looking at spans", spans.of_track(track)) {
            let span = spans.get(row);
            let length = filtered.clip(of, row, &span).map(|[.., length]| length);
            if nests {
                Open::close(&mut open, span.begin, track, &mut tell);
            }
            if !nests || span.is_unfinished {
                if let Some(length) = length {
                    let length = (!span.is_unfinished).then_some(length);
                    tell(KeptSpan { row, track, length, self_time: None });
                }
                continue;
            }
            // Those that are not kept take their time from those around them, too.
            let inside = match filtered.window() {
                Some(window) => {
                    window.of(of.member, of.thread).length_between(span.begin, span.end())
                }
                None => span.length,
            };
            if let Some(around) = open.last_mut() {
                around.own = around.own.saturating_sub(inside);
            }
            open.push(Open {
                end: span.end(),
                kept: length.map(|length| (row, length)),
                own: inside,
            });
        }
        Open::close(&mut open, i64::MAX, track, &mut tell);
    }
}
