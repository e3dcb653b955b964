//! What tracks hold.

use std::collections::HashMap;

use profile::{MemberId, ThreadId, TrackId, TrackKind};
use work::steps;

use super::Intervals;
use super::cut::Running;
use crate::Filtered;

/// What happened on a track itself, without those under it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TrackSummary {
    /// Spans whose points the filters keep.
    pub spans: u64,
    /// The sum of their lengths that count, in nanoseconds: what runs inside of another one counts in both.
    pub total: i64,
    /// Nanoseconds in which one of them ran at least; of a thread also one of those beside them, which overlap
    /// them ([`profile::Timeline::beside`]). Where there are samples and no spans, what the thread ran, if they tell.
    pub busy: i64,
    /// Samples of the track's thread that have a time and that the filters keep; none on other kinds.
    pub samples: u64,
    /// Instants.
    pub marks: u64,
    /// Series of values.
    pub counters: u64,
    /// The first and the last time of all of these, on the axis that members share.
    pub extent: Option<[i64; 2]>,
}

impl TrackSummary {
    fn widen(&mut self, [first, last]: [i64; 2]) {
        self.extent = Some(match self.extent {
            Some(known) => [known[0].min(first), known[1].max(last)],
            None => [first, last],
        });
    }
}

/// Of all tracks, in their order. Marks have no point: of filters, only those of time leave any out;
/// counters stay.
pub fn track_summaries(filtered: &Filtered) -> Vec<TrackSummary> {
    let profile = filtered.profile();
    let timeline = &profile.timeline;
    let mut all = vec![TrackSummary::default(); timeline.tracks.len()];
    let samples = samples(filtered);
    for (number, summary) in all.iter_mut().enumerate() {
        let (track, of) = (TrackId(number as u32), &timeline.tracks[number]);
        let mut busy_until = i64::MIN;
        for row in steps("looking at tracks", timeline.spans.of_track(track)) {
            let span = timeline.spans.get(row);
            let Some([begin, end, length]) = filtered.clip(of, row, &span) else { continue };
            summary.spans += 1;
            summary.widen([begin, end]);
            if span.is_unfinished {
                continue;
            }
            summary.total = summary.total.saturating_add(length);
            let busy = match filtered.window() {
                Some(window) => {
                    window.of(of.member, of.thread).length_between(begin.max(busy_until), end)
                }
                None => end.saturating_sub(begin.max(busy_until)).max(0),
            };
            summary.busy = summary.busy.saturating_add(busy);
            busy_until = busy_until.max(end);
        }
        for row in timeline.marks.of_track(track) {
            let time = timeline.marks.get(track, row).time;
            if !filtered.keeps_time(of, time) {
                continue;
            }
            summary.marks += 1;
            summary.widen([time, time]);
        }
        let own = samples.get(&(of.thread, of.member)).filter(|_| of.kind == TrackKind::Thread);
        if let Some(&Samples { count, extent, running }) = own {
            summary.samples = count;
            summary.widen(extent);
            if summary.spans == 0 {
                summary.busy = running;
            }
        }
    }
    for (base, busy) in busy_with_lanes(filtered) {
        all[base.index()].busy = busy;
    }
    for counter in &timeline.counters {
        let summary = &mut all[counter.track.index()];
        summary.counters += 1;
        if let (Some(&first), Some(&last)) = (counter.times.first(), counter.times.last()) {
            summary.widen([first, last]);
        }
    }
    if !timeline.clocks.is_empty() {
        for (number, summary) in all.iter_mut().enumerate() {
            let on_axis = |time| timeline.track_on_axis(TrackId(number as u32), time);
            summary.extent = summary.extent.map(|ends| ends.map(on_axis));
        }
    }
    all
}

