//! How much happened at once.

use std::collections::{BTreeMap, HashMap};

use profile::{MemberId, ProcessId, Profile, StringId, ThreadId, TrackId, TrackKind};
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

impl ConcurrencyOf {
    /// The recording; the first of all for a lane that is not there.
    pub fn member(self, profile: &Profile) -> MemberId {
        match self {
            ConcurrencyOf::Process(_, member) | ConcurrencyOf::Name(.., member) => member,
            ConcurrencyOf::Lane(track) => {
                let track = profile.timeline.tracks.get(track.index());
                track.map(|track| track.member).unwrap_or_default()
            }
        }
    }
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

/// The same of each recording by its own clock: their times have nothing to do with each other.
pub fn counted_times(filtered: &Filtered) -> Vec<i64> {
    let counted = |(member, recorded): (u32, Option<[i64; 2]>)| match (filtered.window(), recorded)
    {
        (_, None) => 0,
        (None, Some([first, last])) => last.saturating_sub(first),
        (Some(window), Some([first, last])) => {
            window.of(MemberId(member), None).length_between(first, last)
        }
    };
    (0..).zip(recorded_times(filtered.profile())).map(counted).collect()
}

/// Of all spans whose points the filters keep, in the time that counts: processes in their order, lanes in
/// theirs, then names, those with the most at once first.
pub fn concurrency(filtered: &Filtered) -> Vec<Concurrency> {
    let profile = filtered.profile();
    let whole = counted_times(filtered);
    let whole = |member: MemberId| whole.get(member.index()).copied().unwrap_or(0);
    let open = Open::of(filtered, |_| true);
    let mut all = vec![];
    for ((member, process), busy) in open.processes {
        all.extend(at_once(ConcurrencyOf::Process(process, member), busy, whole(member)));
    }
    for (lane, own) in open.lanes {
        let of = ConcurrencyOf::Lane(lane);
        all.extend(at_once(of, own, whole(of.member(profile))));
    }
    let mut of_names: Vec<Concurrency> = open
        .names
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

/// How many of one thing are open over time, in cells of equal length.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConcurrencyChart {
    /// The most at once in each.
    pub most: Vec<u64>,
    /// The mean in each.
    pub mean: Vec<f64>,
}

/// How many of `of` are open between two times of the axis, in so many cells, at most one a nanosecond; of the spans
/// whose points the filters keep, in the time that counts.
pub fn concurrency_chart(
    filtered: &Filtered,
    of: ConcurrencyOf,
    [begin, end]: [i64; 2],
    cells: usize,
) -> ConcurrencyChart {
    let length = i128::from(end) - i128::from(begin);
    let cells = cells.min(usize::try_from(length.max(0)).unwrap_or(usize::MAX));
    let mut chart = ConcurrencyChart { most: vec![0; cells], mean: vec![0.0; cells] };
    if cells == 0 {
        return chart;
    }
    let edge = |cell: usize| (i128::from(begin) + length * cell as i128 / cells as i128) as i64;
    let open = Open::of(filtered, |one| one == of);
    let mut cell = 0;
    let clock = filtered.profile().timeline.clock(of.member(filtered.profile()));
    for_steps(open.parts(), |step, count| {
        let [from, to] = step.map(|time| clock.on_axis(time));
        let [from, to] = [from.max(begin), to.min(end)];
        while cell < cells && edge(cell + 1) <= from {
            cell += 1;
        }
        // The next step may begin in the last cell of this one.
        while cell < cells && edge(cell) < to {
            let [left, right] = [edge(cell), edge(cell + 1)];
            let lasts = to.min(right).saturating_sub(from.max(left));
            if lasts > 0 {
                chart.most[cell] = chart.most[cell].max(count);
                chart.mean[cell] += count as f64 * lasts as f64 / right.saturating_sub(left) as f64;
            }
            if right > to {
                break;
            }
            cell += 1;
        }
    });
    chart
}

/// When a thread is busy.
#[derive(Default)]
struct Thread {
    process: Option<ProcessId>,
    busy: Vec<[i64; 2]>,
}

/// When what is open.
#[derive(Default)]
struct Open {
    processes: BTreeMap<(MemberId, Option<ProcessId>), Vec<[i64; 2]>>,
    lanes: Vec<(TrackId, Vec<[i64; 2]>)>,
    names: HashMap<(Key, MemberId), Vec<[i64; 2]>>,
}

impl Open {
    /// Of what is wanted.
    fn of(filtered: &Filtered, is_wanted: impl Fn(ConcurrencyOf) -> bool) -> Open {
        let profile = filtered.profile();
        let spans = &profile.timeline.spans;
        let mut all = Open::default();
        // By thread, or by track where that is of none: a thread's spans may stand on several tracks.
        let mut threads: BTreeMap<(MemberId, Option<ThreadId>, TrackId), Thread> = BTreeMap::new();
        for (number, track) in profile.timeline.tracks.iter().enumerate() {
            let id = TrackId(number as u32);
            let of_track = match track.kind {
                TrackKind::Lane => Some(ConcurrencyOf::Lane(id)),
                TrackKind::Thread => Some(ConcurrencyOf::Process(track.process, track.member)),
                _ => None,
            };
            let of_track = of_track.filter(|&of| is_wanted(of));
            let mut own: Vec<[i64; 2]> = vec![];
            for row in steps("looking at spans", spans.of_track(id)) {
                let span = spans.get(row);
                if !filtered.keeps_span(row, &span) {
                    continue;
                }
                let key = key_of(profile, row, track.kind == TrackKind::Lane);
                let of_name = ConcurrencyOf::Name(key.0, key.1, key.2, track.member);
                let mut open =
                    is_wanted(of_name).then(|| all.names.entry((key, track.member)).or_default());
                let mut take = |part: [i64; 2]| {
                    open.iter_mut().for_each(|open| open.push(part));
                    if of_track.is_some() {
                        own.push(part);
                    }
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
            match of_track {
                Some(ConcurrencyOf::Lane(_)) => all.lanes.push((id, own)),
                // One thread is busy or not, however deep.
                Some(_) => {
                    let alone = if track.thread.is_some() { TrackId(0) } else { id };
                    let thread = threads.entry((track.member, track.thread, alone)).or_default();
                    thread.process = track.process;
                    thread.busy.extend(own);
                }
                None => {}
            }
        }
        for ((member, ..), Thread { process, busy }) in threads {
            let of_process = all.processes.entry((member, process)).or_default();
            of_process.extend(Intervals::new(busy).iter());
        }
        all
    }

    /// Of everything that is there.
    fn parts(self) -> Vec<[i64; 2]> {
        let names = self.names.into_values();
        let lanes = self.lanes.into_iter().map(|(_, parts)| parts);
        self.processes.into_values().chain(lanes).chain(names).flatten().collect()
    }
}

/// The stretches between begins and ends in their order, with how many are open in each, if any is.
fn for_steps(open: Vec<[i64; 2]>, mut step: impl FnMut([i64; 2], u64)) {
    let mut begins: Vec<i64> = open.iter().map(|part| part[0]).collect();
    let mut ends: Vec<i64> = open.iter().map(|part| part[1]).collect();
    drop(open);
    begins.sort_unstable();
    ends.sort_unstable();
    let Some(&(mut at)) = begins.first() else { return };
    let (mut begun, mut ended) = (0, 0);
    while ended < ends.len() {
        let next = begins.get(begun).map_or(ends[ended], |&begin| begin.min(ends[ended]));
        if next > at && begun > ended {
            step([at, next], (begun - ended) as u64);
        }
        at = next;
        while begins.get(begun).is_some_and(|&begin| begin == at) {
            begun += 1;
        }
        while ends.get(ended).is_some_and(|&end| end == at) {
            ended += 1;
        }
    }
}

/// The figures; nothing if nothing lasts.
fn at_once(of: ConcurrencyOf, open: Vec<[i64; 2]>, whole: i64) -> Option<Concurrency> {
    let at = open.iter().map(|part| part[0]).min()?;
    let mut found = Concurrency { of, most: 0, most_at: at, most_for: 0, busy: 0, mean: 0.0 };
    let mut sum = 0i128;
    for_steps(open, |[from, to], count| {
        let lasts = to.saturating_sub(from);
        found.busy = found.busy.saturating_add(lasts);
        sum += i128::from(count) * i128::from(lasts);
        if count > found.most {
            (found.most, found.most_at, found.most_for) = (count, from, 0);
        }
        if count == found.most {
            found.most_for = found.most_for.saturating_add(lasts);
        }
    });
    found.mean = if whole > 0 { sum as f64 / whole as f64 } else { 0.0 };
    Some(found)
}
