//! What threads did is told where each switch was recorded, and only there.

use perfdata::Attr;
use perfdata::attr::{flag, sample};
use profile::{Profile, Timing};

use crate::measured::{metric, profile, warnings};
use crate::scheduled::{At, RUNNABLE, SLEEPING, Scheduled};

fn at(time: u64, cpu: u32) -> At {
    At { time, cpu }
}

fn has(found: &Profile, name: &str) -> bool {
    found.metrics.iter().any(|metric| metric.name == name)
}

fn total(found: &Profile, name: &str) -> i64 {
    found.metric_total(metric(found, name)).0
}

/// By thread, its values of a metric.
fn by_thread(found: &Profile, name: &str) -> Vec<(String, i64)> {
    let metric = metric(found, name);
    let mut sums = std::collections::BTreeMap::<String, i64>::new();
    for point in 0..found.points.len() {
        let Some(thread) = found.points.thread(point) else { continue };
        *sums.entry(found.thread_name(thread)).or_default() += found.points.value(point, metric);
    }
    sums.into_iter().filter(|(_, sum)| *sum != 0).collect()
}

fn without_cpus(attr: Attr) -> Attr {
    let sample = perfdata::SampleFields(attr.sample.0 & !sample::CPU);
    Attr { sample, ..attr }
}

fn by_frequency(attr: Attr) -> Attr {
    Attr { period: 997, flags: attr.flags | flag::FREQ, ..attr }
}

/// Of a program that is recorded alone nothing switches away from a thread that ends.
#[test]
fn a_thread_that_ends_while_it_runs_runs_until_then() {
    let mut made = Scheduled::new(false, &[7, 8]);
    made.record(at(1000, 0), 7, false, false);
    made.record(at(1400, 0), 7, true, false);
    made.record(at(1500, 1), 7, false, false);
    made.record(at(1600, 0), 8, false, false);
    made.exit(at(2500, 1), 7);
    made.exit(at(4000, 0), 8);
    // The number is another thread's from here on.
    made.record(at(5000, 0), 8, false, false);
    made.exit(at(5100, 0), 8);
    let found = profile(made.finish());
    assert_eq!(
        by_thread(&found, "run time"),
        [("t7 (7)".to_owned(), 1400), ("t8 (8)".to_owned(), 2500)]
    );
    assert_eq!(total(&found, "runs"), 4);
    assert_eq!(total(&found, "off-CPU time"), 100, "what has ended is not away");
    assert_eq!(found.origin.duration_ns, 4100);
}

/// Of all processors, its processor goes to another one yet.
#[test]
fn a_thread_that_leaves_after_its_end_ran_until_it_left() {
    let mut made = Scheduled::new(false, &[7]);
    made.record(at(1000, 0), 7, false, false);
    made.exit(at(1500, 0), 7);
    made.record(at(1600, 0), 7, true, true);
    made.record(at(1700, 0), 7, false, false);
    made.record(at(1750, 0), 7, true, false);
    let found = profile(made.finish());
    assert_eq!(total(&found, "run time"), 600 + 50);
}

#[test]
fn what_runs_still_does_so_until_the_recording_ends() {
    let mut made = Scheduled::new(false, &[7, 8]);
    made.record(at(1000, 0), 7, false, false);
    made.record(at(1200, 1), 8, false, false);
    made.record(at(1700, 1), 8, true, false);
    let bytes = made.finish();
    let found = profile(&bytes);
    assert_eq!(
        by_thread(&found, "run time"),
        [("t7 (7)".to_owned(), 700), ("t8 (8)".to_owned(), 500)]
    );
    assert!(!has(&found, "off-CPU time"));
    // Of a file that is cut nobody knows when that was.
    let cut = profile(&bytes[..bytes.len() - 8]);
    let cut = if has(&cut, "run time") { total(&cut, "run time") } else { 0 };
    assert!(cut <= 1200, "{cut}");
    let mut made = Scheduled::new(false, &[7]);
    made.switch(at(1000, 0), (0, RUNNABLE), 7, 0x10);
    made.wake(true, at(3000, 1), 9, 8, 0x10);
    assert_eq!(total(&profile(made.finish()), "run time"), 2000);
}