/// Nanoseconds in which threads are busy whose spans stand on several tracks, by the first of these.
fn busy_with_lanes(filtered: &Filtered) -> Vec<(TrackId, i64)> {
    let timeline = &filtered.profile().timeline;
    let mut lanes = HashMap::<TrackId, Vec<TrackId>>::new();
    for track in (0..timeline.tracks.len() as u32).map(TrackId) {
        // Lanes may stand beside lanes; each hop leads to a track before.
        let mut base = track;
        while let Some(next) = timeline.beside(base).filter(|next| *next < base) {
            base = next;
        }
        if base != track {
            lanes.entry(base).or_default().push(track);
        }
    }
    let busy = |base: TrackId, lanes: Vec<TrackId>| {
        let mut parts = vec![];
        for track in std::iter::once(base).chain(lanes) {
            let of = &timeline.tracks[track.index()];
            for row in steps("looking at tracks", timeline.spans.of_track(track)) {
                let span = timeline.spans.get(row);
                let Some([begin, end, _]) = filtered.clip(of, row, &span) else { continue };
                if !span.is_unfinished {
                    parts.push([begin, end]);
                }
            }
        }
        let of = &timeline.tracks[base.index()];
        let window = filtered.window().map(|window| window.of(of.member, of.thread));
        let length = |[begin, end]: [i64; 2]| match &window {
            Some(window) => window.length_between(begin, end),
            None => end.saturating_sub(begin),
        };
        Intervals::new(parts).iter().map(length).fold(0, i64::saturating_add)
    };
    lanes.into_iter().map(|(base, lanes)| (base, busy(base, lanes))).collect()
}

/// Samples of a thread that have a time and that the filters keep.
#[derive(Debug, Clone, Copy)]
struct Samples {
    count: u64,
    /// The first and the last time.
    extent: [i64; 2],
    /// Nanoseconds in which the thread ran; 0 where nothing tells.
    running: i64,
}

fn samples(filtered: &Filtered) -> HashMap<(Option<ThreadId>, MemberId), Samples> {
    let points = &filtered.profile().points;
    let mut all = HashMap::new();
    if !points.has_times() {
        return all;
    }
    let running = Running::new(filtered.profile());
    for point in steps("counting samples", 0..points.len()) {
        let Some(time) = points.time(point).filter(|_| filtered.keeps_point(point)) else {
            continue;
        };
        let key = (points.thread(point), points.member(point));
        let new = Samples { count: 0, extent: [time; 2], running: 0 };
        let of: &mut Samples = all.entry(key).or_insert(new);
        of.count += 1;
        of.extent = [of.extent[0].min(time), of.extent[1].max(time)];
        let ran = running.map_or(0, |running| running.of_row(filtered.row(point)));
        of.running = of.running.saturating_add(ran);
    }
    all
}

/// Tracks in the order in which they are shown, each with how deep it is: children behind their
/// parents, recording by recording, by their own order.
pub fn shown_tracks(profile: &profile::Profile) -> Vec<(TrackId, u32)> {
    let tracks = &profile.timeline.tracks;
    let mut children: Vec<Vec<TrackId>> = vec![vec![]; tracks.len()];
    let mut roots = vec![];
    for (number, track) in tracks.iter().enumerate() {
        let siblings = match track.parent {
            Some(parent) => &mut children[parent.index()],
            None => &mut roots,
        };
        siblings.push(TrackId(number as u32));
    }
    let sort = |all: &mut Vec<TrackId>| {
        all.sort_by_key(|track| {
            let track = &tracks[track.index()];
            // What is asynchronous stands behind the threads of its process.
            (track.member, track.order, track.kind == TrackKind::Lane)
        });
    };
    sort(&mut roots);
    children.iter_mut().for_each(sort);
    let mut shown = vec![];
    let mut open: Vec<(TrackId, u32)> = roots.into_iter().rev().map(|root| (root, 0)).collect();
    while let Some((track, depth)) = open.pop() {
        shown.push((track, depth));
        open.extend(children[track.index()].iter().rev().map(|child| (*child, depth + 1)));
    }
    shown
}
