//! Which time counts, on each thread.

use std::collections::{HashMap, HashSet};

use profile::{
    ContextId, LocationId, ProcessId, Profile, Span, StringId, ThreadId, Track, TrackId, TrackKind,
};
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
        let spans = &profile.timeline.spans;
        Window::of_tracks(profile, |track| {
            let rows = steps("finding spans", spans.of_track(track));
            let meant = rows
                .filter(|&row| is_inside[profile.points.context[spans.point(row).index()].index()]);
            let span = |row| spans.get(row);
            meant.map(span).map(|span| [span.begin, span.end()]).collect()
        })
    }

    /// The time around marks of some kinds, from `margin` nanoseconds before each up to as many behind
    /// it: on their own thread; of marks on no thread, on all threads of their process.
    pub fn around(profile: &Profile, kinds: &HashSet<StringId>, margin: i64) -> Window {
        let marks = &profile.timeline.marks;
        Window::of_tracks(profile, |track| {
            let rows = steps("finding marks", marks.of_track(track));
            let meant =
                rows.map(|row| marks.get(track, row)).filter(|mark| kinds.contains(&mark.kind));
            let stretch = |time: i64| [time.saturating_sub(margin), time.saturating_add(margin)];
            meant.map(|mark| stretch(mark.time)).collect()
        })
    }

    /// Stretches that tracks choose, each for its own thread; those of a track of no thread, or of a
    /// lane, for all threads of its process.
    fn of_tracks(profile: &Profile, chosen: impl Fn(TrackId) -> Vec<[i64; 2]>) -> Window {
        let threads = profile.threads.len();
        let mut stretches: Vec<Vec<[i64; 2]>> = vec![vec![]; threads + 1];
        let mut of_process: HashMap<Option<ProcessId>, Vec<[i64; 2]>> = HashMap::new();
        for (number, track) in profile.timeline.tracks.iter().enumerate() {
            let own = Intervals::of(chosen(TrackId(number as u32)));
            if own.is_empty() {
                continue;
            }
            stretches[threads].extend(own.iter());
            if let Some(thread) = track.thread {
                stretches[thread.index()].extend(own.iter());
            }
            let is_of_one = track.kind != TrackKind::Lane && track.kind != TrackKind::Process;
            if track.thread.is_none() || !is_of_one {
                of_process.entry(track.process).or_default().extend(own.iter());
            }
        }
        // Those of no process are meant for all threads.
        let of_process: HashMap<_, Intervals> =
            of_process.into_iter().map(|(process, all)| (process, Intervals::of(all))).collect();
        for (thread, stretches) in stretches[..threads].iter_mut().enumerate() {
            let process = profile.threads[thread].process;
            let both = [None, process];
            let shared = if process.is_none() { &both[..1] } else { &both[..] };
            let shared = shared.iter().filter_map(|process| of_process.get(process));
            stretches.extend(shared.flat_map(Intervals::iter));
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

    /// What counts on one thread at least, or where none is named.
    pub fn on_any(&self) -> Intervals {
        match &self.of_thread[..] {
            [] => self.everywhere.clone(),
            some => Intervals::of(some.iter().flat_map(Intervals::iter).collect()),
        }
    }

    /// Whether threads have times of their own.
    pub fn is_by_thread(&self) -> bool {
        !self.of_thread.is_empty()
    }

    /// Whether nothing is chosen, on no thread.
    pub fn is_empty(&self) -> bool {
        match &self.of_thread[..] {
            [] => self.everywhere.is_empty(),
            some => some.iter().all(Intervals::is_empty),
        }
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
