//! heaptrack's versions, and `heaptrack_print` as the measure.

use std::collections::BTreeMap;

use crate::measured::{folded, metric, profile, read, sample, text, warnings};
use profile::{FrameId, MetricId, Profile};

const SAMPLES: [(&str, &str); 3] = [
    ("heaptrack.larder.zst", "larder.zst"),
    ("heaptrack.larder-inlined.zst", "larder-inlined.zst"),
    ("heaptrack.larder-interpreted.gz", "larder-interpreted.gz"),
];

/// `15.13K` as heaptrack prints it: two digits, thousands.
fn printed(bytes: i64) -> String {
    match bytes {
        0..1000 => format!("{bytes}B"),
        1000..1_000_000 => format!("{:.2}K", bytes as f64 / 1000.0),
        _ => format!("{:.2}M", bytes as f64 / 1e6),
    }
}

#[test]
fn totals_are_those_of_heaptrack_print() {
    for (file, report) in SAMPLES {
        let found = sample(&format!("heaptrack/{file}"));
        let report = text(&format!("heaptrack/reports/{report}.totals.txt"));
        let line = |start: &str| {
            let line = report.lines().find_map(|line| line.strip_prefix(start)).unwrap();
            line.split_whitespace().next().unwrap().to_owned()
        };
        let total = |name: &str| found.metric_total(metric(&found, name)).0;
        assert_eq!(total("allocations").to_string(), line("calls to allocation functions: "));
        assert_eq!(
            total("temporary allocations").to_string(),
            line("temporary memory allocations: ")
        );
        assert_eq!(printed(total("peak")), line("peak heap memory consumption: "), "{file}");
        assert_eq!(printed(total("leaked")), line("total memory leaked: "), "{file}");
    }
}

/// The frames of a stack with their files, as heaptrack_print writes stacks: inlined ones before
/// the function that holds them.
fn as_printed(found: &Profile, row: usize) -> String {
    let mut path: Vec<_> =
        std::iter::successors(Some(found.points.context[row]), |&at| found.contexts.parent(at))
            .collect();
    path.reverse();
    let mut stack = String::new();
    for at in path {
        // What calls `main` is cut off, unless something was inlined into that.
        if let Some(innermost) = found.frames_of(at).map(FrameId).next_back()
            && found.frame_name(innermost) == "main"
        {
            stack.clear();
        }
        for frame in found.frames_of(at).rev().map(FrameId) {
            let name = match found.frames.function(frame).and_then(|f| found.function_name(f)) {
                Some(name) => name.to_owned(),
                None => {
                    let location = found.frames.location[frame.index()];
                    format!("{:#x}", found.locations.address[location.index()])
                }
            };
            stack.push_str(&name);
            if let Some(file) = found.frame_file(frame).rsplit('/').next().filter(|f| !f.is_empty())
            {
                stack.push_str(&format!(" ({file})"));
            }
            stack.push(';');
        }
    }
    stack
}

#[test]
fn every_stack_has_the_costs_of_heaptrack_print() {
    for (file, report) in SAMPLES {
        let found = sample(&format!("heaptrack/{file}"));
        for (name, kind) in [
            ("allocations", "allocations"),
            ("temporary allocations", "temporary"),
            ("peak", "peak"),
            ("leaked", "leaked"),
        ] {
            let index = metric(&found, name);
            let mut own = BTreeMap::<String, i64>::new();
            for row in 0..found.points.len() {
                *own.entry(as_printed(&found, row)).or_default() += found.points.value(row, index);
            }
            let mut expected = BTreeMap::<String, i64>::new();
            for line in text(&format!("heaptrack/reports/{report}.{kind}.stacks.txt")).lines() {
                let (stack, value) = line.rsplit_once(' ').unwrap();
                *expected.entry(stack.to_owned()).or_default() += value.parse::<i64>().unwrap();
            }
            assert_eq!(own, expected, "{file}: {kind}");
        }
    }
}

#[test]
fn raw_files_are_interpreted_but_for_names() {
    let raw = sample("heaptrack/heaptrack.larder.raw.zst");
    let named = sample("heaptrack/heaptrack.larder-interpreted.gz");
    for (id, metric) in raw.metric_ids().zip(&raw.metrics) {
        assert_eq!(raw.metric_total(id), named.metric_total(id), "{}", metric.name);
    }
    assert!(raw.functions.is_empty());
    let stacks = folded(&raw, MetricId(0));
    assert!(stacks.iter().all(|stack| stack.contains("+0x")), "{stacks:?}");
}

