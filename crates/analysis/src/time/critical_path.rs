//! What a span waited for, and what that waited for in turn.
//!
//! ```text
//! a   |-- request -------------------------------|
//!       \ 1                             / 4
//! b      |-- look up --|       |-- reply --|
//!                  \ 2        / 3
//! c                 |-- read -|
//!
//! path: request until 1 | look up until 2 | read until 3 | reply until 4 | request
//! ```
//! The path is walked backwards, as Yang and Miller do in the graph of a program's activities (Critical
//! Path Analysis for the Execution of Parallel and Distributed Programs, 1988), and Giraldeau and
//! Dagenais with the wake-ups of a kernel (Wait Analysis of Distributed Systems Using Kernel Tracing,
//! 2016): from the end of the span to the last flow that arrived on its track, from there to where the
//! flow left another track, and so on until the span begins. Whatever arrives last is taken to be what
//! was waited for: a trace does not tell whether it really was. Of flows that arrive at once the one that
//! left last counts; those that arrive before they leave, by clocks that differ, do not count, nor do
//! those inside one track. Flows between processors are those of the threads that ran there.

use std::collections::{HashMap, HashSet};

use profile::{FlowEnd, Profile, StringId, ThreadId, TrackId, TrackKind};
use work::steps;

use super::{TrackChart, contexts_of};
use crate::shown::frames_matching;
use crate::{Filter, FilterError, FilterKind, Filtered, Pattern};

/// The way through a span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CriticalPath {
    /// The row of the span.
    pub span: usize,
    /// By time: each begins where the one before it ends, the first with the span, and the last ends
    /// with it.
    pub pieces: Vec<PathPiece>,
    /// Spans on lanes that the filters keep and that were not looked at for the longest.
    pub left_out: u64,
}

/// A part of the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathPiece {
    /// The track; of a flow the one where it arrives.
    pub track: TrackId,
    /// From when on, in nanoseconds.
    pub begin: i64,
    /// Until when.
    pub end: i64,
    /// What happened.
    pub part: PathPart,
}

/// What happened in a part of the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathPart {
    /// A span of this row ran, and none inside it.
    Span(usize),
    /// Nothing ran.
    Waiting,
    /// A flow of this name was under way.
    Flow(StringId),
}

/// The way through one span.
///
/// None if there is no such row.
pub fn critical_path_of(profile: &Profile, row: usize) -> Option<CriticalPath> {
    let tracks = (0..profile.timeline.tracks.len() as u32).map(TrackId);
    let mut tracks = tracks.filter(|&track| profile.timeline.spans.of_track(track).contains(&row));
    Some(Walk::new(profile).through(tracks.next()?, row))
}

/// The way through the longest span of those that filters keep at least in part; with filters of
/// [`FilterKind::During`], of those that they name, else of those that are neither on a processor nor on
/// a lane, if there are any. Nothing if there is none. On a lane, where operations overlap, the span
/// itself is all that runs.
///
/// # Errors
/// If a filter cannot be understood.
pub fn critical_path(
    filtered: &Filtered,
    filters: &[Filter],
) -> Result<Option<CriticalPath>, FilterError> {
    let profile = filtered.profile();
    let mut named = vec![];
    for filter in filters.iter().filter(|filter| filter.kind == FilterKind::During) {
        let pattern = Pattern::typed(&filter.pattern)?;
        named.push(contexts_of(profile, &frames_matching(profile, &pattern)));
    }
    let spans = &profile.timeline.spans;
    let mut on_lanes = 0;
    let mut longest: Option<((bool, i64), TrackId, usize)> = None;
    for (number, of) in profile.timeline.tracks.iter().enumerate() {
        let track = TrackId(number as u32);
        let is_work = !matches!(of.kind, TrackKind::Lane | TrackKind::Processor);
        for row in steps("choosing a span", spans.of_track(track)) {
            let span = spans.get(row);
            let context = profile.points.context[span.point.index()].index();
            let length = if span.is_unfinished { 0 } else { span.length };
            let size = (is_work || !named.is_empty(), length);
            let is_lane = of.kind == TrackKind::Lane;
            let is_longer = longest.is_none_or(|(known, ..)| size > known);
            if (is_longer || is_lane)
                && named.iter().all(|is_named| is_named[context])
                && filtered.clip(of, row, &span).is_some()
            {
                on_lanes += u64::from(is_lane);
                if is_longer {
                    longest = Some((size, track, row));
                }
            }
        }
    }
    Ok(longest.map(|((is_work, _), track, row)| {
        let path = Walk::new(profile).through(track, row);
        let left_out = if is_work && named.is_empty() { on_lanes } else { 0 };
        CriticalPath { left_out, ..path }
    }))
}

/// A flow: when it left which track, and its name.
#[derive(Clone, Copy)]
struct Arrival {
    at: i64,
    left: i64,
    from: TrackId,
    name: StringId,
}

/// What is needed to walk.
struct Walk<'a> {
    profile: &'a Profile,
    /// By track, what arrives there, by time.
    arrivals: HashMap<TrackId, Vec<Arrival>>,
    charts: HashMap<TrackId, TrackChart>,
}

