//! Whether a recording can be trusted, told while it can still be made again.

use std::collections::{BTreeMap, BTreeSet};

use super::events::{self, Group};
use super::facts::{Facts, Thread};
use crate::manifest::{Event, Run, Sampling};
use crate::{CallGraph, Finding, PerfOptions};

/// More lost records than this are a warning.
const LOST: f64 = 0.01;
/// More stacks than this that may be cut are told.
const TRUNCATED: f64 = 0.05;
/// Fewer samples of a clock than this share of those asked for are a warning.
const REACHED: f64 = 0.8;
/// Below so many samples, rates say nothing.
const ENOUGH: f64 = 100.0;

/// What is to be known of a run.
pub(super) fn findings(
    options: &PerfOptions,
    events: &[Event],
    run: &Run,
    facts: &Facts,
) -> Vec<Finding> {
    let mut by_event: BTreeMap<&str, u64> = BTreeMap::new();
    for ((event, _), count) in &facts.samples {
        *by_event.entry(event).or_default() += count;
    }
    let all: u64 = by_event.values().sum();
    if all == 0 {
        return vec![Finding::error(
            "there is no sample in it",
            "let the command run longer, or raise --frequency",
        )];
    }
    let mut findings = vec![];
    findings.extend(facts.damage());
    findings.extend(silent_events(events, run, &by_event));
    findings.extend(silent_threads(options, facts));
    findings.extend(rate(events, run, &by_event));
    let share = |part: u64, whole: u64| part as f64 / (whole.max(1)) as f64;
    let lost = share(facts.lost, all.saturating_add(facts.lost));
    if facts.lost > 0 {
        let what = format!("{} of its records were lost ({:.1} %)", facts.lost, lost * 100.0);
        let advice = "write less: a lower --frequency, --call-graph fp; or larger buffers: --perf \
                      '--mmap-pages 2048'";
        findings.push(if lost > LOST {
            Finding::warning(what, advice)
        } else {
            Finding::note(what, "")
        });
    }
    if facts.throttled > 0 {
        let what = format!("the kernel held events back {} times: counts are low", facts.throttled);
        findings.push(Finding::warning(
            what,
            "lower --frequency, or raise kernel.perf_event_max_sample_rate",
        ));
    }
    let cut = share(facts.full_copies, facts.stack_copies);
    if options.call_graph == CallGraph::Dwarf && cut > TRUNCATED {
        let what = format!(
            "{:.0} % of the copies of stacks are full: outer frames may be missing",
            cut * 100.0
        );
        findings.push(Finding::note(what, "copy more of each: --perf '--call-graph dwarf,32768'"));
    }
    findings
}

fn silent_events<'a>(
    events: &'a [Event],
    run: &'a Run,
    by_event: &'a BTreeMap<&str, u64>,
) -> impl Iterator<Item = Finding> + 'a {
    let is_read = |name: &String| {
        events.iter().any(|event| event.name == *name && event.sampling == Some(Sampling::Read))
    };
    let silent = run.events.iter().filter(|event| !by_event.contains_key(event.as_str()));
    let silent = silent.filter(move |event| !is_read(event));
    silent.map(|event| {
        let what = format!("no sample of {event}: it happened too seldom, or was not recorded");
        Finding::note(what, "count it (--count), or give it a shorter period")
    })
}

/// Group reads, for one, do not follow new threads before Linux 6.12.
fn silent_threads(options: &PerfOptions, facts: &Facts) -> Option<Finding> {
    let heard: BTreeSet<u32> = facts.samples.keys().map(|(_, thread)| *thread).collect();
    // One that lived for less need not have been met by a sample.
    let long = 20_000_000_000 / u64::from(options.frequency.max(1));
    let lived = |thread: &Thread| thread.last_ns.saturating_sub(thread.first_ns) >= long;
    let threads = facts.threads.iter().filter(|(_, thread)| lived(thread));
    let threads: BTreeSet<u32> = threads.map(|(id, _)| *id).collect();
    let silent = threads.difference(&heard).count();
    if silent == 0 || threads.len() < 2 {
        return None;
    }
    let what = format!("{silent} of {} threads have no sample", threads.len());
    let reads_groups = events::parse(&options.events.join("\n"))
        .is_ok_and(|groups| groups.iter().any(Group::is_read_together));
    let advice = if reads_groups {
        "threads that wait or end soon have none; if these did work, record without group reads (:S)"
    } else {
        "threads that wait or end soon have none"
    };
    Some(if silent * 2 > threads.len() {
        Finding::warning(what, advice)
    } else {
        Finding::note(what, advice)
    })
}

