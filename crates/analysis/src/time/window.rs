//! Which time counts, on each thread.

use std::collections::{BTreeSet, HashMap, HashSet};

use profile::{
    ContextId, LocationId, MemberId, ProcessId, Profile, Span, StringId, ThreadId, Track, TrackId,
    TrackKind,
};
use work::steps;

use super::Intervals;

/// A member, and a thread of it or what is on none.
type Place = (MemberId, Option<ThreadId>);

/// The time that filters leave, by member and thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// What counts everywhere.
    everywhere: Intervals,
    /// What counts in places; in threads that are not here, what counts where none is named. Nothing where
    /// all places are equal.
    of_place: HashMap<Place, Intervals>,
    /// Whether threads have times of their own.
    is_by_thread: bool,
}

impl Window {
    /// The same for all threads.
    pub fn everywhere(intervals: Intervals) -> Window {
        Window { everywhere: intervals, of_place: HashMap::new(), is_by_thread: false }
    }

    /// Stretches of the axis that members share.
    pub fn on_axis(profile: &Profile, intervals: Intervals) -> Window {
        let of_member = |(number, clock): (usize, &profile::Clock)| {
            let own = intervals.iter().map(|ends| ends.map(|time| clock.own(time)));
            ((MemberId(number as u32), None), Intervals::new(own.collect()))
        };
        let of_place = profile.timeline.clocks.iter().enumerate().map(of_member).collect();
        Window { everywhere: intervals, of_place, is_by_thread: false }
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
        let mut stretches: HashMap<Place, Vec<[i64; 2]>> =
            places(profile).into_iter().map(|place| (place, vec![])).collect();
        let mut of_process: HashMap<(MemberId, Option<ProcessId>), Vec<[i64; 2]>> = HashMap::new();
        for (number, track) in profile.timeline.tracks.iter().enumerate() {
            let own = Intervals::new(chosen(TrackId(number as u32)));
            if own.is_empty() {
                continue;
            }
            let both = BTreeSet::from([None, track.thread]);
            for thread in both {
                stretches.entry((track.member, thread)).or_default().extend(own.iter());
            }
            let is_of_one = track.kind != TrackKind::Lane && track.kind != TrackKind::Process;
            if track.thread.is_none() || !is_of_one {
                let process = of_process.entry((track.member, track.process)).or_default();
                process.extend(own.iter());
            }
        }
        // Those of no process are meant for all threads.
        let of_process: HashMap<_, Intervals> =
            of_process.into_iter().map(|(process, all)| (process, Intervals::new(all))).collect();
        for ((member, thread), stretches) in &mut stretches {
            let Some(thread) = thread else { continue };
            let process = profile.threads[thread.index()].process;
            let shared = BTreeSet::from([None, process]);
            let shared = shared.iter().filter_map(|process| of_process.get(&(*member, *process)));
            stretches.extend(shared.flat_map(Intervals::iter));
        }
        let of_place =
            stretches.into_iter().map(|(place, all)| (place, Intervals::new(all))).collect();
        Window { everywhere: Intervals::all(), of_place, is_by_thread: true }
    }

    /// What both leave.
    pub fn and(&self, other: &Window) -> Window {
        let everywhere = self.everywhere.and(&other.everywhere);
        let places: HashSet<Place> =
            self.of_place.keys().chain(other.of_place.keys()).copied().collect();
        let both = |(member, thread): Place| self.of(member, thread).and(other.of(member, thread));
        let of_place = places.into_iter().map(|place| (place, both(place))).collect();
        let is_by_thread = self.is_by_thread || other.is_by_thread;
        Window { everywhere, of_place, is_by_thread }
    }

    /// What of a span on a track counts: its begin and end in the window, with how many nanoseconds of it
    /// count. Nothing if none of it does.
    pub fn clip(&self, track: &Track, span: &Span) -> Option<[i64; 3]> {
        let inside = self.of(track.member, track.thread);
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

    /// What counts on one thread at least, or where none is named, on the axis that members share.
    pub fn on_any(&self, profile: &Profile) -> Intervals {
        if self.of_place.is_empty() {
            return self.everywhere.clone();
        }
        let on_axis = |((member, _), intervals): (&Place, &Intervals)| {
            let member = *member;
            let ends = intervals.iter();
            let ends =
                ends.map(move |ends| ends.map(|time| profile.timeline.on_axis(member, time)));
            ends.collect::<Vec<_>>()
        };
        Intervals::new(self.of_place.iter().flat_map(on_axis).collect())
    }

    /// Whether threads have times of their own.
    pub fn is_by_thread(&self) -> bool {
        self.is_by_thread
    }

    /// Whether nothing is chosen, on no thread.
    pub fn is_empty(&self) -> bool {
        if self.of_place.is_empty() {
            self.everywhere.is_empty()
        } else {
            self.of_place.values().all(Intervals::is_empty)
        }
    }

    /// What counts on a thread of a member, or where none is named.
    pub fn of(&self, member: MemberId, thread: Option<ThreadId>) -> &Intervals {
        if self.of_place.is_empty() {
            return &self.everywhere;
        }
        let of = |thread| self.of_place.get(&(member, thread));
        of(thread).or_else(|| of(None)).unwrap_or(&self.everywhere)
    }
}

/// The threads that members have, and of each member what is on none.
pub(super) fn places(profile: &Profile) -> HashSet<Place> {
    let points = &profile.points;
    let mut all: HashSet<Place> = HashSet::new();
    // Points of a member mostly stand together.
    let mut last: Vec<Option<MemberId>> = vec![None; profile.threads.len() + 1];
    let mut see = |member: MemberId, thread: Option<ThreadId>| {
        let slot = thread.map_or(0, |thread| thread.index() + 1);
        if last[slot] != Some(member) {
            last[slot] = Some(member);
            all.insert((member, thread));
        }
    };
    for track in &profile.timeline.tracks {
        see(track.member, track.thread);
        see(track.member, None);
    }
    for point in steps("looking for threads", 0..points.len()) {
        see(points.member(point), points.thread(point));
    }
    all
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
