//! Switched-off functions: what samples tell against what really ran.

use std::collections::BTreeMap;

use calltrace::{Demotion, Happened, Node, Rounds, Section, Seen, SeenRun, Stacks, Word};
use profile::{LaterEstimate, MetricId, Profile};
use proptest::prelude::*;

use super::tests::{read, self_times_by_path, trace};

/// Nanoseconds: samples stand for so much, events lie half-way between them.
const PERIOD: u64 = 1000;

/// What ran: functions with their begins and ends, in periods; 0 is around all and is never switched off.
type Ran = Vec<(u32, u64, u64)>;

/// Calls within each other, from a list of what happens next.
fn ran(steps: &[(bool, u32, u64)]) -> Ran {
    let (mut all, mut open, mut at) = (vec![(0, 0, 0)], vec![0], 0);
    for &(begins, function, lasts) in steps {
        if begins {
            open.push(all.len());
            all.push((function, at, 0));
        } else if open.len() > 1 {
            let ended = open.pop().unwrap();
            all[ended].2 = at;
        }
        at += lasts;
    }
    open.into_iter().for_each(|one| all[one].2 = at);
    all
}

/// What is open in a period, outermost first.
fn open_in(ran: &Ran, period: u64) -> Vec<(u32, u64)> {
    let is_open = |(_, begin, end): &&(u32, u64, u64)| *begin <= period && period < *end;
    ran.iter().filter(is_open).map(|&(function, begin, _)| (function, begin)).collect()
}

/// The trace of it: function f is switched off at `off[f]`.
fn events(ran: &Ran, off: &[u64]) -> Vec<Word> {
    let mut events = vec![];
    for (number, &(function, begin, end)) in ran.iter().enumerate() {
        let off = off[function as usize];
        let (inner, outer) = (number as i64, -(number as i64));
        if begin < off {
            events.push((begin, 1, inner, Happened::Call, function));
        }
        if begin < off && end < off && begin < end {
            events.push((end, 0, outer, Happened::Return, function));
        } else if begin < off && begin == end {
            events.push((end, 1, inner, Happened::Return, function));
        }
    }
    events.sort_by_key(|&(at, what, number, ..)| (at, what, number));
    let mut last = 0;
    let word = |(at, _, _, happened, function)| {
        let since = (at - std::mem::replace(&mut last, at)) * PERIOD;
        Word::new(happened, function, since as u32)
    };
    events.into_iter().map(word).collect()
}

/// Samples of the thread: stacks of functions, outermost first, and in which periods.
fn samples(seen: &[(u64, Vec<u32>)], slack_ns: u64) -> Vec<Section> {
    let texts = (0..6).map(|number| format!("f{number}")).chain(["p.py".to_owned()]).collect();
    let (mut nodes, mut runs) = (vec![], vec![]);
    for (round, (_, stack)) in seen.iter().enumerate() {
        for (place, &name) in stack.iter().enumerate() {
            let around = (place > 0).then(|| nodes.len() as u32 - 1);
            nodes.push(Node { around, name, file: 6, line: 7 });
        }
        if !stack.is_empty() {
            let stack = nodes.len() as u32 - 1;
            runs.push(SeenRun { begin: round as u32, rounds: 1, stack });
        }
    }
    let times_us = seen.iter().map(|&(period, _)| period).collect();
    vec![
        Section::Stacks(Stacks { texts, nodes }),
        Section::Rounds(Rounds { period_ns: PERIOD, slack_ns, times_us }),
        Section::Seen(Seen { thread: 70, runs }),
    ]
}

fn demotions(off: &[u64]) -> Vec<Section> {
    let known = off.iter().zip(0..).filter(|(off, _)| **off < u64::MAX);
    let demoted = |(&off, function)| {
        Section::Demoted(Demotion { function, ticks: off * PERIOD + PERIOD / 2, calls: 1 })
    };
    known.map(demoted).collect()
}

/// Events are half a period later than samples, so that each stands in the middle of its period.
fn file(words: Vec<Word>, off: &[u64], seen: &[(u64, Vec<u32>)]) -> Vec<u8> {
    file_with_slack(words, off, seen, 0)
}

/// The samples' clock may be off by so many nanoseconds.
fn file_with_slack(
    words: Vec<Word>,
    off: &[u64],
    seen: &[(u64, Vec<u32>)],
    slack_ns: u64,
) -> Vec<u8> {
    let mut words = words;
    if let Some(first) = words.first_mut() {
        first.0 += PERIOD / 2;
    }
    let mut others = demotions(off);
    others.extend(samples(seen, slack_ns));
    trace(&[words], &others, true)
}

