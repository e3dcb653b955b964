//! The layouts of `perf script`, and `perf report` as the measure.

use std::collections::BTreeMap;

use crate::measured::{
    corpus, folded, metric, profile, sample, self_values, stacks, text, total_values, warnings,
};
use profile::{FrameId, MetricId};

/// The first table of a report, by event: rows of numbers and the symbol.
fn report(name: &str) -> BTreeMap<String, Vec<(Vec<i64>, String)>> {
    let report = text(&format!("perf-script/reports/{name}.txt"));
    let mut events = BTreeMap::<String, Vec<_>>::new();
    let mut event = String::new();
    for line in report.split("\n$ ").next().unwrap().lines() {
        if let Some((_, name)) = line.split_once("of event '") {
            name.trim_end_matches('\'').clone_into(&mut event);
        } else if !line.starts_with(['#', '$']) {
            let (numbers, symbol) = line.split_once('[').unwrap();
            let numbers = numbers.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            let symbol = symbol.split_once("] ").unwrap().1.to_owned();
            events.entry(event.clone()).or_default().push((numbers, symbol));
        }
    }
    assert!(!events.is_empty());
    events
}

#[test]
fn samples_and_periods_are_those_of_perf_report() {
    for (name, recording, has_periods) in [
        ("default", "events", true),
        ("header", "events", true),
        ("all-fields", "events", true),
        ("task-events", "events", true),
        ("symoff", "events", false),
        ("no-inline", "inlined", true),
        ("inlined", "inlined", true),
        ("inlined-srcline", "inlined", true),
        ("flat", "flat", true),
        ("tracepoint", "tracepoint", true),
    ] {
        let found = sample(&format!("perf-script/{name}.perf-script"));
        for (event, rows) in report(&format!("{recording}.perf-report.no-children")) {
            let index = metric(&found, &event);
            let own = physical_self(&found, index.index());
            for (numbers, symbol) in &rows {
                let [samples, period] = numbers[..] else { panic!("{numbers:?}") };
                let expected = if has_periods { period } else { samples };
                // With inlined frames perf script prints the name from the debug information.
                let is_renamed = symbol.starts_with("cfree") && name.starts_with("inlined");
                let symbol = if is_renamed { "__GI___libc_free" } else { symbol };
                assert_eq!(own.get(symbol), Some(&expected), "{name}: {event} in {symbol}");
            }
            let sum: i64 = rows.iter().map(|(n, _)| n[usize::from(has_periods)]).sum();
            assert_eq!(found.metric_total(index).0, sum, "{name}: {event}");
        }
    }
    check_real_files();
}

/// Self values of the functions that hold inlined ones, which perf report counts for those.
fn physical_self(found: &profile::Profile, index: usize) -> BTreeMap<String, i64> {
    let mut sums = BTreeMap::new();
    for (row, &at) in found.points.context.iter().enumerate() {
        let frame = FrameId(found.frames_of(at).start);
        *sums.entry(found.frame_name(frame).into_owned()).or_default() +=
            found.points.row(row)[index];
    }
    sums
}

#[test]
fn totals_of_callers_are_those_of_perf_report() {
    let mut compared = 0;
    for (name, recording) in
        [("default", "events"), ("inlined", "inlined"), ("tracepoint", "tracepoint")]
    {
        let found = sample(&format!("perf-script/{name}.perf-script"));
        for (event, rows) in report(&format!("{recording}.perf-report.children")) {
            let index = metric(&found, &event);
            let (totals, sum) = (total_values(&found, index), found.metric_total(index).0);
            let report = text(&format!("perf-script/reports/{recording}.perf-report.children.txt"));
            for (_, symbol) in rows {
                let name_only = symbol.trim_end_matches(" (inlined)");
                if name_only.starts_with("0x") || !totals.contains_key(name_only) {
                    continue;
                }
                let share = 100.0 * totals[name_only] as f64 / sum as f64;
                let printed = format!("{share:.2}%");
                compared += usize::from(report.lines().any(|line| {
                    line.ends_with(&format!("] {symbol}"))
                        && line.trim_start().starts_with(&printed)
                }));
            }
        }
    }
    assert!(compared > 60, "only {compared} totals are equal");
}

