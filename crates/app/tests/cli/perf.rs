//! `hotframe perf`: events over time, and migrations, against the sums that it tells of the whole.

use super::{assert_close, fail, json, number, rows, sample, stdout};

#[test]
fn bins_add_up_to_what_is_told_of_the_whole() {
    let path = sample("perf-data/sched.perf.data");
    let whole = json(&[&"perf", &"summary", &path, &"--by", &"thread", &"--format", &"json"]);
    for width in ["1ms", "7ms", "1s"] {
        let arguments = ["--event", "run time", "--by", "thread", "--width", width];
        let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"perf", &"timeline", &path];
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
    let summary = json(&[&"perf", &"summary", &path, &"--format", &"json"]);
    let counted = rows(&summary).iter().find(|row| row["event"] == "migrations").unwrap();
    let told = json(&[&"perf", &"migrations", &path, &"--format", &"json"]);
    assert_eq!(told["exact"], true);
    assert_close(number(&told["count"]), number(&counted["median"]), "migrations");
    assert_eq!(rows(&told).len() as f64, number(&told["count"]));
    assert!(rows(&told).iter().all(|row| row["from"] != row["to"]));
    let text = stdout(&[&"perf", &"migrations", &path]);
    assert!(!text.contains("at least"), "{text}");
}

#[test]
fn what_cannot_be_told_over_time_is_refused() {
    let path = sample("perf-data/sched.perf.data");
    for (code, arguments, expected) in [
        (1, ["--by", "function"], "--focus"),
        (1, ["--event", "no such event"], "there are sched:sched_switch"),
        (1, ["--width", "1ns"], "bins"),
        (2, ["--width", "long"], "is no time"),
        (1, ["--progress", "0"], "parts"),
    ] {
        let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"perf", &"timeline", &path];
        all.extend(arguments.iter().map(|one| one as &dyn AsRef<std::ffi::OsStr>));
        let message = fail(code, &all);
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn recordings_without_processors_have_no_migrations_to_tell() {
    let path = sample("pprof/cpu.pb.gz");
    let message = fail(1, &[&"perf", &"migrations", &path]);
    assert!(message.contains("--sample-cpu"), "{message}");
}
