//! `hotframe diff` of two parts of one recording.

use std::collections::BTreeMap;
use std::ffi::OsStr;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{fail, json as read_json, rows, sample, stdout, succeed, write};

/// Self and total by function, of what filters leave.
fn shown(file: &dyn AsRef<OsStr>, filters: &[&str]) -> BTreeMap<String, [i64; 2]> {
    let mut arguments: Vec<&dyn AsRef<OsStr>> =
        vec![&"show", file, &"--granularity", &"name", &"--format", &"json"];
    arguments.extend(filters.iter().map(|one| one as &dyn AsRef<OsStr>));
    let told = read_json(&arguments);
    let of = |row: &Value| {
        let values = ["self", "total"].map(|key| row[key].as_i64().unwrap());
        (row["function"].as_str().unwrap().to_owned(), values)
    };
    rows(&told).iter().map(of).collect()
}

#[test]
fn both_sides_are_what_their_filters_leave() {
    let trace = sample("trace-event/default.trace.json");
    let mut compared = 0;
    for (base, new) in [
        (vec!["--base-time", "0s..100ms"], vec!["--time", "100ms..250ms"]),
        (vec!["--base-thread", "bee two"], vec!["--thread", "MainThread"]),
        (vec!["--base-during", "dancing|run"], vec!["--during", "main"]),
        (vec![], vec!["--time", "50ms.."]),
        (vec!["--base-time", "..50ms", "--base-thread", "MainThread"], vec![]),
    ] {
        let mut arguments: Vec<&dyn AsRef<OsStr>> =
            vec![&"diff", &trace, &"--granularity", &"name", &"--format", &"json"];
        arguments.extend(base.iter().chain(&new).map(|one| one as &dyn AsRef<OsStr>));
        let told = read_json(&arguments);
        let side = |side: &str| -> BTreeMap<String, [i64; 2]> {
            let of = |row: &Value| {
                let values = ["self", "total"].map(|key| row[key][side].as_i64().unwrap());
                (row["function"].as_str().unwrap().to_owned(), values)
            };
            rows(&told).iter().map(of).filter(|(_, values)| *values != [0, 0]).collect()
        };
        let plain: Vec<String> = base.iter().map(|one| one.replace("--base-", "--")).collect();
        let plain: Vec<&str> = plain.iter().map(String::as_str).collect();
        let expected = shown(&trace, &plain);
        compared += expected.len();
        assert_eq!(side("base"), expected, "{base:?}");
        assert_eq!(side("new"), shown(&trace, &new), "{new:?}");
        for (number, filters) in [(0, &plain), (1, &new)] {
            let mut arguments: Vec<&dyn AsRef<OsStr>> =
                vec![&"show", &trace, &"--view", &"spans", &"--format", &"json"];
            arguments.extend(filters.iter().map(|one| one as &dyn AsRef<OsStr>));
            let spans = read_json(&arguments);
            let counts = rows(&spans).iter().map(|row| row["count"].as_u64().unwrap());
            assert_eq!(told["sides"][number]["spans"], counts.sum::<u64>());
        }
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn lengths_and_counts_of_both_sides_are_reported() {
    let folder = TempDir::new().unwrap();
    let span = |name: &str, from: u32, to: u32| json!({"ph": "X", "name": name, "pid": 1, "tid": 1, "ts": from, "dur": to - from});
    let events = [
        span("frame", 0, 100),
        span("draw", 10, 40),
        span("frame", 100, 300),
        span("draw", 150, 250),
        span("load", 300, 350),
        json!({"ph": "i", "name": "GC", "pid": 1, "tid": 1, "ts": 200, "s": "t"}),
    ];
    let trace = write(&folder, "frames.json", json!({"traceEvents": events}).to_string());
    let told = read_json(&[
        &"diff",
        &trace,
        &"--base-time",
        &"..100us",
        &"--time",
        &"100us..300us",
        &"--format",
        &"json",
    ]);
    let expected = json!([
        {"side": "base", "filters": "..100us", "length_ns": 100_000, "of_threads": false, "spans": 2, "chosen_by": null},
        {"side": "new", "filters": "100us..300us", "length_ns": 200_000, "of_threads": false, "spans": 2, "chosen_by": null},
    ]);
    assert_eq!(told["sides"], expected);
    assert_eq!(told["title"], "frames.json, ..100us \u{2192} frames.json, 100us..300us");
    let told = read_json(&[
        &"diff",
        &trace,
        &"--base-during",
        &"frame",
        &"--around",
        &"GC=25us",
        &"--format",
        &"json",
    ]);
    let expected = json!([
        {"side": "base", "filters": "during frame", "length_ns": 300_000, "of_threads": true, "spans": 4, "chosen_by": 2},
        {"side": "new", "filters": "around GC=25us", "length_ns": 50_000, "of_threads": true, "spans": 2, "chosen_by": 1},
    ]);
    assert_eq!(told["sides"], expected);
    let text = stdout(&[&"diff", &trace, &"--base-during", &"frame", &"--time", &"..100us"]);
    assert!(text.contains("base: during frame, of all threads together 300"), "{text}");
    assert!(text.contains("new: ..100us, 100"), "{text}");
    // A filter of frames is one of both sides.
    let told = read_json(&[
        &"diff",
        &trace,
        &"--base-time",
        &"..100us",
        &"--time",
        &"100us..",
        &"--focus",
        &"draw",
        &"--format",
        &"json",
    ]);
    assert_eq!([&told["total"]["base"], &told["total"]["new"]], [30_000, 100_000]);
    // Two files, each with a part.
    let (_, err) = succeed(&[&"diff", &trace, &trace, &"--base-time", &"1s..", &"--time", &"..1s"]);
    assert!(err.contains("nothing was recorded in 1s.."), "{err}");
    fail(2, &[&"diff", &trace]);
    fail(2, &[&"diff", &trace, &trace, &"--open", &"--base-time", &"..1s"]);
    let said = fail(1, &[&"diff", &trace, &"--base-time", &"1..", &"--time", &"..1s"]);
    assert!(said.contains("is not a time"), "{said}");
}
