//! Threads that continued on another processor.
//!
//! A migration belongs to the processor, the stack and the time that a thread left: so it is counted by
//! the metric, and so filters choose it, here as there. Where nothing but samples tells of it, it belongs
//! to the last one before.

use std::collections::HashMap;

use profile::{LabelValue, MemberId, MetricId, Profile, Shared, StringId, ThreadId, TrackId};
use work::steps;

use crate::Filtered;

/// A thread went on on another processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migration {
    /// The run.
    pub member: MemberId,
    /// Who moved.
    pub thread: ThreadId,
    /// When it left, or was last seen on the processor that it left, in nanoseconds of the run.
    pub time: i64,
    /// The processor that it was on.
    pub from: u32,
    /// The one that it went to; none if no file tells.
    pub to: Option<u32>,
    /// The nearest that both share; none if no file tells.
    pub shares: Option<Shared>,
}

/// What tells of migrations, the surest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MigrationSource {
    /// Samples: a thread that went and came back between two of them is not seen, and there are at least
    /// so many.
    Samples,
    /// The event that the kernel has for them (`sched:sched_migrate_task`), of those that were recorded.
    Events,
    /// The scheduler's switches: these are all.
    Switches,
}

/// Metrics of points that tell of migrations.
#[derive(Debug, Clone, Copy, Default)]
pub struct MigrationMetrics {
    /// Says where threads ran by the scheduler.
    pub runs: Option<MetricId>,
    /// How many migrations there were.
    pub count: Option<MetricId>,
}

/// The migrations of some runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Migrations {
    /// By time.
    pub moves: Vec<Migration>,
    /// By run, what tells of them.
    pub told_by: Vec<MigrationSource>,
    /// How many samples see besides, where events tell that may not be of all threads.
    pub seen: usize,
}

/// The event of the kernel, and the fields that tell who went where.
const EVENT: &str = "sched_migrate_task";
const FIELDS: [&str; 2] = ["pid", "dest_cpu"];

/// A thread that left a processor: its run, its number, when and where.
type Left = (MemberId, i64, i64, u32);

/// Where a thread was.
#[derive(Clone, Copy)]
struct Seen {
    thread: ThreadId,
    time: i64,
    cpu: u32,
    point: usize,
}

impl Migrations {
    /// The migrations that filters keep. What runs where nothing does (thread 0) is none.
    pub fn new(filtered: &Filtered, runs: &[MemberId], metrics: MigrationMetrics) -> Migrations {
        let profile = filtered.profile();
        let mut run_of: Vec<Option<usize>> = vec![None; profile.members.len().max(1)];
        for (run, member) in runs.iter().enumerate() {
            run_of[member.index()] = Some(run);
        }
        let numbers: Vec<Option<i64>> =
            profile.threads.iter().map(|thread| profile.text(thread.id).parse().ok()).collect();
        let mut of = Of {
            filtered,
            run_of,
            numbers,
            told_by: vec![MigrationSource::Samples; runs.len()],
            moves: vec![],
        };
        let mut places = of.places_of_runs(metrics.runs);
        of.add_events(metrics, &mut places);
        let seen = of.add_seen(runs);
        let Of { told_by, mut moves, .. } = of;
        moves.sort_by_key(|one| (one.time, one.member, one.thread));
        Migrations { moves, told_by, seen }
    }
}

struct Of<'a> {
    filtered: &'a Filtered,
    run_of: Vec<Option<usize>>,
    /// By thread, its number.
    numbers: Vec<Option<i64>>,
    told_by: Vec<MigrationSource>,
    moves: Vec<Migration>,
}