/// A clock ticks as long as the command runs on a processor, so its samples are known beforehand.
fn rate(events: &[Event], run: &Run, by_event: &BTreeMap<&str, u64>) -> Option<Finding> {
    // In user mode alone it ticks for a part of that.
    let is_whole = |event: &&Event| event.is_time && !event.name.contains([':', '/']);
    let mut clocks = events.iter().filter(is_whole);
    let clock = clocks.find(|event| run.events.contains(&event.name))?;
    let Some(Sampling::Frequency(asked)) = clock.sampling else { return None };
    let seconds = run.course.cpu_ns as f64 / 1e9;
    let wanted = f64::from(asked) * seconds;
    let samples = *by_event.get(clock.name.as_str())? as f64;
    (wanted >= ENOUGH && samples < REACHED * wanted).then(|| {
        let reached = samples / seconds;
        Finding::warning(
            format!("{reached:.0} samples a second were taken, {asked} were requested"),
            "lower --frequency to what is reached, or look for what keeps the processors busy",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{Course, RunKind};

    /// Two threads at work for a second, with a sample each millisecond.
    fn facts() -> Facts {
        let thread = Thread { first_ns: 1, last_ns: 1_000_000_001, ..Thread::default() };
        let samples = [1, 2].map(|id| (("cpu-clock".to_owned(), id), 990));
        Facts {
            samples: samples.into(),
            threads: [1, 2].map(|id| (id, thread.clone())).into(),
            ..Facts::default()
        }
    }

    fn messages(options: &PerfOptions, change: impl FnOnce(&mut Facts)) -> Vec<String> {
        let mut facts = facts();
        change(&mut facts);
        let event = |name: &str, sampling, is_time| Event {
            name: name.to_owned(),
            sampling: Some(sampling),
            set: None,
            is_time,
        };
        let events = [
            event("cpu-clock", Sampling::Frequency(997), true),
            event("faults", Sampling::Read, false),
        ];
        let run = Run {
            number: 1,
            kind: RunKind::Sampled,
            file: None,
            size: 0,
            events: events.iter().map(|event| event.name.clone()).collect(),
            status: None,
            course: Course { cpu_ns: 2_000_000_000, ..Course::default() },
            holds: None,
            counts: vec![],
            threads: vec![],
            findings: vec![],
        };
        let findings = findings(options, &events, &run, &facts);
        findings.iter().map(|f| format!("{}: {}", f.severity.name(), f.what)).collect()
    }

    #[track_caller]
    fn check(change: impl FnOnce(&mut Facts), expected: &[&str]) {
        assert_eq!(messages(&PerfOptions::default(), change), expected);
    }

    #[test]
    fn a_good_recording_is_not_talked_of() {
        check(|_| {}, &[]);
    }

    #[test]
    fn reports_what_is_missing() {
        check(|facts| facts.samples.clear(), &["error: there is no sample in it"]);
        check(
            |facts| {
                facts.samples.remove(&("cpu-clock".to_owned(), 2));
            },
            &[
                "note: 1 of 2 threads have no sample",
                "warning: 495 samples a second were taken, 997 were requested",
            ],
        );
        // One that ended at once need not have any.
        check(
            |facts| {
                facts.threads.insert(3, Thread { first_ns: 5, last_ns: 6, ..Thread::default() });
            },
            &[],
        );
    }

    #[test]
    fn reports_what_was_lost() {
        check(|facts| facts.lost = 5, &["note: 5 of its records were lost (0.3 %)"]);
        check(|facts| facts.lost = 220, &["warning: 220 of its records were lost (10.0 %)"]);
        check(
            |facts| facts.throttled = 3,
            &["warning: the kernel held events back 3 times: counts are low"],
        );
        check(|facts| facts.damaged = 1, &["warning: 1 of its records cannot be read"]);
    }

    #[test]
    fn reports_copies_of_stacks_that_are_full() {
        let options = PerfOptions { call_graph: CallGraph::Dwarf, ..PerfOptions::default() };
        let full = |facts: &mut Facts| {
            facts.stack_copies = 1980;
            facts.full_copies = 990;
        };
        let expected = "note: 50 % of the copies of stacks are full: outer frames may be missing";
        assert_eq!(messages(&options, full), [expected]);
        assert_eq!(messages(&PerfOptions::default(), full), [""; 0]);
    }
}
