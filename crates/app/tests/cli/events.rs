//! `hotframe perf`: events over time, and migrations, against the sums that it tells of the whole.

use std::ffi::OsStr;

use super::{assert_close, fail, json, number, rows, sample, stdout};

#[test]
fn bins_add_up_to_what_is_reported_of_the_whole() {
    let path = sample("perf-data/switches.perf.data");
    let whole = json(&[&"events", &"summary", &path, &"--by", &"thread", &"--format", &"json"]);
    for width in ["1ms", "7ms", "1s"] {
        let arguments = ["--event", "run time", "--by", "thread", "--width", width];
        let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"events", &"timeline", &path];
        all.extend(arguments.iter().map(|one| one as &dyn AsRef<std::ffi::OsStr>));
        all.extend([&"--format" as &dyn AsRef<std::ffi::OsStr>, &"json"]);
        let told = json(&all);
        assert_eq!(told["event"], "run time");
        let first = number(&rows(&told)[0]["begin_ns"]);
        let length = number(&whole["lengths_ns"][0]);
        let mut groups = 0;
        for row in rows(&whole).iter().filter(|row| row["event"] == "run time") {
            let own = rows(&told).iter().filter(|bin| bin["group"] == row["group"]);
            // Rates are of the time that the run spent in a bin, which the last one has in part.
            let sum: f64 = own
                .filter(|bin| !bin["value"].is_null())
                .map(|bin| {
                    let ends = ["begin_ns", "end_ns"].map(|end| number(&bin[end]));
                    let inside = ends[1].min(first + length) - ends[0];
                    number(&bin["value"]) * inside / 1e9
                })
                .sum();
            assert_close(sum, number(&row["median"]), &format!("{width}: {}", row["group"]));
            groups += 1;
        }
        assert!(groups > 1, "{width}");
    }
}

#[test]
fn migrations_are_as_many_as_the_metric_says() {
    let path = sample("perf-data/switches.perf.data");
    let summary = json(&[&"events", &"summary", &path, &"--format", &"json"]);
    let counted = rows(&summary).iter().find(|row| row["event"] == "migrations").unwrap();
    let told = json(&[&"events", &"migrations", &path, &"--format", &"json"]);
    assert_eq!(told["exact"], true);
    assert_close(number(&told["count"]), number(&counted["median"]), "migrations");
    assert_eq!(rows(&told).len() as f64, number(&told["count"]));
    assert!(rows(&told).iter().all(|row| row["from"] != row["to"]));
    let text = stdout(&[&"events", &"migrations", &path]);
    assert!(!text.contains("at least"), "{text}");
}

#[test]
fn refuses_what_has_no_values_over_time() {
    let path = sample("perf-data/sched.perf.data");
    for (code, arguments, expected) in [
        (1, ["--limit", "3"], "--by function"),
        (1, ["--event", "load imbalance (thread)"], "has a value for the whole, not over time"),
        (1, ["--event", "no such event"], "there are sched:sched_switch"),
        (1, ["--width", "1ns"], "bins"),
        (2, ["--width", "long"], "is not a time"),
        (1, ["--progress", "0"], "parts"),
    ] {
        let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"events", &"timeline", &path];
        all.extend(arguments.iter().map(|one| one as &dyn AsRef<std::ffi::OsStr>));
        let message = fail(code, &all);
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn recordings_without_processors_have_no_migrations_to_tell() {
    let path = sample("pprof/cpu.pb.gz");
    let message = fail(1, &[&"events", &"migrations", &path]);
    assert!(message.contains("--sample-cpu"), "{message}");
}

/// Filters choose a migration by what was left, wherever it is told.
#[test]
fn reports_filters_leave_the_same_migrations_wherever_they() {
    let path = sample("perf-data/switches.perf.data");
    let mut counts = vec![];
    for filter in [
        &["--cpu", "0"][..],
        &["--cpu", "1"],
        &["--time", "0ms..40ms"],
        &["--time", "40ms..200ms"],
        &["--thread", "tree"],
        &["--time", "10s..20s"],
        &[],
    ] {
        let told = |command: &[&str]| {
            let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"events", &command[0], &path];
            let more = command[1..].iter().chain(filter).chain(&["--format", "json"]);
            all.extend(more.map(|one| one as &dyn AsRef<std::ffi::OsStr>));
            json(&all)
        };
        let summary = told(&["summary"]);
        let row = rows(&summary).iter().find(|row| row["event"] == "migrations");
        let counted = row.map_or(0.0, |row| number(&row["median"]));
        let moves = told(&["migrations"]);
        assert_close(number(&moves["count"]), counted, &format!("{filter:?}: the table"));
        let bins = told(&["timeline", "--event", "migrations", "--width", "1s"]);
        let rate: f64 = rows(&bins).iter().map(|bin| bin["value"].as_f64().unwrap_or(0.0)).sum();
        let length = number(&summary["lengths_ns"][0]) / 1e9;
        assert_close(rate * length, counted, &format!("{filter:?}: over time"));
        counts.push(counted);
    }
    assert_eq!(counts[0] + counts[1], counts[6], "each leaves one processor");
    assert_eq!(counts[2] + counts[3], counts[6], "each is at one time");
    assert!(counts[6] > 0.0 && counts[5] == 0.0);
}

#[test]
fn what_is_seen_between_samples_is_called_so() {
    let text = stdout(&[&"events", &"migrations", &sample("perf-data/events.perf.data")]);
    assert!(text.starts_with("at least 1 change of processor, seen between samples"), "{text}");
}

