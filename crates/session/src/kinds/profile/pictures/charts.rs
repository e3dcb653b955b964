//! What is worked out of a timeline and kept: its extent, charts of tracks, spans that were searched for.

use std::sync::Arc;

use analysis::{FrameKey, FrameKeys, TrackChart, recorded_time};
use profile::{ContextId, FrameId, TrackId};
use work::steps;

use crate::kept::Question;
use crate::kinds::profile::document::profile_document::ProfileDocument;

#[derive(PartialEq, Eq, Hash)]
struct ChartOf(TrackId);

impl Question for ChartOf {
    type Answer = TrackChart;
    const KEPT: usize = 512;
}

/// The chart of a track.
pub(crate) fn chart_of_track(document: &ProfileDocument, track: TrackId) -> Arc<TrackChart> {
    document.kept().made(ChartOf(track), || TrackChart::new(document.profile(), track))
}

#[derive(PartialEq, Eq, Hash)]
struct SpansFound(String);

impl Question for SpansFound {
    type Answer = Vec<u32>;
    const KEPT: usize = 2;
}

/// The spans that match a search, by begin; `make` finds them.
pub(crate) fn found_spans(
    document: &ProfileDocument,
    search: &str,
    make: impl FnOnce() -> Vec<u32>,
) -> Arc<Vec<u32>> {
    document.kept().made(SpansFound(search.to_owned()), make)
}

#[derive(PartialEq, Eq, Hash)]
struct InnermostKeys;

impl Question for InnermostKeys {
    type Answer = Innermost;
    const KEPT: usize = 1;
}

/// By context, the key of its innermost frame among those of functions; [`u32::MAX`] without one. Bars
/// are many and their contexts far from each other, so all are found at once.
pub(crate) struct Innermost(Vec<u32>);

impl Innermost {
    /// Those of a document.
    pub(crate) fn new(document: &ProfileDocument, keys: &FrameKeys) -> Arc<Innermost> {
        let profile = document.profile();
        document.kept().made(InnermostKeys, || {
            let key = |context| {
                let frame = profile.frames_of(ContextId(context)).next_back();
                frame.map_or(u32::MAX, |frame| keys.key(FrameId(frame)).0)
            };
            let contexts = steps("naming spans", 0..profile.contexts.len() as u32);
            Innermost(contexts.map(key).collect())
        })
    }

    /// That of a context.
    pub(crate) fn key(&self, context: ContextId) -> Option<FrameKey> {
        let known = self.0.get(context.index()).copied().filter(|&key| key != u32::MAX);
        known.map(FrameKey)
    }
}

#[derive(PartialEq, Eq, Hash)]
struct Extent;

impl Question for Extent {
    type Answer = Option<[i64; 2]>;
    const KEPT: usize = 1;
}

/// The first and the last time of anything; nothing where nothing has a time.
pub(crate) fn extent(document: &ProfileDocument) -> Option<[i64; 2]> {
    let profile = document.profile();
    *document.kept().made(Extent, || {
        // Lengths of several recordings add up, though they stand beside each other.
        if !profile.timeline.clocks.is_empty() || profile.members.len() > 1 {
            return recorded_time(profile);
        }
        let points = &profile.points;
        let of_points = points.first_time().zip(points.last_time());
        let of_points = of_points.map(|(first, last)| {
            // Where samples have a length, the last one of all lasts a little longer.
            let end = first.saturating_add(profile.origin.duration_ns.max(0));
            [first, if profile.timeline.spans.is_empty() { last.max(end) } else { last }]
        });
        match (of_points, profile.timeline.extent()) {
            (Some([first, last]), Some([begin, end])) => Some([first.min(begin), last.max(end)]),
            (one, other) => one.or(other),
        }
    })
}
