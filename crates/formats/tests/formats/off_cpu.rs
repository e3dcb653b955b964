//! Off-CPU time with wakers, run-queue time and migrations: of recordings whose every switch is known.

use std::collections::BTreeMap;

use formats::{Opened, ReadOptions, Source};
use profile::{LabelValue, Profile, Timing};
use proptest::prelude::*;

use crate::measured::metric;
use crate::scheduled::{At, ENDED, RUNNABLE, SLEEPING, Scheduled};

fn opened(bytes: &[u8]) -> Opened {
    let source = Source { bytes: Box::new(bytes), file_name: "" };
    let opened = formats::read(source, &ReadOptions::default()).unwrap();
    assert!(opened.profile.check().is_empty(), "{:?}", opened.profile.check());
    opened
}

const METRICS: [&str; 4] = ["off-CPU time", "off-CPU intervals", "run-queue time", "migrations"];

/// The innermost frame of a context, by its address.
fn leaf(profile: &Profile, context: profile::ContextId) -> String {
    let Some(location) = profile.contexts.location(context) else { return "root".to_owned() };
    match profile.locations.address[location.index()] {
        0 => profile
            .frames_of(context)
            .map(|frame| profile.frame_name(profile::FrameId(frame)).into_owned())
            .collect(),
        address => format!("{address:x}"),
    }
}

/// Points of absences: time of the clock, thread, processor, state, values, main context, links.
fn absences(profile: &Profile) -> Vec<String> {
    let mut rows = vec![];
    let points = &profile.points;
    for point in 0..points.len() {
        let value = |name: &str| {
            let id = profile.metric_ids().find(|&id| profile.metric(id).name == name);
            id.map_or(0, |id| points.value(point, id))
        };
        let values = METRICS.map(value);
        if values == [0; 4] {
            continue;
        }
        let thread = profile.thread_name(points.thread(point).unwrap());
        let labels = profile.label_sets.get(points.labels(point)).map(|label| match label.value {
            LabelValue::Text(text) => {
                format!(" {}={}", profile.text(label.key), profile.text(text))
            }
            LabelValue::Number(..) => unreachable!(),
        });
        let links = points.links(point).iter().map(|&(role, context)| {
            format!(" {} {}", profile.text(profile.roles[role.index()]), leaf(profile, context))
        });
        let time = points.time(point).unwrap() + profile.origin.clock_ns;
        let cpu = points.cpu(point).unwrap();
        let (labels, links): (String, String) = (labels.collect(), links.collect());
        let at = leaf(profile, points.context[point]);
        rows.push(format!("{time} {thread} cpu {cpu}{labels}: {values:?} at {at}:{links}"));
    }
    rows
}

fn messages(opened: &Opened) -> Vec<(String, u64)> {
    opened.warnings.iter().map(|one| (one.message.clone(), one.count)).collect()
}

/// Thread 7 sleeps and is woken by 8 on the other processor, 8 is preempted and goes on on another
/// processor.
fn known(has_stacks: bool) -> Scheduled {
    let mut made = Scheduled::new(has_stacks, &[7, 8, 9]);
    let at = |time: u64, cpu: u32| At { time, cpu };
    made.switch(at(1000, 0), (0, RUNNABLE), 7, 0x10);
    made.switch(at(1010, 1), (0, RUNNABLE), 8, 0x10);
    // 7 sleeps at 0x70 and is woken by 8 at 0x80; the kernel tells of it once more elsewhere.
    made.switch(at(2000, 0), (7, SLEEPING), 0, 0x70);
    made.wake(true, at(2600, 1), 8, 7, 0x80);
    made.wake(false, at(2700, 0), 0, 7, 0x666);
    made.switch(at(3000, 0), (0, RUNNABLE), 7, 0x10);
    // 8 is preempted by 9, and goes on on processor 0 when 7 sleeps again.
    made.switch(at(3100, 1), (8, RUNNABLE), 9, 0x81);
    made.switch(at(4000, 0), (7, SLEEPING), 8, 0x71);
    // Nobody says who wakes 7; 9 ends, 7 and 8 are away at the end.
    made.switch(at(4500, 1), (9, ENDED), 7, 0x90);
    made.switch(at(4600, 1), (7, SLEEPING), 0, 0x70);
    made.switch(at(4700, 0), (8, SLEEPING), 0, 0x80);
    made
}

