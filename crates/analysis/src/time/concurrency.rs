//! How much happened at once.

use std::collections::{BTreeMap, HashMap};

use profile::{MemberId, ProcessId, StringId, TrackId, TrackKind};
use work::steps;

use super::span_statistics::{Key, key_of};
use super::{Intervals, recorded_time, recorded_times};
use crate::Filtered;

/// What was open at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConcurrencyOf {
    /// Threads of a process on which a span was open; of threads of no process together.
    Process(Option<ProcessId>, MemberId),
    /// Spans of a lane.
    Lane(TrackId),
    /// Spans of one name and file on all tracks of a member, those inside one another too; whether on
    /// lanes.
    Name(StringId, StringId, bool, MemberId),
}

/// How many there were at once. What lasts for no time is never open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Concurrency {
    /// Of what.
    pub of: ConcurrencyOf,
    /// The most at once.
    pub most: u64,
    /// When there were so many first, in nanoseconds.
    pub most_at: i64,
    /// For how many nanoseconds there were so many in all.
    pub most_for: i64,
    /// Nanoseconds in which there was one at least.
    pub busy: i64,
    /// The mean over all the time that counts: see [`counted_time`].
    pub mean: f64,
}

/// How many nanoseconds of the recording count, on any thread: all of it from the first to the last time,
/// or what filters chose of that.
pub fn counted_time(filtered: &Filtered) -> i64 {
    let Some([first, last]) = recorded_time(filtered.profile()) else { return 0 };
    match filtered.window() {
        None => last.saturating_sub(first),
        Some(window) => window.on_any(filtered.profile()).length_between(first, last),
    }
}

/// Of all spans whose points the filters keep, in the time that counts: processes in their order, lanes in
/// theirs, then names, those with the most at once first.
pub fn concurrency(filtered: &Filtered) -> Vec<Concurrency> {
    let profile = filtered.profile();
    let spans = &profile.timeline.spans;
    let mut processes: BTreeMap<(MemberId, Option<ProcessId>), Vec<[i64; 2]>> = BTreeMap::new();
    let mut names: HashMap<(Key, MemberId), Vec<[i64; 2]>> = HashMap::new();
    // What counts of each member: their times have nothing to do with each other.
    let counted = |(member, recorded): (u32, Option<[i64; 2]>)| match (filtered.window(), recorded)
    {
        (_, None) => 0,
        (None, Some([first, last])) => last.saturating_sub(first),
        (Some(window), Some([first, last])) => {
            window.of(MemberId(member), None).length_between(first, last)
        }
    };
    let whole: Vec<i64> = (0..).zip(recorded_times(profile)).map(counted).collect();
    let whole = |member: MemberId| whole.get(member.index()).copied().unwrap_or(0);
    let mut all = vec![];
    let mut lanes = vec![];
    for (number, track) in profile.timeline.tracks.iter().enumerate() {
        let id = TrackId(number as u32);
        let mut own: Vec<[i64; 2]> = vec![];
        for row in steps("looking at spans", spans.of_track(id)) {
            let span = spans.get(row);
            if !filtered.keeps_point(span.point.index()) {
                continue;
            }
            let key = key_of(profile, row, track.kind == TrackKind::Lane);
            let open = names.entry((key, track.member)).or_default();
            let mut take = |part: [i64; 2]| {
                open.push(part);
                own.push(part);
            };
            match filtered.window() {
                None if span.length > 0 => take([span.begin, span.end()]),
                None => {}
                Some(window) => {
                    window
                        .of(track.member, track.thread)
                        .between(span.begin, span.end())
                        .for_each(take);
                }
            }
        }
        match track.kind {
            TrackKind::Lane => {
                lanes.extend(at_once(ConcurrencyOf::Lane(id), own, whole(track.member)))
            }
            // One thread is busy or not, however deep.
            TrackKind::Thread => {
                let busy = processes.entry((track.member, track.process)).or_default();
                busy.extend(Intervals::of(own).iter());
            }
            _ => {}
        }
    }
    for ((member, process), busy) in processes {
        all.extend(at_once(ConcurrencyOf::Process(process, member), busy, whole(member)));
    }
    all.append(&mut lanes);
    let mut of_names: Vec<Concurrency> = names
        .into_iter()
        .filter_map(|(((name, file, is_asynchronous), member), open)| {
            let of = ConcurrencyOf::Name(name, file, is_asynchronous, member);
            at_once(of, open, whole(member))
        })
        .collect();
    of_names.sort_by(|a, b| {
        let texts = |one: &Concurrency| match one.of {
            ConcurrencyOf::Name(name, file, is_asynchronous, member) => {
                (profile.text(name), profile.text(file), is_asynchronous, member)
            }
            _ => ("", "", false, MemberId(0)),
        };
        let by_size = b.most.cmp(&a.most).then(b.mean.total_cmp(&a.mean));
        by_size.then_with(|| texts(a).cmp(&texts(b)))
    });
    all.append(&mut of_names);
    all
}

/// Goes through begins and ends in their order; nothing if nothing lasts.
fn at_once(of: ConcurrencyOf, open: Vec<[i64; 2]>, whole: i64) -> Option<Concurrency> {
    let mut begins: Vec<i64> = open.iter().map(|part| part[0]).collect();
    let mut ends: Vec<i64> = open.iter().map(|part| part[1]).collect();
    drop(open);
    begins.sort_unstable();
    ends.sort_unstable();
    let mut at = *begins.first()?;
    let mut found = Concurrency { of, most: 0, most_at: at, most_for: 0, busy: 0, mean: 0.0 };
    let (mut begun, mut ended, mut sum) = (0, 0, 0i128);
    while ended < ends.len() {
        let next = begins.get(begun).map_or(ends[ended], |&begin| begin.min(ends[ended]));
        let (count, lasts) = ((begun - ended) as u64, next.saturating_sub(at));
        if lasts > 0 && count > 0 {
            found.busy = found.busy.saturating_add(lasts);
            sum += i128::from(count) * i128::from(lasts);
            if count > found.most {
                (found.most, found.most_at, found.most_for) = (count, at, 0);
            }
            if count == found.most {
                found.most_for = found.most_for.saturating_add(lasts);
            }
        }
        at = next;
        while begins.get(begun).is_some_and(|&begin| begin == at) {
            begun += 1;
        }
        while ends.get(ended).is_some_and(|&end| end == at) {
            ended += 1;
        }
    }
    found.mean = if whole > 0 { sum as f64 / whole as f64 } else { 0.0 };
    Some(found)
}