impl<'a> Walk<'a> {
    fn new(profile: &'a Profile) -> Walk<'a> {
        let timeline = &profile.timeline;
        let is_thread = |track: TrackKind| track == TrackKind::Thread;
        let of_threads: HashMap<ThreadId, TrackId> = (0..)
            .map(TrackId)
            .zip(&timeline.tracks)
            .filter(|(_, track)| is_thread(track.kind))
            .filter_map(|(id, track)| Some((track.thread?, id)))
            .collect();
        let mut walk = Walk { profile, arrivals: HashMap::new(), charts: HashMap::new() };
        for flow in steps("looking at flows", &timeline.flows) {
            if flow.is_migration(profile) {
                continue;
            }
            let from = walk.track_of(flow.from, &of_threads);
            let to = walk.track_of(flow.to, &of_threads);
            let (Some(from), Some(to)) = (from, to) else { continue };
            if from != to && flow.from.time <= flow.to.time {
                let (at, left) = (flow.to.time, flow.from.time);
                let arrival = Arrival { at, left, from, name: flow.name };
                walk.arrivals.entry(to).or_default().push(arrival);
            }
        }
        for arrivals in walk.arrivals.values_mut() {
            arrivals.sort_by_key(|arrival| (arrival.at, arrival.left, arrival.from));
        }
        walk
    }

    /// The track of an end of a flow; on a processor that of the thread that ran there last or then.
    fn track_of(&self, end: FlowEnd, threads: &HashMap<ThreadId, TrackId>) -> Option<TrackId> {
        let timeline = &self.profile.timeline;
        if timeline.tracks[end.track.index()].kind != TrackKind::Processor {
            return Some(end.track);
        }
        let rows = timeline.spans.of_track(end.track);
        let (mut first, mut behind) = (rows.start, rows.end);
        while first < behind {
            let middle = first + (behind - first) / 2;
            if timeline.spans.begin(middle) <= end.time {
                first = middle + 1;
            } else {
                behind = middle;
            }
        }
        let span = timeline.spans.get(first.checked_sub(1).filter(|&row| row >= rows.start)?);
        let thread = self.profile.points.thread(span.point.index())?;
        let ran = end.time <= span.end();
        ran.then(|| threads.get(&thread).copied()).flatten()
    }

    fn through(mut self, track: TrackId, row: usize) -> CriticalPath {
        let span = self.profile.timeline.spans.get(row);
        let (begin, end) = (span.begin, span.end());
        let mut pieces = vec![];
        // Flows that take no time could lead round in circles.
        let mut used: HashSet<(TrackId, usize)> = HashSet::new();
        let own_lane = self.profile.timeline.tracks[track.index()].kind == TrackKind::Lane;
        let own_lane = own_lane.then_some((track, row));
        let (mut track, mut at) = (track, end);
        while at > begin {
            let arrivals = self.arrivals.get(&track).map_or(&[][..], Vec::as_slice);
            let behind = arrivals.partition_point(|arrival| arrival.at <= at);
            let last = (0..behind).rev().find(|&place| !used.contains(&(track, place)));
            let last = last.map(|place| (place, arrivals[place]));
            let Some((place, arrival)) = last.filter(|(_, arrival)| arrival.at > begin) else {
                self.add(track, [begin, at], own_lane, &mut pieces);
                break;
            };
            used.insert((track, place));
            self.add(track, [arrival.at, at], own_lane, &mut pieces);
            let left = arrival.left.max(begin);
            if left < arrival.at {
                let part = PathPart::Flow(arrival.name);
                pieces.push(PathPiece { track, begin: left, end: arrival.at, part });
            }
            (track, at) = (arrival.from, left);
        }
        pieces.reverse();
        CriticalPath { span: row, pieces, left_out: 0 }
    }

    /// What ran on a track between two times, the last first.
    fn add(
        &mut self,
        track: TrackId,
        [begin, end]: [i64; 2],
        own_lane: Option<(TrackId, usize)>,
        pieces: &mut Vec<PathPiece>,
    ) {
        if begin >= end {
            return;
        }
        if let Some((_, row)) = own_lane.filter(|(lane, _)| *lane == track) {
            pieces.push(PathPiece { track, begin, end, part: PathPart::Span(row) });
            return;
        }
        let profile = self.profile;
        let chart =
            self.charts.entry(track).or_insert_with(|| TrackChart::of_spans(profile, track));
        let mut found: Vec<(i64, usize, i64, usize)> = vec![];
        for (depth, row) in (0..chart.rows()).filter_map(|depth| Some((depth, chart.row(depth)?))) {
            let from = row.edge(profile, begin, None);
            let to = row.edge(profile, end, Some(from));
            let first = row.first_behind(profile, 0, from);
            let last = row.first_from(first, to);
            for place in first..last {
                let [from, to] = row.times(profile, place);
                let span = row.span(place).unwrap_or_default();
                found.push((from.max(begin), depth, to.min(end), span));
            }
        }
        found.sort_unstable();
        // What is open, innermost last; below all of it nothing runs.
        let mut open: Vec<(i64, PathPart)> = vec![(end, PathPart::Waiting)];
        let mut own: Vec<PathPiece> = vec![];
        let mut at = begin;
        let mut close = |open: &mut Vec<(i64, PathPart)>, until: i64| {
            while let Some(&(ends, part)) = open.last() {
                let to = ends.min(until);
                if to > at {
                    own.push(PathPiece { track, begin: at, end: to, part });
                    at = to;
                }
                if ends > until || open.len() == 1 {
                    break;
                }
                open.pop();
            }
        };
        for (from, _, to, span) in found {
            close(&mut open, from);
            open.push((to, PathPart::Span(span)));
        }
        close(&mut open, end);
        own.reverse();
        pieces.extend(own);
    }
}