#[test]
fn whiles_away_from_processors_have_their_stack_and_their_waker() {
    let opened = opened(&known(true).finish());
    let found = &opened.profile;
    assert_eq!(
        absences(found),
        [
            "2000 t7 (7) cpu 0 state=sleeping: [1000, 1, 0, 0] at 70: blocked 70 waker 80",
            "2600 t7 (7) cpu 0 state=sleeping: [0, 0, 400, 0] at 70: blocked 70 waker 80",
            "4000 t7 (7) cpu 0 state=sleeping: [500, 1, 0, 1] at 71: blocked 71",
            "3100 t8 (8) cpu 1 state=runnable: [900, 1, 900, 1] at 81: blocked 81",
        ]
    );
    let timing = METRICS.map(|name| found.metric(metric(found, name)).timing);
    assert_eq!(timing, [Timing::Length, Timing::Begins, Timing::Length, Timing::Begins]);
    // 7: 1000-2000, 3000-4000, 4500-4600; 8: 1010-3100, 4000-4700; 9: 3100-4500.
    assert_eq!(found.metric_total(metric(found, "run time")).0, 2100 + 2790 + 1400);
    let told = messages(&opened);
    let at_end = told.iter().find(|(text, _)| text.contains("when the recording ended")).unwrap();
    assert_eq!(at_end.1, 2, "{told:?}");
    assert_eq!(told.len(), 1, "{told:?}");
    // One arrow a wake-up, from who woke.
    let flows: Vec<_> = (found.timeline.flows.iter())
        .map(|flow| (found.text(flow.name), flow.from.time + 1000, flow.to.time + 1000))
        .collect();
    assert_eq!(
        flows,
        [("sched:sched_waking", 2600, 3000), ("migration", 3100, 4000), ("migration", 4000, 4500),]
    );
}

/// A thread that is away from the processors that were recorded may run on another.
#[test]
fn what_runs_on_processors_that_were_not_recorded_is_not_away() {
    for (processors, list, is_told) in [(2, "0,1", true), (4, "0-3", true), (3, "0,1", false)] {
        let mut made = known(false);
        made.called(processors, &["perf", "record", "-C", list, "--", "made"]);
        let found = opened(&made.finish());
        let has = |name: &str| found.profile.metrics.iter().any(|metric| metric.name == name);
        assert!(has("run time"));
        for name in METRICS {
            assert_eq!(has(name), is_told, "{name} of {list}");
        }
        let is_said = messages(&found).iter().any(|(text, _)| text.contains("not recorded (-C)"));
        assert_eq!(is_said, !is_told);
    }
}

#[test]
fn without_stacks_nobody_is_said_to_wake() {
    let found = opened(&known(false).finish()).profile;
    assert_eq!(
        absences(&found),
        [
            "2000 t7 (7) cpu 0 state=sleeping: [1000, 1, 0, 0] at 70:",
            "2600 t7 (7) cpu 0 state=sleeping: [0, 0, 400, 0] at 70:",
            "4000 t7 (7) cpu 0 state=sleeping: [500, 1, 0, 1] at 71:",
            "3100 t8 (8) cpu 1 state=runnable: [900, 1, 900, 1] at 81:",
        ]
    );
    assert!(!found.points.has_links());
}

#[test]
fn records_of_switches_alone_tell_how_long() {
    let mut made = Scheduled::new(true, &[7, 8]);
    let at = |time: u64, cpu: u32| At { time, cpu };
    made.record(at(1000, 0), 7, false, false);
    made.record(at(1500, 0), 7, true, false);
    made.record(at(1600, 0), 7, false, false);
    made.record(at(1900, 0), 7, true, true);
    made.record(at(2000, 1), 7, false, false);
    let opened = opened(&made.finish());
    assert_eq!(
        absences(&opened.profile),
        [
            "1500 t7 (7) cpu 0: [100, 1, 0, 0] at t7:",
            "1900 t7 (7) cpu 0 state=runnable: [100, 1, 100, 1] at t7:",
        ]
    );
    assert!(messages(&opened).iter().all(|(text, _)| text.contains("no samples")));
}

