//! Which time counts, on each thread.

use profile::{ContextId, LocationId, Profile, Span, ThreadId, Track, TrackId, TrackKind};
use work::steps;

use super::Intervals;

/// The time that filters leave, by thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// What counts everywhere.
    everywhere: Intervals,
    /// By thread, what counts there; at the end what counts where no thread is named. Nothing where
    /// all threads are equal.
    of_thread: Vec<Intervals>,
}

impl Window {
    /// The same for all threads.
    pub fn everywhere(intervals: Intervals) -> Window {
        Window { everywhere: intervals, of_thread: vec![] }
    }

    /// The time inside spans of some contexts: on their own thread; of spans on no thread, or on a
    /// lane, on all threads of their process.
    pub fn during(profile: &Profile, is_inside: &[bool]) -> Window {
        let timeline = &profile.timeline;
        let threads = profile.threads.len();
        let mut stretches: Vec<Vec<[i64; 2]>> = vec![vec![]; threads + 1];
        for (number, track) in timeline.tracks.iter().enumerate() {
            let mut own = vec![];
            for row in steps("finding spans", timeline.spans.of_track(TrackId(number as u32))) {
                let point = timeline.spans.point(row);
                if is_inside[profile.points.context[point.index()].index()] {
                    let span = timeline.spans.get(row);
                    own.push([span.begin, span.end()]);
                }
            }
            if own.is_empty() {
                continue;
            }
            let own = Intervals::of(own);
            let is_of_one = track.kind != TrackKind::Lane && track.kind != TrackKind::Process;
            for (thread, stretches) in stretches.iter_mut().enumerate() {
                let id = (thread < threads).then_some(ThreadId(thread as u32));
                let process = id.and_then(|id| profile.threads[id.index()].process);
                let is_meant = match id {
                    None => true,
                    Some(id) if Some(id) == track.thread => true,
                    Some(_) if is_of_one && track.thread.is_some() => false,
                    Some(_) => track.process.is_none() || process == track.process,
                };
                if is_meant {
                    stretches.extend(own.iter());
                }
            }
        }
        let of_thread = stretches.into_iter().map(Intervals::of).collect();
        Window { everywhere: Intervals::all(), of_thread }
    }

    /// What both leave.
    pub fn and(&self, other: &Window) -> Window {
        let everywhere = self.everywhere.and(&other.everywhere);
        let of_thread = match (&self.of_thread[..], &other.of_thread[..]) {
            ([], []) => vec![],
            ([], some) => some.iter().map(|one| one.and(&everywhere)).collect(),
            (some, []) => some.iter().map(|one| one.and(&everywhere)).collect(),
            (some, others) => {
                some.iter().zip(others).map(|(one, two)| one.and(two).and(&everywhere)).collect()
            }
        };
        Window { everywhere, of_thread }
    }

    /// What of a span on a track counts: its begin and end in the window, with how many nanoseconds of it
    /// count. Nothing if none of it does.
    pub fn clip(&self, track: &Track, span: &Span) -> Option<[i64; 3]> {
        let inside = self.of(track.thread);
        let mut parts = inside.between(span.begin, span.end());
        let Some([begin, end]) = parts.next() else {
            let is_instant = span.length == 0 && inside.contains(span.begin);
            return is_instant.then_some([span.begin, span.begin, 0]);
        };
        let mut all = [begin, end, end.saturating_sub(begin)];
        for [begin, end] in parts {
            all[1] = end;
            all[2] = all[2].saturating_add(end.saturating_sub(begin));
        }
        Some(all)
    }

    /// What counts on a thread, or where none is named.
    pub fn of(&self, thread: Option<ThreadId>) -> &Intervals {
        let place = thread.map_or(self.of_thread.len().saturating_sub(1), ThreadId::index);
        self.of_thread.get(place).unwrap_or(&self.everywhere)
    }
}

/// By context, whether one of its own frames is marked.
pub(crate) fn contexts_of(profile: &Profile, frames: &[bool]) -> Vec<bool> {
    let locations: Vec<bool> = (0..profile.locations.len() as u32)
        .map(|location| {
            profile.locations.frames(LocationId(location)).any(|frame| frames[frame as usize])
        })
        .collect();
    (0..profile.contexts.len() as u32)
        .map(|context| {
            let location = profile.contexts.location(ContextId(context));
            location.is_some_and(|location| locations[location.index()])
        })
        .collect()
}