/// How the tree shows a period: traced functions, and those that ran below the innermost of them.
fn shown(stack: &[(u32, u64)], off: &[u64], period: u64) -> Vec<String> {
    let is_off = |function: u32| off[function as usize] <= period;
    let mut path: Vec<u32> = vec![];
    // When what is right inside of it began, of what is shown.
    let mut inside: Option<u64> = None;
    let mut is_below = true;
    for &(function, begin) in stack.iter().rev() {
        let is_traced = begin < off[function as usize];
        is_below &= is_off(function);
        // Who was switched off is there as long as something that began before is inside of it.
        let stays = inside.is_some_and(|inside| inside < off[function as usize]);
        if is_below {
            path.push(function);
        } else if is_traced && (!is_off(function) || stays) {
            path.push(function);
            inside = Some(begin);
        }
    }
    path.iter().rev().map(|function| format!("f{function}")).collect()
}

fn total(profile: &Profile) -> i64 {
    profile.metric_total(MetricId(0)).0
}

fn step() -> impl Strategy<Value = (bool, u32, u64)> {
    (any::<bool>(), 1u32..3, 0u64..4)
}

proptest! {
    /// Where every period has its sample, the tree is that of what really ran, but that a switched-off function
    /// is not seen between two that are traced.
    #[test]
    fn samples_of_all_periods_tell_all(
        steps in prop::collection::vec(step(), 0..40),
        off in prop::array::uniform2(prop_oneof![0u64..60, Just(u64::MAX)]),
    ) {
        let (ran, off) = (ran(&steps), [u64::MAX, off[0], off[1]]);
        let end = ran[0].2;
        let stacks: Vec<_> = (0..end).map(|period| open_in(&ran, period)).collect();
        let seen: Vec<_> = (1..).zip(&stacks)
            .map(|(at, stack)| (at, stack.iter().map(|&(function, _)| function).collect()))
            .collect();
        let (profile, _) = read(&file(events(&ran, &off), &off, &seen));
        let mut plain: BTreeMap<Vec<String>, i64> = BTreeMap::new();
        for (period, stack) in (0..).zip(&stacks) {
            *plain.entry(shown(stack, &off, period)).or_default() += PERIOD as i64;
        }
        let self_times_by_path = self_times_by_path(&profile).into_iter().map(|(path, (time, _))| (path, time));
        let self_times_by_path: BTreeMap<_, _> = self_times_by_path.filter(|(_, time)| *time > 0).collect();
        prop_assert_eq!(self_times_by_path, plain);
    }

    /// Whatever samples say, time is only moved, and spans lie in each other.
    #[test]
    fn time_is_only_moved(
        steps in prop::collection::vec(step(), 0..40),
        off in prop::array::uniform2(prop_oneof![0u64..60, Just(u64::MAX)]),
        seen in prop::collection::vec((0u64..9, prop::collection::vec(0u32..4, 0..5)), 0..30),
    ) {
        let (ran, off) = (ran(&steps), [u64::MAX, off[0], off[1]]);
        let mut at = 0;
        let seen: Vec<_> = seen.into_iter()
            .map(|(since, stack)| { at += since; (at, stack) })
            .collect();
        let words = events(&ran, &off);
        let (without, _) = read(&file(words.clone(), &off, &[]));
        let (profile, _) = read(&file(words, &off, &seen));
        prop_assert_eq!(total(&profile), total(&without));
        let spans = &profile.timeline.spans;
        let thread = profile.timeline.tracks.len() as u32 - 1;
        let mut open: Vec<i64> = vec![];
        for row in spans.of_track(profile::TrackId(thread)) {
            let span = spans.get(row);
            while open.last().is_some_and(|&end| end <= span.begin) {
                open.pop();
            }
            prop_assert!(open.last().is_none_or(|&end| span.end() <= end));
            open.push(span.end());
        }
    }
}

/// Main runs for so many periods, f1 was called twice in it, for ten periods each, and is switched off.
fn twice(periods: u64) -> (Vec<Word>, [u64; 3]) {
    let word =
        |happened, function, since: u64| Word::new(happened, function, (since * PERIOD) as u32);
    let words = vec![
        word(Happened::Call, 0, 0),
        word(Happened::Call, 1, 0),
        word(Happened::Return, 1, 10),
        word(Happened::Call, 1, 0),
        word(Happened::Return, 1, 10),
        word(Happened::Return, 0, periods - 20),
    ];
    (words, [u64::MAX, 20, u64::MAX])
}

fn estimate_of(profile: &Profile) -> Option<LaterEstimate> {
    assert_eq!(profile.switched_off.len(), 1);
    profile.switched_off[0].estimate
}

#[test]
fn calls_beyond_the_limit_are_not_counted() {
    let (words, off) = twice(1020);
    let seen = (21..=1020).map(|at| (at, [vec![0], vec![0, 1]][(at % 4 == 0) as usize].clone()));
    let seen: Vec<_> = seen.collect();
    let (profile, _) = read(&file(words, &off, &seen));
    let [f0, f1] = [vec!["f0".to_owned()], vec!["f0".to_owned(), "f1".to_owned()]];
    // 250 of 1000 periods; of their calls nothing is known.
    assert_eq!(
        self_times_by_path(&profile),
        BTreeMap::from([(f0, (750_000, 1)), (f1, (270_000, 2))])
    );
    assert_eq!(profile.metrics[1].name, "calls (at least)");
    assert_eq!(profile.metric_total(MetricId(2)).0, 1_020_000);
    let estimate = estimate_of(&profile).unwrap();
    assert_eq!((estimate.time_ns, estimate.samples, estimate.of_samples), (250_000, 250, 1000));
}