/// `perf record -e sched:sched_switch --switch-events -g` of one program: tracepoints tell of its
/// threads where they leave, and nothing of where they come.
#[test]
fn records_say_when_and_tracepoints_on_which_stack() {
    let mut made = Scheduled::new(true, &[7]);
    let at = |time: u64, cpu: u32| At { time, cpu };
    made.record(at(1000, 0), 7, false, false);
    made.switch(at(2000, 0), (7, SLEEPING), 0, 0x70);
    made.record(at(2001, 0), 7, true, false);
    made.wake(true, at(2500, 1), 8, 7, 0x80);
    made.record(at(3001, 1), 7, false, false);
    let both = absences(&opened(&made.finish()).profile);
    let expected = [
        "2001 t7 (7) cpu 0 state=sleeping: [1000, 1, 0, 1] at 70: blocked 70 waker 80",
        "2500 t7 (7) cpu 0 state=sleeping: [0, 0, 501, 0] at 70: blocked 70 waker 80",
    ];
    assert_eq!(both, expected);
    // Without records it came back unseen, but elsewhere.
    let mut made = Scheduled::new(true, &[7]);
    made.switch(at(2000, 0), (7, SLEEPING), 0, 0x70);
    made.switch(at(4000, 1), (7, SLEEPING), 0, 0x71);
    let opened = opened(&made.finish());
    let rows = absences(&opened.profile);
    assert_eq!(rows, ["2000 t7 (7) cpu 0 state=sleeping: [0, 0, 0, 1] at 70: blocked 70"]);
    let told = messages(&opened);
    assert!(told.iter().any(|(text, count)| text.contains("--switch-events") && *count == 1));
    let names: Vec<_> = opened.profile.metrics.iter().map(|metric| &*metric.name).collect();
    assert!(!names.contains(&"off-CPU time") && names.contains(&"migrations"), "{names:?}");
}

#[test]
fn a_wake_up_that_one_event_alone_tells_counts() {
    let mut made = Scheduled::new(true, &[7, 8]);
    let at = |time: u64, cpu: u32| At { time, cpu };
    made.switch(at(1000, 0), (0, RUNNABLE), 7, 0x10);
    made.switch(at(2000, 0), (7, SLEEPING), 8, 0x70);
    made.wake(false, at(2600, 0), 8, 7, 0x80);
    made.switch(at(3000, 0), (8, RUNNABLE), 7, 0x81);
    let found = opened(&made.finish()).profile;
    assert_eq!(
        absences(&found),
        [
            "2000 t7 (7) cpu 0 state=sleeping: [1000, 1, 0, 0] at 70: blocked 70 waker 80",
            "2600 t7 (7) cpu 0 state=sleeping: [0, 0, 400, 0] at 70: blocked 70 waker 80",
        ]
    );
}

#[test]
fn moves_are_counted_where_no_switches_were_recorded() {
    let mut made = Scheduled::new(true, &[7, 8]);
    made.migrate(At { time: 1000, cpu: 1 }, 8, 7, [0, 1]);
    made.migrate(At { time: 2000, cpu: 1 }, 7, 7, [1, 0]);
    let found = opened(&made.finish()).profile;
    let rows = absences(&found);
    assert_eq!(
        rows,
        ["1000 t7 (7) cpu 0: [0, 0, 0, 1] at 700:", "2000 t7 (7) cpu 1: [0, 0, 0, 1] at 700:"]
    );
    let names: Vec<_> = found.metrics.iter().map(|metric| &*metric.name).collect();
    assert!(names.contains(&"migrations") && !names.contains(&"run time"), "{names:?}");
}

/// What a scheduler did to a thread.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Done {
    /// Off-CPU time, how often, run-queue time, migrations, run time.
    sums: [i64; 5],
    first: Option<i64>,
    last: i64,
    /// Since when it is away, where it was, whether it could go on, when it was woken.
    away: Option<(i64, u32, bool, Option<i64>)>,
    since: i64,
    /// Off-CPU time and run time when it left last.
    whole: i64,
}

impl Done {
    fn come(&mut self, time: i64, cpu: u32) {
        self.since = time;
        self.first.get_or_insert(time);
        self.last = time;
        let Some((left, was, could, woken)) = self.away.take() else { return };
        self.sums[0] += time - left;
        self.sums[1] += 1;
        let queued = if could { Some(left) } else { woken };
        self.sums[2] += queued.map_or(0, |since| time - since);
        self.sums[3] += i64::from(was != cpu);
    }

    fn leave(&mut self, time: i64, cpu: u32, could: bool) {
        self.sums[4] += time - self.since;
        self.last = time;
        self.whole = self.sums[0] + self.sums[4];
        self.away = Some((time, cpu, could, None));
    }
}