#[test]
fn peak_is_what_was_in_use_when_most_was() {
    let found = profile(
        "v 10200 2\nX ./a b\nI 1000 1\ns main\ns f\ns a.c\ns /bin/a\ni 10 4 1 3 5\ni 20 4 2 3 7\n\
         t 1 0\nt 2 1\na 64 1\na c8 2\n+ 0\n+ 1\n- 0\n- 1\n+ 0\n+ 0\nc a\nR 3\n- 0\n",
    );
    let row = |name| folded(&found, metric(&found, name));
    assert_eq!(row("peak"), ["main 100", "main;f 200"]);
    assert_eq!(row("leaked"), ["main 100"]);
    assert_eq!(row("allocations"), ["main 3", "main;f 1"]);
    assert_eq!(row("allocated"), ["main 300", "main;f 200"]);
    // As heaptrack has it: freed right after it was allocated.
    assert_eq!(row("temporary allocations"), ["main 1"]);
    assert_eq!(found.origin.duration_ns, 10_000_000);
    assert_eq!(found.origin.comments, ["command: ./a b", "peak resident memory: 12288 bytes"]);
    assert_eq!(found.origin.producer, "heaptrack 1.2.0");
}

#[test]
fn the_first_version_has_pointers() {
    let found = profile(
        "v 10000\nX a\ns main\ni 10 0 1\nt 1 0\n+ 10 1 7f00\n+ 20 1 7f20\n- 7f20\n- 7f00\n- 9\n",
    );
    let values: Vec<i64> = (0..5).map(|index| found.metric_total(MetricId(index)).0).collect();
    assert_eq!(values, [2, 1, 48, 0, 48]);
}

#[test]
fn suppressed_leaks_are_those_of_heaptrack_print() {
    let found = sample("heaptrack/heaptrack.spill.zst");
    let mut own = BTreeMap::<String, i64>::new();
    for row in 0..found.points.len() {
        let leaked = found.points.value(row, metric(&found, "leaked"));
        *own.entry(as_printed(&found, row)).or_default() += leaked;
    }
    let mut expected = BTreeMap::<String, i64>::new();
    for line in text("heaptrack/reports/spill.zst.leaked.stacks.txt").lines() {
        let (stack, value) = line.rsplit_once(' ').unwrap();
        *expected.entry(stack.to_owned()).or_default() += value.parse::<i64>().unwrap();
    }
    assert_eq!(own, expected);

    let report = text("heaptrack/reports/spill.zst.totals.txt");
    let line = |start: &str| report.lines().find_map(|line| line.strip_prefix(start)).unwrap();
    let total = |name: &str| printed(found.metric_total(metric(&found, name)).0);
    assert_eq!(total("leaked"), line("total memory leaked: "));
    assert_eq!(total("suppressed leaks"), line("suppressed leaks: "));
    let patterns: Vec<String> = (report.lines().skip_while(|line| *line != "Suppressions used:"))
        .skip(2)
        .map(|line| {
            let [_, leaked, pattern] = line.split_whitespace().collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            format!("leaks suppressed by '{pattern}': {} bytes", leaked.trim_end_matches('B'))
        })
        .collect();
    assert_eq!(patterns.len(), 4);
    let told = found.origin.comments.iter().filter(|one| one.starts_with("leaks suppressed"));
    assert_eq!(told.collect::<Vec<_>>(), patterns.iter().collect::<Vec<_>>());
}

#[test]
fn suppressions_are_applied_wherever_they_stand() {
    // In a module, in a file, in an inlined frame and in a caller.
    let body = "X a\ns /lib/libm.so\ns main\ns f\ns a.c\ns g\ns /bin/a\n\
                i 10 6 2 4 1\ni 20 6 3 4 2 5 4 3\ni 30 1\nt 1 0\nt 2 1\nt 3 1\n\
                a 1 1\na 10 2\na 100 3\n+ 0\n+ 1\n+ 2\n";
    for (suppression, leaked, suppressed) in [
        ("leak:libm", 0x11, Some(0x100)),
        ("leak:^g$", 0x101, Some(0x10)),
        ("leak:main", 0, Some(0x111)),
        (" leak:a.c ", 0, Some(0x111)),
        ("# leak:main", 0x111, None),
        ("leak:", 0x111, None),
        ("leak:nothing", 0x111, None),
    ] {
        let sized = format!("S {:x} {suppression}", suppression.len());
        let plain = format!("S {suppression}");
        for text in [
            format!("v 10250 2\n{plain}\n{body}"),
            format!("v 10250 2\n{body}{plain}\n"),
            format!("v 10400 2\n{sized}\n{body}"),
        ] {
            let found = profile(&text);
            let total = |name| found.metric_total(metric(&found, name)).0;
            assert_eq!(total("leaked"), leaked, "{text}");
            assert_eq!(total("allocated"), 0x111, "{text}");
            let named = found.metrics.iter().any(|metric| metric.name == "suppressed leaks");
            assert_eq!(named.then(|| total("suppressed leaks")), suppressed, "{text}");
        }
    }
    let many: String = (0..1000).map(|at| format!("S leak:x{at}\n")).collect();
    let told = warnings(format!("v 10250 2\n{many}{body}"));
    assert!(told[0].contains("751 suppressions of leaks are not applied"), "{told:?}");
}

#[test]
fn newer_versions_are_refused_and_damage_is_reported() {
    let error = read("v 20000 4\nX a\n").unwrap_err().to_string();
    assert!(error.contains("version 4"), "{error}");
    let told = warnings("v 10400 3\nX a\nt 5 0\na 1 1\n+ 0\n+ 9\nq\nS leek:x\n");
    assert_eq!(told.len(), 2, "{told:?}");
}
