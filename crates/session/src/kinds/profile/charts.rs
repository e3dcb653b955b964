//! What was worked out of a timeline, kept for the next request.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, OnceLock};

use analysis::{Filter, Filtered, SpanStatistics, TrackChart, recorded_time, span_statistics};
use lru::LruCache;
use profile::{Profile, TrackId};

use crate::lock;

/// Most tracks whose charts are kept.
const MOST_CHARTS: NonZeroUsize = NonZeroUsize::new(512).unwrap();
/// Most searches whose spans are kept.
const MOST_FOUND: NonZeroUsize = NonZeroUsize::new(2).unwrap();

/// Most filters whose statistics are kept.
const MOST_STATISTICS: NonZeroUsize = NonZeroUsize::new(4).unwrap();

/// Charts of tracks, and spans that were searched for.
#[derive(Debug)]
pub(crate) struct Charts {
    of_track: Mutex<LruCache<TrackId, Arc<TrackChart>>>,
    found: Mutex<LruCache<String, Arc<Vec<u32>>>>,
    statistics: Mutex<LruCache<Vec<Filter>, Arc<Vec<SpanStatistics>>>>,
    extent: OnceLock<Option<[i64; 2]>>,
}

impl Default for Charts {
    fn default() -> Charts {
        Charts {
            of_track: Mutex::new(LruCache::new(MOST_CHARTS)),
            found: Mutex::new(LruCache::new(MOST_FOUND)),
            statistics: Mutex::new(LruCache::new(MOST_STATISTICS)),
            extent: OnceLock::new(),
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

    /// Spans by name, as `filters` leave them.
    pub(crate) fn statistics(
        &self,
        filters: &[Filter],
        filtered: &Filtered,
    ) -> Arc<Vec<SpanStatistics>> {
        if let Some(known) = lock(&self.statistics).get(filters) {
            return known.clone();
        }
        let made = Arc::new(span_statistics(filtered));
        lock(&self.statistics).put(filters.to_vec(), made.clone());
        made
    }

    /// The first and the last time of anything; nothing where nothing has a time.
    pub(crate) fn extent(&self, profile: &Profile) -> Option<[i64; 2]> {
        *self.extent.get_or_init(|| {
            if !profile.timeline.clocks.is_empty() {
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