impl Of<'_> {
    fn run(&self, member: MemberId) -> Option<usize> {
        self.run_of[member.index()]
    }

    /// Where threads went on, by what they left, as the scheduler's runs tell.
    fn places_of_runs(&mut self, metric: Option<MetricId>) -> HashMap<Left, u32> {
        let Some(metric) = metric else { return HashMap::new() };
        let profile = self.filtered.profile();
        let (points, spans) = (&profile.points, &profile.timeline.spans);
        let mut all: Vec<(MemberId, i64, i64, i64, u32)> = vec![];
        for row in steps("looking for migrations", 0..spans.len()) {
            let point = spans.point(row).index();
            let member = points.member(point);
            let Some(run) = self.run(member) else { continue };
            if points.row(point)[metric.index()] == 0 {
                continue;
            }
            self.told_by[run] = MigrationSource::Switches;
            let number = points.thread(point).and_then(|thread| self.numbers[thread.index()]);
            if let Some((number, cpu)) = number.zip(points.cpu(point)) {
                let (begin, length) = (spans.begin(row), spans.length(row));
                all.push((member, number, begin, begin.saturating_add(length), cpu));
            }
        }
        all.sort_unstable();
        let after = all.windows(2).filter(|two| (two[0].0, two[0].1) == (two[1].0, two[1].1));
        let moved = after.filter(|two| two[0].4 != two[1].4);
        moved.map(|two| ((two[0].0, two[0].1, two[0].3, two[0].4), two[1].4)).collect()
    }

    /// The same as the kernel's event tells, whose marks stand on the track of whoever moved a thread.
    fn add_places_of_events(&self, places: &mut HashMap<Left, u32>) {
        let profile = self.filtered.profile();
        let is_event = |kind: StringId| {
            let name = profile.text(kind);
            name.rsplit_once(':').map_or(name, |(_, event)| event) == EVENT
        };
        let mut known: HashMap<StringId, bool> = HashMap::new();
        for (number, track) in (0..).zip(&profile.timeline.tracks) {
            for row in profile.timeline.marks.of_track(TrackId(number)) {
                let mark = profile.timeline.marks.get(TrackId(number), row);
                if !*known.entry(mark.kind).or_insert_with(|| is_event(mark.kind)) {
                    continue;
                }
                let field = |name: &str| {
                    let mut labels = profile.label_sets.get(mark.fields);
                    match labels.find(|label| profile.text(label.key) == name)?.value {
                        LabelValue::Number(number, _) => Some(number),
                        LabelValue::Text(_) => None,
                    }
                };
                let [Some(number), Some(to)] = FIELDS.map(field) else { continue };
                let (Some(from), Ok(to)) = (field("orig_cpu"), u32::try_from(to)) else { continue };
                let from = u32::try_from(from).unwrap_or(u32::MAX);
                places.insert((track.member, number, mark.time, from), to);
            }
        }
    }

    /// Migrations that the metric counts.
    fn add_events(&mut self, metrics: MigrationMetrics, places: &mut HashMap<Left, u32>) {
        let Some(metric) = metrics.count else { return };
        let profile = self.filtered.profile();
        let points = &profile.points;
        let mut are_marks_read = false;
        for point in steps("looking for migrations", 0..points.len()) {
            let member = points.member(point);
            let Some(run) = self.run(member) else { continue };
            if points.row(point)[metric.index()] == 0 {
                continue;
            }
            if self.told_by[run] == MigrationSource::Samples {
                self.told_by[run] = MigrationSource::Events;
            }
            if self.told_by[run] == MigrationSource::Events && !are_marks_read {
                are_marks_read = true;
                self.add_places_of_events(places);
            }
            // Something of a thread's absence may be inside a range of time though it left before.
            let is_kept =
                self.filtered.keeps_point(point) && self.filtered.row(point)[metric.index()] != 0;
            let place = points.thread(point).zip(points.time(point)).zip(points.cpu(point));
            let Some(((thread, time), from)) = place.filter(|_| is_kept) else { continue };
            let number = self.numbers[thread.index()];
            let to = number.and_then(|number| places.get(&(member, number, time, from)).copied());
            let one = Migration { member, thread, time, from, to, shares: None };
            self.moves.push(sharing(profile, one));
        }
    }

    /// Migrations between samples, of runs of which nothing else tells; of the others that may not tell
    /// of all, how many there are.
    fn add_seen(&mut self, runs: &[MemberId]) -> usize {
        let profile = self.filtered.profile();
        let points = &profile.points;
        let mut seen: Vec<Vec<Seen>> = vec![vec![]; runs.len()];
        if self.told_by.iter().all(|&by| by == MigrationSource::Switches) {
            return 0;
        }
        for point in steps("looking for migrations", 0..points.len()) {
            let Some(run) = self.run(points.member(point)) else { continue };
            if self.told_by[run] == MigrationSource::Switches {
                continue;
            }
            let thread = points.thread(point).filter(|&thread| !is_idle(profile, thread));
            let place = thread.zip(points.time(point)).zip(points.cpu(point));
            if let Some(((thread, time), cpu)) = place {
                seen[run].push(Seen { thread, time, cpu, point });
            }
        }
        let mut besides = 0;
        for (run, mut seen) in seen.into_iter().enumerate() {
            // By time they mostly are already, and that is what a stable sort likes.
            seen.sort_by_key(|seen| (seen.thread, seen.time));
            // Where something was at two places at once, as sums of some time have it, it did not go.
            let at_once = seen.chunk_by(|a, b| (a.thread, a.time) == (b.thread, b.time));
            let is_sure = |all: &&[Seen]| all.iter().all(|one| one.cpu == all[0].cpu);
            let seen: Vec<Seen> = at_once.filter(is_sure).flatten().copied().collect();
            let moved = seen.windows(2).filter(|two| {
                two[0].thread == two[1].thread
                    && two[0].cpu != two[1].cpu
                    && self.filtered.keeps_point(two[0].point)
            });
            if self.told_by[run] == MigrationSource::Events {
                besides += moved.count();
                continue;
            }
            self.moves.extend(moved.map(|two| {
                let Seen { thread, time, cpu: from, .. } = two[0];
                let (member, to) = (runs[run], Some(two[1].cpu));
                sharing(profile, Migration { member, thread, time, from, to, shares: None })
            }));
        }
        besides
    }
}

fn sharing(profile: &Profile, one: Migration) -> Migration {
    let machine = profile.machine_of(one.member).map(|machine| profile.machine(machine));
    let nearest = |to: u32| machine.and_then(|machine| machine.nearest(one.from, to));
    Migration { shares: one.to.and_then(nearest), ..one }
}

fn is_idle(profile: &Profile, thread: ThreadId) -> bool {
    profile.text(profile.threads[thread.index()].id) == "0"
}