/// A program that is recorded from its start on has no record of coming, nor has what ran on a processor
/// when all of them began to be recorded.
#[test]
fn what_ran_already_did_so_since_the_recording_began() {
    let mut made = Scheduled::new(false, &[7, 8]);
    made.wake(true, at(1000, 0), 7, 8, 0x10);
    made.record(at(1300, 1), 8, false, false);
    made.record(at(1900, 0), 7, true, false);
    made.record(at(2000, 0), 7, false, false);
    made.exit(at(2050, 0), 7);
    made.record(at(2100, 1), 8, true, false);
    // One that ended has no number any more; a processor that was recorded cannot have had another.
    made.record(at(2200, 2), u32::MAX, true, false);
    made.record(at(2300, 1), 9, true, false);
    let found = profile(made.finish());
    assert_eq!(
        by_thread(&found, "run time"),
        [("t7 (7)".to_owned(), 900 + 50), ("t8 (8)".to_owned(), 800)]
    );
    assert_eq!(total(&found, "off-CPU time"), 100);

    let mut made = Scheduled::new(false, &[7, 8]);
    made.switch(at(1000, 0), (0, RUNNABLE), 7, 0x10);
    made.switch(at(1600, 1), (8, SLEEPING), 0, 0x10);
    made.switch(at(1700, 0), (7, SLEEPING), 0, 0x10);
    let found = profile(made.finish());
    assert_eq!(
        by_thread(&found, "run time"),
        [("t7 (7)".to_owned(), 700), ("t8 (8)".to_owned(), 600)]
    );
}

/// `perf record --overwrite`: what each buffer has begins at another time.
#[test]
fn where_buffers_keep_what_came_last_nobody_knows_what_ran_before() {
    let backward = |attr: Attr| Attr { flags: attr.flags | flag::WRITE_BACKWARD, ..attr };
    let mut made = Scheduled::with(false, &[7, 8], backward);
    made.record(at(1000, 0), 7, false, false);
    made.record(at(9000, 1), 8, true, false);
    made.record(at(9100, 0), 7, true, false);
    assert_eq!(by_thread(&profile(made.finish()), "run time"), [("t7 (7)".to_owned(), 8100)]);
}

/// `perf record -e sched:sched_switch` of one program: others come into sight when one of its threads
/// leaves, and nothing tells when they leave.
#[test]
fn of_one_program_nothing_is_known_of_what_others_do() {
    let mut made = Scheduled::new(false, &[7, 8]);
    made.switch(at(1000, 0), (7, SLEEPING), 8, 0x10);
    made.exit(at(1800, 0), 8);
    made.switch(at(3000, 0), (7, SLEEPING), 99, 0x10);
    made.wake(true, at(9000, 1), 7, 8, 0x10);
    let found = profile(made.finish());
    // What was seen by chance is on the timeline, and no figure.
    for name in ["run time", "runs", "off-CPU time", "off-CPU intervals"] {
        assert!(!has(&found, name), "{name}");
    }
    let spans = &found.timeline.spans;
    assert_eq!((0..spans.len()).map(|row| spans.length(row)).max(), Some(800));
}

#[test]
fn switches_that_were_sampled_tell_no_times() {
    let switches = |made: &mut Scheduled| {
        made.switch(at(1000, 0), (0, RUNNABLE), 7, 0x10);
        made.wake(true, at(1500, 0), 7, 8, 0x10);
        made.switch(at(9000, 0), (7, SLEEPING), 8, 0x10);
        made.migrate(at(9500, 0), 8, 7, [0, 1]);
    };
    let mut whole = Scheduled::new(false, &[7, 8]);
    switches(&mut whole);
    assert_eq!(total(&profile(whole.finish()), "run time"), 8000 + 500);
    let one_of_two = |attr: Attr| Attr { period: 2, ..attr };
    let mut all = vec![];
    for asked in [by_frequency as fn(Attr) -> Attr, one_of_two] {
        let mut made = Scheduled::with(false, &[7, 8], asked);
        switches(&mut made);
        all.push((made.finish(), "-c 1"));
    }
    let mut made = Scheduled::new(false, &[7, 8]);
    switches(&mut made);
    made.lose_samples(3);
    all.push((made.finish(), "larger buffers (-m)"));
    for (bytes, advice) in all {
        let found = profile(&bytes);
        for name in ["run time", "off-CPU time", "run-queue time", "migrations"] {
            assert!(!has(&found, name), "{name}");
        }
        assert!(found.timeline.spans.is_empty() && found.timeline.flows.is_empty());
        let told = warnings(&bytes);
        assert!(told.iter().any(|text| text.contains(advice)), "{told:?}");
    }
}

