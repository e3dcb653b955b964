//! What lists of the timeline have in common: texts to filter by, places and colours.

use std::cell::LazyCell;

use analysis::{Granularity, Pattern};
use profile::{FrameId, MemberId, TrackId};
use protocol::{ProtocolError, TimePlace};

use super::super::{ProfileDocument, answers};
use crate::kinds::pattern_error;
use crate::kinds::profile::pictures::appearance::appearance;
use crate::kinds::profile::pictures::charts::{chart_of_track, extent};
use crate::kinds::profile::trees::views::frame_keys;

/// Whether a text matches `filter`. An empty filter matches all.
pub(super) fn matcher(filter: &str) -> Result<impl Fn(&str) -> bool, ProtocolError> {
    let pattern = match filter {
        "" => None,
        text => Some(Pattern::search(text).map_err(pattern_error)?),
    };
    Ok(move |name: &str| pattern.as_ref().is_none_or(|pattern| pattern.is_match(name)))
}

/// The first time of the profile, on the axis of the timeline.
///
/// # Errors
/// If nothing has a time.
pub(super) fn origin_of(document: &ProfileDocument) -> Result<i64, ProtocolError> {
    let extent = extent(document);
    Ok(extent.ok_or_else(|| answers::untimed(document))?[0])
}

/// A time after the first one.
pub(in super::super) fn after(origin: i64, time: i64) -> f64 {
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
    let row =
        track.zip(span).and_then(|(track, span)| chart_of_track(document, track).row_of(span));
    TimePlace {
        track: track.map(|track| track.0),
        row: row.map(|row| row as u32),
        span: span.map_or(0, |span| span as u32 + 1),
        begin: after(origin, begin),
        length: after(begin, end),
        lasts: after(times[0], times[1]),
    }
}

/// The place of a span.
pub(super) fn place_of_span(
    document: &ProfileDocument,
    origin: i64,
    (row, track): (usize, TrackId),
) -> TimePlace {
    let timeline = &document.profile().timeline;
    let span = timeline.spans.get(row);
    let member = timeline.tracks[track.index()].member;
    place_of(document, origin, (member, Some(track), Some(row)), [span.begin, span.end()])
}

/// What the colours of spans are decided from.
pub(super) fn colours_of(document: &ProfileDocument) -> impl Fn(usize) -> u32 {
    // Only where somebody sees them.
    let keys = LazyCell::new(|| frame_keys(document, Granularity::Function));
    move |span: usize| {
        let profile = document.profile();
        let context = profile.points.context[profile.timeline.spans.point(span).index()];
        let frame = profile.frames_of(context).next_back().map(FrameId);
        frame.map_or(0, |frame| appearance(document).of_key(profile, &keys, keys.key(frame)).0)
    }
}