/// A scheduler of threads 1 to 4 on some processors, by random numbers.
struct Simulated {
    made: Scheduled,
    done: BTreeMap<u32, Done>,
    running: Vec<u32>,
    ready: Vec<u32>,
    asleep: Vec<u32>,
    time: u64,
    /// The time of the last record.
    end: i64,
}

/// Records come later than the tracepoint by this.
const LATER: u64 = 2;

impl Simulated {
    fn step(&mut self, [what, cpu, which, pause]: [u32; 4], tells: [bool; 2]) {
        let cpu = cpu % self.running.len() as u32;
        self.time += 10 + u64::from(pause);
        let [traced, recorded] = tells;
        let at = At { time: self.time, cpu };
        let later = if recorded { LATER } else { 0 };
        let now = (self.time + later) as i64;
        let current = self.running[cpu as usize];
        let picked = |list: &mut Vec<u32>| {
            (!list.is_empty()).then(|| list.remove(which as usize % list.len()))
        };
        if what.is_multiple_of(3) {
            // Whoever runs wakes somebody.
            let Some(woken) = picked(&mut self.asleep) else { return };
            if traced {
                self.end = self.time as i64;
                self.made.wake(true, at, current, woken, 0x500 + u64::from(current));
                let away = self.done.get_mut(&woken).and_then(|done| done.away.as_mut());
                if let Some(away) = away {
                    away.3 = Some(self.time as i64);
                }
            }
            self.ready.push(woken);
            return;
        }
        let is_asleep = what % 3 == 1;
        let next = picked(&mut self.ready).unwrap_or(0);
        if current == next || (current != 0 && next == 0 && !is_asleep) {
            return;
        }
        self.running[cpu as usize] = next;
        self.end = now;
        let state = if is_asleep { SLEEPING } else { RUNNABLE };
        if traced {
            self.made.switch(at, (current, state), next, 0x100 + u64::from(current));
        }
        if current != 0 {
            let done = self.done.entry(current).or_default();
            // What came before the recording began is not told.
            if done.first.is_some() {
                done.leave(now, cpu, !is_asleep);
            }
            if is_asleep { &mut self.asleep } else { &mut self.ready }.push(current);
            if recorded {
                let at = At { time: self.time + LATER, cpu };
                self.made.record(at, current, true, !is_asleep);
            }
        }
        if next != 0 {
            self.done.entry(next).or_default().come(now, cpu);
            if recorded {
                self.made.record(At { time: self.time + LATER, cpu }, next, false, false);
            }
        }
    }
}

proptest! {
    /// Off-CPU time, run-queue time and migrations are what a scheduler did, and with run time they add
    /// up to the time from a thread's first switch to the last one.
    #[test]
    fn times_on_and_off_processors_add_up(
        steps in prop::collection::vec([0u32..30, 0u32..3, 0u32..4, 0u32..90], 0..120),
        cpus in 1usize..4,
        tells in 0usize..3,
    ) {
        let tells = [[true, false], [false, true], [true, true]][tells];
        let made = Scheduled::new(true, &[1, 2, 3, 4]);
        let (done, ready) = (BTreeMap::new(), vec![1, 2, 3, 4]);
        let running = vec![0; cpus];
        let mut simulated =
            Simulated { made, done, running, ready, asleep: vec![], time: 1000, end: 0 };
        for step in steps {
            simulated.step(step, tells);
        }
        // What runs does so until the end.
        for tid in simulated.running.iter().filter(|tid| **tid != 0) {
            let done = simulated.done.get_mut(tid).unwrap();
            done.sums[4] += simulated.end - done.since;
        }
        let found = opened(&simulated.made.finish()).profile;
        let mut sums: BTreeMap<String, [i64; 5]> = BTreeMap::new();
        let names = ["off-CPU time", "off-CPU intervals", "run-queue time", "migrations", "run time"];
        for point in 0..found.points.len() {
            let Some(thread) = found.points.thread(point) else { continue };
            let thread = found.text(found.threads[thread.index()].id).to_owned();
            let sums = sums.entry(thread).or_default();
            for (sum, name) in sums.iter_mut().zip(names) {
                let id = found.metric_ids().find(|&id| found.metric(id).name == name);
                *sum += id.map_or(0, |id| found.points.value(point, id));
            }
        }
        for (tid, done) in simulated.done {
            let sums = sums.get(&tid.to_string()).copied().unwrap_or_default();
            prop_assert_eq!(sums, done.sums, "thread {}", tid);
            if done.away.is_some() {
                prop_assert_eq!(done.whole, done.last - done.first.unwrap());
            }
        }
    }
}