#[test]
fn functions_over_time_add_up_to_the_whole() {
    let path = sample("perf-data/switches.perf.data");
    let told = |more: &[&str]| {
        let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"events", &"timeline", &path];
        let arguments = ["--event", "cpu-clock", "--width", "20ms", "--format", "json"];
        let more = more.iter().chain(&arguments);
        all.extend(more.map(|one| one as &dyn AsRef<std::ffi::OsStr>));
        json(&all)
    };
    let sum = |told: &serde_json::Value, group: &str| -> f64 {
        let own = rows(told).iter().filter(|row| row["group"] == group);
        own.filter_map(|row| row["samples"].as_f64()).sum()
    };
    let whole = sum(&told(&[]), "total");
    let all = told(&["--by", "function", "--limit", "2"]);
    let names: std::collections::BTreeSet<&str> =
        rows(&all).iter().map(|row| row["group"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    assert_eq!(names.iter().filter(|name| name.ends_with("other functions)")).count(), 1);
    assert_close(names.iter().map(|name| sum(&all, name)).sum(), whole, "self");
    // Of stacks, each has what the summary tells of it, and there is no rest.
    let summary = json(&[
        &"events",
        &"summary",
        &path,
        &"--by",
        &"function",
        &"--total",
        &"--limit",
        &"4",
        &"--format",
        &"json",
    ]);
    let stacks = told(&["--by", "function", "--total", "--limit", "4"]);
    let mut most = 0.0f64;
    for row in rows(&summary).iter().filter(|row| row["event"] == "cpu-clock") {
        let of = row["group"].as_str().unwrap();
        if rows(&stacks).iter().any(|bin| bin["group"] == of) {
            assert_close(sum(&stacks, of), number(&row["samples"]), of);
            most = most.max(sum(&stacks, of));
        }
    }
    assert!(most > 0.0);
    assert!(rows(&stacks).iter().all(|row| !row["group"].as_str().unwrap().contains(" other ")));
}

#[test]
fn time_by_function_is_that_of_samples() {
    let path = sample("perf-data/switches.perf.data");
    let told = json(&[&"events", &"summary", &path, &"--by", &"module", &"--format", &"json"]);
    let of = |group: &str, event: &str| {
        let mut rows = rows(&told).iter();
        rows.find(|row| row["group"] == group && row["event"] == event)
            .map(|row| number(&row["median"]))
    };
    let length = number(&told["lengths_ns"][0]);
    let clocks = rows(&told).iter().filter(|row| row["event"] == "cpu-clock");
    let mut modules = 0;
    for row in clocks.filter(|row| number(&row["samples"]) > 0.0) {
        let group = row["group"].as_str().unwrap();
        let used = of(group, "processors used").unwrap();
        assert_close(used, number(&row["median"]) / length, group);
        modules += 1;
    }
    assert!(modules > 0);
    assert_eq!(of("[no module]", "processors used").filter(|used| *used > 0.0), None);
    assert!(rows(&told).iter().all(|row| row["event"] != "off-CPU share"), "of two sources");
}

#[test]
fn one_recording_twice_is_one_run_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.perf.data");
    let path = sample("perf-data/switches.perf.data");
    std::fs::copy(&path, &copy).unwrap();
    let once = json(&[&"events", &"migrations", &path, &"--format", &"json"]);
    let twice = json(&[&"events", &"migrations", &path, &copy, &"--format", &"json"]);
    assert_eq!(twice["count"], once["count"]);
    assert_eq!(twice["runs"], 1);
    let warnings = twice["warnings"].to_string();
    assert!(warnings.contains("copy.perf.data is the same recording"), "{warnings}");
    let told =
        json(&[&"events", &"timeline", &path, &copy, &"--sets", &"runs", &"--format", &"json"]);
    assert_eq!(told["runs"].as_array().unwrap().len(), 1);
}

#[test]
fn runs_of_one_file_name_are_distinguished() {
    let folder = tempfile::tempdir().unwrap();
    let files = [("a", "switches"), ("b", "events")].map(|(place, name)| {
        let file = folder.path().join(place).join("x.data");
        std::fs::create_dir(file.parent().unwrap()).unwrap();
        std::fs::copy(sample(&format!("perf-data/{name}.perf.data")), &file).unwrap();
        file
    });
    let [one, other] = &files;
    let told =
        json(&[&"events", &"timeline", one, other, &"--sets", &"runs", &"--format", &"json"]);
    assert_eq!(told["sets"], serde_json::json!(["a/x.data", "b/x.data"]));
    let told = json(&[&"events", &"migrations", one, other, &"--format", &"json"]);
    let runs: std::collections::BTreeSet<&str> =
        rows(&told).iter().map(|row| row["run"].as_str().unwrap()).collect();
    assert_eq!(runs.into_iter().collect::<Vec<_>>(), ["a/x.data", "b/x.data"]);
    assert_eq!(told["exact"], false, "the other has samples alone");
    let times: Vec<f64> = rows(&told).iter().map(|row| number(&row["time_ns"])).collect();
    assert!(times.is_sorted());
}

/// What counters showed in an interval is spread over it, however narrow bins are.
#[test]
fn counts_of_intervals_are_spread_over_them() {
    let path = sample("perf-data/stat.perf.data");
    for width in [&[][..], &["--width", "10ms"], &["--width", "1ms"]] {
        let arguments: Vec<&dyn AsRef<OsStr>> =
            [&"events" as &dyn AsRef<OsStr>, &"timeline", &path]
                .into_iter()
                .chain(width.iter().map(|word| word as &dyn AsRef<OsStr>))
                .chain([&"--format" as &dyn AsRef<OsStr>, &"json"])
                .collect();
        let told = json(&arguments);
        let rates: Vec<f64> = rows(&told).iter().filter_map(|row| row["value"].as_f64()).collect();
        assert!(rates.len() > 4, "{rates:?}");
        // Two processors.
        assert!(rates.iter().all(|rate| *rate <= 2.0e9), "{rates:?}");
    }
}