/// `perf record -F 997 -e sched:sched_switch --switch-events`: records are whole though tracepoints are
/// not.
#[test]
fn records_tell_times_where_tracepoints_were_sampled() {
    let mut made = Scheduled::with(true, &[7], by_frequency);
    made.record(at(1000, 0), 7, false, false);
    made.record(at(2001, 0), 7, true, false);
    made.record(at(3000, 0), 7, false, false);
    made.switch(at(4000, 0), (7, SLEEPING), 0, 0x70);
    made.record(at(4001, 0), 7, true, false);
    made.record(at(6001, 1), 7, false, false);
    made.exit(at(6101, 1), 7);
    let bytes = made.finish();
    let found = profile(&bytes);
    assert_eq!(total(&found, "run time"), 1001 + 1001 + 100);
    assert_eq!((total(&found, "off-CPU time"), total(&found, "migrations")), (999 + 2000, 1));
    // The one that was sampled says on which stack its thread left.
    assert!(found.points.has_links());
    let told = warnings(&bytes);
    assert!(!told.iter().any(|text| text.contains("switches were sampled")), "{told:?}");
}

#[test]
fn times_of_threads_need_no_processors() {
    let mut made = Scheduled::with(false, &[7], without_cpus);
    made.record(at(1000, 0), 7, false, false);
    made.record(at(1400, 0), 7, true, true);
    made.record(at(1500, 1), 7, false, false);
    made.exit(at(2500, 1), 7);
    let bytes = made.finish();
    let found = profile(&bytes);
    assert_eq!((total(&found, "run time"), total(&found, "off-CPU time")), (1400, 100));
    assert_eq!(total(&found, "run-queue time"), 100, "it could have gone on");
    assert!(!has(&found, "migrations") && !found.points.has_cpus());
    // They are of the time that they lasted.
    let run_time = metric(&found, "run time");
    assert_eq!(found.metric(run_time).timing, Timing::Length);
    let begins: Vec<_> = (0..found.points.len())
        .filter(|&point| found.points.value(point, run_time) != 0)
        .map(|point| found.points.time(point).unwrap() + found.origin.clock_ns)
        .collect();
    assert_eq!(begins, [1000, 1500]);
    let told = warnings(&bytes);
    assert!(told.iter().any(|text| text.contains("--sample-cpu would also say where")), "{told:?}");
}

#[test]
fn what_has_no_time_does_not_begin_the_recording() {
    let mut made = Scheduled::new(false, &[7]);
    made.wake(true, at(5_000_000, 0), 7, 8, 0x10);
    made.wake(true, at(7_000_000, 0), 7, 8, 0x10);
    made.lose_samples(3);
    let found = profile(made.finish());
    assert_eq!((found.origin.clock_ns, found.origin.duration_ns), (5_000_000, 2_000_000));
}

/// perf tells no name of it, and prints this one.
#[test]
fn what_runs_where_nothing_does_has_a_name() {
    let mut made = Scheduled::new(false, &[7]);
    made.wake(true, at(1000, 0), 0, 7, 0x10);
    made.wake(true, at(1010, 0), 7, 7, 0x10);
    let found = profile(made.finish());
    let names: Vec<_> =
        (0..2).map(|point| found.thread_name(found.points.thread(point).unwrap())).collect();
    assert_eq!(names, ["swapper (0)", "t7 (7)"]);
    let idle = found.threads[0].process.unwrap();
    assert_eq!(found.text(found.processes[idle.0 as usize].name), "swapper");
}

#[test]
fn samples_of_each_event_are_a_count() {
    let counted = |made: Scheduled| {
        let found = profile(made.finish());
        found.metric(metric(&found, "sched:sched_waking")).is_counted
    };
    let wake = |mut made: Scheduled| {
        made.wake(true, at(1000, 0), 7, 8, 0x10);
        made
    };
    assert!(counted(wake(Scheduled::new(false, &[7]))));
    assert!(!counted(wake(Scheduled::with(false, &[7], by_frequency))));
    let mut lossy = wake(Scheduled::new(false, &[7]));
    lossy.lose_samples(1);
    assert!(!counted(lossy));
}