#[test]
fn without_samples_nothing_is_moved_and_the_function_says_so() {
    let (words, off) = twice(1020);
    let (profile, warnings) = read(&file(words, &off, &[]));
    assert_eq!(estimate_of(&profile), None);
    assert!(warnings[0].0.contains("their later time counts for their callers"), "{warnings:?}");
    let f1 = vec!["f0".to_owned(), "f1".to_owned()];
    assert_eq!(self_times_by_path(&profile)[&f1], (20_000, 2));
}

#[test]
fn samples_that_do_not_fit_move_nothing_and_are_counted() {
    let (words, off) = twice(100);
    // f2 was not called then, by the trace.
    let seen: Vec<_> = (30..50).map(|at| (at, vec![0, 2, 1])).collect();
    let (profile, warnings) = read(&file(words, &off, &seen));
    assert_eq!(estimate_of(&profile).map(|one| (one.time_ns, one.samples)), Some((0, 0)));
    let found = warnings.iter().find(|(message, _)| message.contains("callers are not those"));
    assert_eq!(found.map(|(_, count)| *count), Some(20), "{warnings:?}");
}

/// Samples are far apart, and what they stand for is taken from the same function later.
#[test]
fn what_a_stretch_does_not_have_is_paid_by_others() {
    let word = |happened, function, since: u64| Word::new(happened, function, since as u32);
    let mut words = vec![word(Happened::Call, 0, 0), word(Happened::Call, 1, 0)];
    words.push(word(Happened::Return, 1, 500));
    // f2 is called a thousand times for 100 ns, in which it calls f1 for half of that.
    for _ in 0..1000 {
        words.extend([word(Happened::Call, 2, 0), word(Happened::Return, 2, 100)]);
    }
    words.push(word(Happened::Return, 0, 0));
    let off = [u64::MAX, 0, u64::MAX];
    let seen = (2..=99).map(|at| (at, [vec![0, 2], vec![0, 2, 1]][at as usize % 2].clone()));
    let seen: Vec<_> = seen.collect();
    let (profile, _) = read(&file(words, &off, &seen));
    let f1 = vec!["f0".to_owned(), "f2".to_owned(), "f1".to_owned()];
    let time = self_times_by_path(&profile)[&f1].0;
    assert!((48_000..=50_000).contains(&time), "{time}");
}

/// What a function of C calls back was seen below it; what calls a function of C leaves it its time.
#[test]
fn functions_of_c_are_not_seen_by_samples() {
    let word =
        |happened, function, since: u64| Word::new(happened, function, (since * PERIOD) as u32);
    for is_called_back in [true, false] {
        let mut words = vec![word(Happened::Call, 0, 0)];
        let call = [word(Happened::Call, 1, 0), word(Happened::Return, 1, 10)];
        let begin = word(Happened::Call, 3, 0);
        if is_called_back {
            words.push(begin);
            words.extend(call);
        } else {
            words.extend(call);
            words.push(begin);
        }
        words.push(word(Happened::Return, 3, 90));
        words.push(word(Happened::Return, 0, 0));
        let off = [u64::MAX, 10, u64::MAX];
        let seen: Vec<_> = (11..=100).map(|at| (at, vec![0, 1])).collect();
        let (profile, warnings) = read(&file(words, &off, &seen));
        let path = ["f0", "f3", "f1"].map(str::to_owned).to_vec();
        let below = self_times_by_path(&profile).get(&path).map(|(time, _)| *time);
        assert_eq!(below, is_called_back.then_some(100_000));
        let told_of_c = warnings.iter().any(|(message, _)| message.contains("function of C which"));
        assert_eq!(told_of_c, !is_called_back, "{warnings:?}");
    }
}

/// A leaf is switched off while it runs, and samples right after that are of what its caller called next.
#[test]
fn what_is_over_calls_nothing_more() {
    let word =
        |happened, function, since: u64| Word::new(happened, function, (since * PERIOD) as u32);
    let words = vec![
        word(Happened::Call, 0, 0),
        word(Happened::Call, 2, 0),
        word(Happened::Return, 2, 5),
        word(Happened::Call, 1, 0),
        word(Happened::Return, 0, 95),
    ];
    let off = [u64::MAX, 10, 10];
    let seen: Vec<_> = (11..=100).map(|at| (at, vec![0, 2, 2])).collect();
    let (profile, _) = read(&file_with_slack(words, &off, &seen, 3 * PERIOD));
    let self_times_by_path = self_times_by_path(&profile);
    let path = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(self_times_by_path[&path(&["f0", "f2", "f2"])].0, 90_000, "{self_times_by_path:?}");
    assert!(
        self_times_by_path.keys().all(|stack| !stack.starts_with(&path(&["f0", "f1", "f2"]))),
        "{self_times_by_path:?}"
    );
}