#[test]
fn every_choice_of_fields_gives_the_same_stacks() {
    let names = |path: &str| -> Vec<String> {
        stacks(&sample(path)).into_iter().map(|(stack, _)| stack).collect()
    };
    let strip = |all: Vec<String>| -> Vec<String> {
        // Modules name places without symbols.
        let clean = |name: &str| {
            if name.contains("+0x") || name.starts_with("0x") {
                "?".to_owned()
            } else {
                name.to_owned()
            }
        };
        all.iter().map(|stack| stack.split(';').map(clean).collect::<Vec<_>>().join(";")).collect()
    };
    let expected = strip(names("perf-script/default.perf-script"));
    for name in ["header", "all-fields", "symoff", "no-event", "ip-sym", "task-events"] {
        let found = strip(names(&format!("perf-script/{name}.perf-script")));
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn threads_processors_and_times() {
    let found = sample("perf-script/task-events.perf-script");
    let names: Vec<_> =
        (0..found.threads.len()).map(|i| found.thread_name(profile::ThreadId(i as u32))).collect();
    assert!(names.contains(&"hash/1: b [x] 7 (22801)".to_owned()), "{names:?}");
    assert!(names.contains(&"apple picker (22799)".to_owned()), "{names:?}");
    let first = &found.threads[found.points.thread(0).unwrap().index()];
    assert_eq!(found.process_name(first.process.unwrap()), "orchard (22797)");
    assert_eq!(found.points.time(0), Some(0));
    assert_eq!(found.points.time(1), Some(49_000));
    assert_eq!(found.origin.clock_ns, 11_996_540_074_000);
    assert_eq!(found.points.cpu(0), Some(1));
    let found = sample("perf-script/header.perf-script");
    assert!(found.origin.comments.iter().any(|comment| comment == "hostname: demo"));
    assert_eq!(found.origin.producer, "perf 6.1.187");
}

#[test]
fn inlined_frames_are_one_location_with_lines() {
    let found = profile(
        "tree 5 1.000001:    100 cycles: \n\t            1220 mix+0x27\n  o.cpp:25 (inlined)\n\t\
         \x20           1220 scramble+0x27 (/opt/o)\n  o.cpp:30\n\t            13c9 grow+0x63 (/opt/o)\n\
         \x20 o.cpp:37 (discriminator 2)\n\n",
    );
    assert_eq!(folded(&found, MetricId(0)), ["grow;scramble;mix 100"]);
    assert_eq!(found.locations.len(), 2);
    assert_eq!(found.frames.line, [30, 25, 37]);
    assert_eq!(found.frame_file(FrameId(1)), "o.cpp");
    let inlined: Vec<_> = (0..3).map(|frame| found.is_inlined(FrameId(frame))).collect();
    assert_eq!(inlined, [false, true, false]);
}

#[test]
fn several_events_lost_ones_and_other_columns() {
    let input = "a 5 [000] 1.000000: 10 cycles:u: \n\t 12 f (/bin/a)\n 0x1/0x2/P/-/-/0  0x3/0x4/M/-/-/1 \n\n\
                 a 5 [000] 1.000001: PERF_RECORD_LOST lost 7\n\
                 a 5 [000] 1.000001: PERF_RECORD_SWITCH OUT\n\
                 a 5 [001] 0.999999: 3 task-clock: \n\t 12 f (/bin/a)\n\t 15 [unknown] (/tmp/x (deleted))\n\n";
    let found = profile(input);
    let metrics: Vec<_> =
        found.metrics.iter().map(|m| (m.name.as_str(), m.unit.as_str())).collect();
    assert_eq!(
        metrics,
        [("cycles:u", "count"), ("task-clock", "nanoseconds"), ("samples", "count")]
    );
    assert_eq!(stacks(&found)[1], ("x (deleted)+0x15;f".to_owned(), vec![0, 3, 1]));
    assert_eq!((found.points.time(0), found.points.time(1)), (Some(1000), Some(0)));
    let told = warnings(input);
    for word in ["branches", "lost", "PERF_RECORD_SWITCH"] {
        assert!(told.iter().any(|message| message.contains(word)), "{word}: {told:?}");
    }
}

#[test]
fn events_have_the_names_that_people_gave_them_and_periods_any_size() {
    let input = "a 1 [000] 1.0:  10 cpu_core/cycles/P: \n\t1 x+0x1 (/b)\n\n\
                 a 1 [000] 1.1:  20 cpu/event=0x3c,umask=0x0,name=my ev/: \n\t2 y+0x2 (/b)\n\n\
                 a 1 [000] 1.2:  30 my own: \n\t1 x+0x3 (/b)\n\n\
                 a 1 [000] 1.3:  9223372036854775809 huge: \n\t1 x+0x3 (/b)\n\n";
    let found = profile(input);
    let totals: Vec<_> = found
        .metric_ids()
        .map(|id| (found.metric(id).name.as_str(), found.metric_total(id).0))
        .collect();
    let wanted = [
        ("cpu_core/cycles/P", 10),
        ("my ev", 20),
        ("my own", 30),
        ("huge", i64::MAX),
        ("samples", 4),
    ];
    assert_eq!(totals, wanted);
    let told = warnings(input);
    assert!(told.iter().any(|told| told.contains("more than 63 bits")), "{told:?}");
}

#[test]
fn tracepoints_count_one_and_keep_their_fields() {
    let found = sample("perf-script/tracepoint.perf-script");
    let labels = found.label_sets.get(found.points.labels(0)).count();
    assert_eq!((found.metrics[0].name.as_str(), labels), ("sched:sched_switch", 1));
    let bare = profile(
        "x 1 [000] 5.0: irq:softirq: vec=1 [action=TIMER]\nx 1 [000] 5.1: irq:softirq: vec=2\n",
    );
    assert_eq!(bare.metric_total(MetricId(0)).0, 2);
}

/// The same of real files, where they are.
fn check_real_files() {
    let Some(bytes) = corpus("perf-script/simple.txt") else { return };
    let found = profile(bytes);
    assert_eq!(found.metric_total(MetricId(0)).0, 1_001_001);
    assert_eq!(found.metrics[0].unit, "nanoseconds");
    let Some(bytes) = corpus("perf-script/simple-with-header.txt") else { return };
    let text = String::from_utf8(bytes).unwrap();
    let found = profile(&text);
    let count = text.matches(" cpu-clock: ").count() as i64;
    assert_eq!(found.metric_total(metric(&found, "samples")).0, count);
    assert_eq!(found.metric_total(MetricId(0)).0, count * 1_001_001);
    let leaves = text.split("cpu-clock: \n").skip(1);
    let alpha = leaves.filter(|s| s.lines().next().unwrap().contains("_Z5alphav")).count() as i64;
    assert_eq!(self_values(&found, MetricId(1))["_Z5alphav"], alpha);
    let Some(bytes) = corpus("perf-script/forks.txt") else { return };
    let text = String::from_utf8(bytes).unwrap();
    let found = profile(&text);
    let count = text.matches(" cpu-clock: ").count() as i64;
    assert_eq!(found.metric_total(metric(&found, "samples")).0, count);
}

/// What simpleperf's `report_sample.py` prints: a tab behind the address.
#[test]
fn samples_of_simpleperf_as_text() {
    let text = "com.example.app\t123/456 [002] 12345.678901:\t\t1000 cpu-cycles:u:\n\
                \x20     7d3c1a2b40\tart::Thread::Run (/apex/lib64/libart.so)\n\
                ffffffc010081c04\tel0_sync ([kernel.kallsyms])\n\
                \x20     7d3c1a0000\t__start_thread (/lib64/libc.so)\n\n\
                com.example.app\t123/456 [002] 12345.679901:\t\t500 cpu-cycles:u:\n\n";
    let found = crate::measured::profile(text);
    let event = crate::measured::metric(&found, "cpu-cycles:u");
    let expected = ["(no stack) 500", "__start_thread;el0_sync;art::Thread::Run 1000"];
    assert_eq!(crate::measured::folded(&found, event), expected);
    let modules: Vec<_> = found.modules.iter().map(|module| found.text(module.name)).collect();
    assert!(modules.contains(&"/apex/lib64/libart.so"), "{modules:?}");
    assert_eq!(found.points.time(1), Some(1_000_000));
}

#[test]
fn a_file_most_of_whose_lines_are_skipped_is_refused() {
    let start = "app 1/1 [000] 1.000000: 1 cycles:\n\t1000 main (/bin/app)\n\n";
    let rest: String = (0..9).map(|row| format!("nothing of perf {row} here\n")).collect();
    let error = crate::measured::read(format!("{start}{rest}")).unwrap_err();
    assert!(error.to_string().contains("lines are not understood"), "{error}");
    assert!(error.hint().contains("--from"), "{}", error.hint());
}

#[test]
fn stacks_without_indentation_or_behind_an_empty_line_belong_to_their_sample() {
    let text = "java 19983 cycles:\n\
        ffffffff8103d0ca native_write_msr_safe ([kernel.kallsyms])\n\
        7f8a0bb86d35 JavaMain (/usr/lib/jvm/libjli.so)\n\n\
        java 19983 cycles:\n\
        ffffffff8103d0ca native_write_msr_safe ([kernel.kallsyms])\n";
    let found = profile(text);
    assert_eq!(found.origin.format, "perf-script");
    assert_eq!(
        folded(&found, MetricId(0)),
        ["JavaMain;native_write_msr_safe 1", "native_write_msr_safe 1"]
    );
    let text = "worker 26037  8801.193547:     250000 cpu-clock:uhH:\n\
        \t          401b97 main+0x1f (/tmp/worker)\n\n\
        worker 26037  8801.194312:     250000 cpu-clock:uhH:\n\n\
        \t          401b94 main+0x1c (/tmp/worker)\n\n\
        worker 26037  8801.195312:     250000 cpu-clock:uhH:\n\n\
        # a comment\n";
    let found = profile(text);
    assert_eq!(found.points.len(), 3);
    let period = metric(&found, "cpu-clock:uhH");
    assert_eq!(folded(&found, period), ["(no stack) 250000", "main 500000"]);
}
