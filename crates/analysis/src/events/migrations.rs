//! Threads that went on on another processor.

use std::collections::BTreeSet;

use profile::{MemberId, MetricId, Profile, Shared, ThreadId};
use work::steps;

use crate::Filtered;

/// A thread went on on another processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migration {
    /// The run.
    pub member: MemberId,
    /// Who moved.
    pub thread: ThreadId,
    /// When it was first seen on the other one, in nanoseconds of the run.
    pub time: i64,
    /// The processor that it was on.
    pub from: u32,
    /// The one that it went to.
    pub to: u32,
    /// The nearest that both share; none if no file tells.
    pub shares: Option<Shared>,
}

/// The migrations of some runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Migrations {
    /// By run, then thread, then time.
    pub moves: Vec<Migration>,
    /// By run, whether its scheduler told of all of them. Else a thread that went and came back between
    /// two samples is not seen, and there are at least so many.
    pub are_all: Vec<bool>,
}

/// Where a thread was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Seen {
    thread: ThreadId,
    time: i64,
    cpu: u32,
}

impl Migrations {
    /// The migrations of threads of which filters keep something, in the time that they keep; whatever
    /// else they choose. `scheduled` is the metric of points that say where threads ran by the scheduler.
    /// What runs where nothing does (thread 0) is none.
    pub fn of(filtered: &Filtered, runs: &[MemberId], scheduled: Option<MetricId>) -> Migrations {
        let profile = filtered.profile();
        let points = &profile.points;
        let tells_run =
            |point: usize| scheduled.is_some_and(|metric| points.row(point)[metric.index()] != 0);
        let place = |member: MemberId| runs.iter().position(|&run| run == member);
        let mut run_of: Vec<Option<usize>> = vec![None; profile.members.len().max(1)];
        for (member, run) in run_of.iter_mut().enumerate() {
            *run = place(MemberId(member as u32));
        }
        let mut are_all = vec![false; runs.len()];
        let mut seen: Vec<Vec<Seen>> = vec![vec![]; runs.len()];
        let timeline = &profile.timeline;
        if scheduled.is_some() {
            for row in steps("looking for migrations", 0..timeline.spans.len()) {
                let point = timeline.spans.point(row).index();
                let Some(run) = run_of[points.member(point).index()] else { continue };
                let place = points.thread(point).zip(points.cpu(point));
                if let Some((thread, cpu)) = place.filter(|_| tells_run(point)) {
                    are_all[run] = true;
                    if !is_idle(profile, thread) {
                        seen[run].push(Seen { thread, time: timeline.spans.begin(row), cpu });
                    }
                }
            }
        }
        let mut kept: BTreeSet<(usize, ThreadId)> = BTreeSet::new();
        let mut last_kept = None;
        for point in steps("looking for migrations", 0..points.len()) {
            let Some(run) = run_of[points.member(point).index()] else { continue };
            let Some(thread) = points.thread(point).filter(|&thread| !is_idle(profile, thread))
            else {
                continue;
            };
            let is_known = last_kept == Some((run, thread));
            if !is_known && filtered.keeps_point(point) {
                kept.insert((run, thread));
                last_kept = Some((run, thread));
            }
            // Where the scheduler tells, samples say nothing more.
            if are_all[run] {
                continue;
            }
            if let Some((time, cpu)) = points.time(point).zip(points.cpu(point)) {
                seen[run].push(Seen { thread, time, cpu });
            }
        }
        let mut moves = vec![];
        for (run, mut seen) in seen.into_iter().enumerate() {
            // By time they mostly are already, and that is what a stable sort likes.
            seen.sort_by_key(|seen| (seen.thread, seen.time));
            let member = runs[run];
            let machine = profile.machine_of(member).map(|machine| profile.machine(machine));
            let moved = seen.windows(2).filter(|pair| {
                pair[0].thread == pair[1].thread
                    && pair[0].cpu != pair[1].cpu
                    && kept.contains(&(run, pair[1].thread))
            });
            moves.extend(moved.filter_map(|pair| {
                let [Seen { cpu: from, .. }, Seen { thread, time, cpu: to }] = [pair[0], pair[1]];
                let is_inside = filtered
                    .window()
                    .is_none_or(|window| window.of(member, Some(thread)).contains(time));
                let shares = machine.and_then(|machine| machine.nearest(from, to));
                is_inside.then_some(Migration { member, thread, time, from, to, shares })
            }));
        }
        Migrations { moves, are_all }
    }
}

fn is_idle(profile: &Profile, thread: ThreadId) -> bool {
    profile.text(profile.threads[thread.index()].id) == "0"
}
