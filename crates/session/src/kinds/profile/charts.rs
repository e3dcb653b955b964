//! What was worked out of a timeline, kept for the next request.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, OnceLock};

use analysis::{
    Concurrency, CriticalPath, EventIndex, Filter, FrameKey, FrameKeys, SpanGaps, SpanStatistics,
    ThreadStateTime, TrackChart, recorded_time,
};
use lru::LruCache;
use profile::{ContextId, FrameId, MemberId, Profile, TrackId};
use work::steps;

use super::correlate::RoleOptions;
use super::document::ViewOptions;
use crate::lock;

/// Most tracks whose charts are kept.
const MOST_CHARTS: NonZeroUsize = NonZeroUsize::new(512).unwrap();
/// Most searches whose spans are kept.
const MOST_FOUND: NonZeroUsize = NonZeroUsize::new(2).unwrap();

/// Most filters whose lists are kept.
const MOST_LISTS: NonZeroUsize = NonZeroUsize::new(4).unwrap();

/// Charts of tracks, spans that were searched for, and lists of what filters leave.
#[derive(Debug)]
pub(crate) struct Charts {
    of_track: Mutex<LruCache<TrackId, Arc<TrackChart>>>,
    found: Mutex<LruCache<String, Arc<Vec<u32>>>>,
    /// Spans by name.
    pub(crate) statistics: Lists<Vec<SpanStatistics>>,
    /// Gaps by name.
    pub(crate) gaps: Lists<Vec<SpanGaps>>,
    /// How much was open at once.
    pub(crate) concurrency: Lists<Vec<Concurrency>>,
    /// States of threads.
    pub(crate) states: Lists<Vec<ThreadStateTime>>,
    /// The critical path.
    pub(crate) path: Lists<Option<CriticalPath>>,
    extent: OnceLock<Option<[i64; 2]>>,
    /// By member, the one before it that is the same recording.
    pub(crate) copies: OnceLock<Vec<Option<MemberId>>>,
    /// Samples by place and time; none where too few share a place.
    pub(crate) events: OnceLock<Option<EventIndex>>,
    /// By context, the key of its innermost function; [`u32::MAX`] without one.
    innermost: OnceLock<Vec<u32>>,
}

/// What the last few filters left.
#[derive(Debug)]
pub(crate) struct Lists<T>(Mutex<LruCache<Kept, Arc<T>>>);

/// What decides which points a list is of: filters, whether the profile's own apply, and the chosen role.
type Kept = (Vec<Filter>, bool, Option<RoleOptions>);

impl<T> Default for Lists<T> {
    fn default() -> Lists<T> {
        Lists(Mutex::new(LruCache::new(MOST_LISTS)))
    }
}

impl<T> Lists<T> {
    /// What a view keeps.
    ///
    /// # Errors
    /// Those of `make`, which is asked where it is not known.
    pub(crate) fn of<E>(
        &self,
        view: &ViewOptions,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let kept = (view.filters.clone(), view.drop_frames, view.role.clone());
        if let Some(known) = lock(&self.0).get(&kept) {
            return Ok(known.clone());
        }
        let made = Arc::new(make()?);
        lock(&self.0).put(kept, made.clone());
        Ok(made)
    }
}

impl Default for Charts {
    fn default() -> Charts {
        Charts {
            of_track: Mutex::new(LruCache::new(MOST_CHARTS)),
            found: Mutex::new(LruCache::new(MOST_FOUND)),
            statistics: Lists::default(),
            gaps: Lists::default(),
            concurrency: Lists::default(),
            states: Lists::default(),
            path: Lists::default(),
            extent: OnceLock::new(),
            copies: OnceLock::new(),
            events: OnceLock::new(),
            innermost: OnceLock::new(),
        }
    }
}

impl Charts {
    /// The chart of a track.
    pub(crate) fn of_track(&self, profile: &Profile, track: TrackId) -> Arc<TrackChart> {
        if let Some(known) = lock(&self.of_track).get(&track) {
            return known.clone();
        }
        let chart = Arc::new(TrackChart::of(profile, track));
        lock(&self.of_track).put(track, chart.clone());
        chart
    }

    /// The spans that match, by begin.
    pub(crate) fn found(&self, search: &str, make: impl FnOnce() -> Vec<u32>) -> Arc<Vec<u32>> {
        if let Some(known) = lock(&self.found).get(search) {
            return known.clone();
        }
        let made = Arc::new(make());
        lock(&self.found).put(search.to_owned(), made.clone());
        made
    }

    /// The key of a context's innermost frame among those of functions: known beforehand, as bars are many
    /// and far from each other.
    pub(crate) fn innermost(
        &self,
        profile: &Profile,
        keys: &FrameKeys,
        context: ContextId,
    ) -> Option<FrameKey> {
        let of_contexts = self.innermost.get_or_init(|| {
            let key = |context| {
                let frame = profile.frames_of(ContextId(context)).next_back();
                frame.map_or(u32::MAX, |frame| keys.key(FrameId(frame)).0)
            };
            steps("naming spans", 0..profile.contexts.len() as u32).map(key).collect()
        });
        let known = of_contexts.get(context.index()).copied().filter(|&key| key != u32::MAX);
        known.map(FrameKey)
    }

    /// The first and the last time of anything; nothing where nothing has a time.
    pub(crate) fn extent(&self, profile: &Profile) -> Option<[i64; 2]> {
        *self.extent.get_or_init(|| {
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
                (Some([first, last]), Some([begin, end])) => {
                    Some([first.min(begin), last.max(end)])
                }
                (one, other) => one.or(other),
            }
        })
    }
}
