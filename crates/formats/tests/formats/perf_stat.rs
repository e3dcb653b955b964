//! Counts by interval: sums of the rows, taken by their separators alone, are the measure.

use std::collections::BTreeMap;

use profile::{MetricId, Profile};

use crate::measured::{metric, profile, read, sample, text, warnings};

/// By processor (empty where none is told) and event, the sum of the rows in units of 10^-6.
fn sums(text: &str) -> BTreeMap<(String, String), i64> {
    let mut sums = BTreeMap::new();
    for line in text.lines().filter(|line| line.contains(';') && !line.contains("<not")) {
        let mut fields: Vec<&str> = line.split(';').collect();
        let cpu = if fields[1].starts_with("CPU") { fields.remove(1) } else { "" };
        let value = (fields[1].parse::<f64>().unwrap() * 1e6).round() as i64;
        *sums.entry((cpu.to_owned(), fields[3].to_owned())).or_default() += value;
    }
    sums
}

fn sums_of(found: &Profile) -> BTreeMap<(String, String), i64> {
    let mut sums = BTreeMap::new();
    for (row, metric) in found.metrics.iter().enumerate().filter(|(_, one)| one.name != "interval")
    {
        // Milliseconds became nanoseconds.
        let scale = if metric.unit == "nanoseconds" { 1 } else { 1_000_000 };
        for point in 0..found.points.len() {
            let cpu = found.points.cpu(point).map_or(String::new(), |cpu| format!("CPU{cpu}"));
            let value = found.points.value(point, MetricId(row as u32)) * scale;
            *sums.entry((cpu, metric.name.clone())).or_default() += value;
        }
    }
    sums
}

#[test]
fn counts_are_those_of_the_rows() {
    for path in ["perf-stat/pipeline.counts.csv", "perf-stat/processors.counts.csv"] {
        let found = sample(path);
        assert_eq!(sums_of(&found), sums(&text(path)), "{path}");
        let last = text(path).lines().last().unwrap().split(';').next().unwrap().trim().to_owned();
        assert_eq!(found.origin.duration_ns, last.replace('.', "").parse::<i64>().unwrap());
    }
}

/// Each count is of the time since the reading before, for which `interval` has the length.
#[test]
fn intervals_are_one_after_the_other() {
    let found = sample("perf-stat/pipeline.counts.csv");
    let interval = metric(&found, "interval");
    let mut end = 0;
    for point in 0..found.points.len() {
        assert_eq!(found.points.time(point), Some(end));
        end += found.points.value(point, interval);
    }
    assert_eq!((end, found.points.len()), (231_208_781, 5));
}

#[test]
fn other_separators_languages_and_what_was_not_counted() {
    let text = "# started on Tue\n\n 0,050000000|1,25|msec|task-clock|1|100,00|0,5|CPUs utilized\n\
                0,050000000|7|Joules|power/energy-pkg/|1|100,00||\n\
                0,050000000|10||cycles|1|100,00||\n0,050000000|20||cycles|1|40,00||\n\
                0,050000000||||||1,25|insn per cycle\n\
                0,100000000|<not counted>|msec|task-clock|0|0,00||\n\
                0,100000000|3||cycles|1|100,00||\n0,090000000|9||cycles|1|100,00||\n";
    let found = profile(text);
    let told: Vec<(String, i64)> = (0..)
        .zip(&found.metrics)
        .map(|(row, metric)| (metric.name.clone(), found.metric_total(MetricId(row)).0))
        .collect();
    let expected =
        [("task-clock", 1_250_000), ("power/energy-pkg/", 700), ("cycles", 13), ("cycles", 20)];
    let expected = expected.map(|(name, sum)| (name.to_owned(), sum));
    assert_eq!(told[..4], expected);
    let warned = warnings(text);
    for part in ["line 10 is skipped: its time is before", "40.0 %", "not known"] {
        assert!(warned.iter().any(|warning| warning.contains(part)), "{part} of {warned:?}");
    }
}

#[test]
fn counts_by_other_places_say_what_to_do() {
    let text = "# started on Tue\n\n 0.050000000;S0;2;9;;cycles;1;100.00;;\n";
    let error = read(text).unwrap_err().to_string();
    assert!(error.contains("core, socket or thread") && error.contains("-A"), "{error}");
}

#[test]
fn what_is_no_such_table_is_none() {
    for text in
        ["1.5;2;3;4;5;6\n", "# started on Tue\n", "main;work 5\n", "0.1;7;;faults;5;100.00\n"]
    {
        let format = read(text.as_bytes()).map(|opened| opened.profile.origin.format);
        assert_ne!(format.ok().as_deref(), Some("perf-stat"), "{text}");
    }
}

/// Without `-I` lines have no time: what was counted in all, also by processor and with how much runs differ.
#[test]
fn counts_need_no_intervals() {
    let read = |text: &str| {
        let source = formats::Source { bytes: Box::new(text.as_bytes()), file_name: "" };
        formats::read(source, &formats::ReadOptions::default()).unwrap()
    };
    let text = "1000.50,msec,cpu-clock,1000500000,100.00,1.000,CPUs utilized\n\
                2500000,,instructions,1000500000,100.00,,\n<not supported>,,cycles,0,100.00,,\n";
    let opened = read(text);
    assert_eq!(opened.profile.origin.format, "perf-stat");
    let totals: Vec<_> = opened
        .profile
        .metric_ids()
        .map(|id| (opened.profile.metric(id).name.clone(), opened.profile.metric_total(id).0))
        .collect();
    let wanted = [("cpu-clock".to_owned(), 1_000_500_000), ("instructions".to_owned(), 2_500_000)];
    assert_eq!(totals, wanted);
    assert!(!opened.profile.points.has_times());
    let text = "CPU0;7;;faults;0.05%;1000;100.00;;\nCPU1;8;;faults;0.05%;1000;100.00;;\n";
    let profile = read(text).profile;
    assert_eq!(profile.metric_total(MetricId(0)).0, 15);
    assert_eq!((profile.points.cpu(0), profile.points.cpu(1)), (Some(0), Some(1)));
    // Other tables are none of perf's.
    for text in ["1,2,3,4,5,6\n", "1.5,ms,2,9,100.0,\n", "5,,x,1,500,\n"] {
        let source = formats::Source { bytes: Box::new(text.as_bytes()), file_name: "" };
        let found = formats::read(source, &formats::ReadOptions::default());
        assert!(found.is_err(), "{text}");
    }
}
