//! What lists of what happened when have in common.

use analysis::{Granularity, Pattern};
use profile::{FrameId, MemberId, TrackId};
use protocol::{ProtocolError, TimePlace};

use crate::ProfileDocument;
use crate::kinds::pattern_error;

/// Most rows of an answer.
pub(super) const MOST_ROWS: u32 = 10_000;

/// Whether a text is among those that are asked for.
pub(super) fn wanted(filter: &str) -> Result<impl Fn(&str) -> bool, ProtocolError> {
    let pattern = match filter {
        "" => None,
        text => Some(Pattern::typed(text).map_err(pattern_error)?),
    };
    Ok(move |name: &str| pattern.as_ref().is_none_or(|pattern| pattern.is_match(name)))
}

/// As many of some rows as are wanted, the other way round where that is.
pub(super) fn taken<T>(mut rows: Vec<T>, reverse: bool, limit: u32) -> Vec<T> {
    if reverse {
        rows.reverse();
    }
    rows.truncate(limit.min(MOST_ROWS) as usize);
    rows
}

/// A time after the first one.
pub(super) fn after(origin: i64, time: i64) -> f64 {
    (i128::from(time) - i128::from(origin)) as f64
}

/// A stretch of a member's time on a track, with the row of a span.
pub(super) fn place_of(
    document: &ProfileDocument,
    origin: i64,
    (member, track, span): (MemberId, Option<TrackId>, Option<usize>),
    times: [i64; 2],
) -> TimePlace {
    let profile = document.profile();
    let [begin, end] = times.map(|time| profile.timeline.on_axis(member, time));
    let row = track
        .zip(span)
        .and_then(|(track, span)| document.charts().of_track(profile, track).row_of(span));
    TimePlace {
        track: track.map(|track| track.0),
        row: row.map(|row| row as u32),
        span: span.map_or(0, |span| span as u32 + 1),
        begin: after(origin, begin),
        length: after(begin, end),
        lasts: after(times[0], times[1]),
    }
}

/// What the colours of spans decide from.
pub(super) fn colours_of(document: &ProfileDocument) -> impl Fn(usize) -> u32 {
    let keys = document.keys(Granularity::Function);
    move |span: usize| {
        let profile = document.profile();
        let context = profile.points.context[profile.timeline.spans.point(span).index()];
        let frame = profile.frames_of(context).next_back().map(FrameId);
        frame.map_or(0, |frame| document.appearance().of_key(profile, &keys, keys.key(frame)).0)
    }
}
