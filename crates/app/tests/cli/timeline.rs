//! `hotframe show --view spans`, `marks` and `timeline`.

use std::collections::BTreeMap;
use std::ffi::OsStr;

use serde_json::{Value, json};

use crate::{fail, json as read_json, rows, sample, stdout};

fn show(file: &str, more: &[&str]) -> Value {
    let path = sample(file);
    let mut arguments: Vec<&dyn AsRef<OsStr>> = vec![&"show", &path, &"--format", &"json"];
    arguments.extend(more.iter().map(|one| one as &dyn AsRef<OsStr>));
    read_json(&arguments)
}

/// Calls and self nanoseconds of the longest by thread and name, as the specification has them.
fn reported(name: &str) -> BTreeMap<(String, String), [i64; 2]> {
    let path = sample(&format!("trace-event/reports/{name}.trace.json.report.txt"));
    let report = std::fs::read_to_string(path).unwrap();
    let mut all = BTreeMap::new();
    for part in report.split("\n\npid ").skip(1) {
        let (head, rows) = part.split_once('\n').unwrap();
        let thread = head.split_once(" tid ").unwrap().1.split_once(' ').unwrap().0;
        for row in rows.lines().skip(1) {
            let words: Vec<_> = row.splitn(4, " | ").collect();
            let [calls, own, _, function] = words[..] else { continue };
            let time = |text: &str| (text.parse::<f64>().unwrap() * 1000.0).round() as i64;
            let function = function.rsplit_once(" (").map_or(function, |(name, _)| name);
            let sums = all.entry((thread.to_owned(), function.to_owned())).or_insert([0; 2]);
            let own = [calls.parse().unwrap(), time(own)];
            sums.iter_mut().zip(own).for_each(|(sum, value)| *sum += value);
        }
    }
    all
}

#[test]
fn spans_by_name_are_those_of_the_specification() {
    let mut compared = 0;
    for name in ["default", "file-info"] {
        let mut by_thread: BTreeMap<String, Vec<(String, [i64; 2])>> = BTreeMap::new();
        for ((thread, function), own) in reported(name) {
            by_thread.entry(thread).or_default().push((function, own));
        }
        for (thread, expected) in by_thread {
            let focus = format!("thread={thread}");
            let file = format!("trace-event/{name}.trace.json");
            let told = show(&file, &["--view", "spans", "--label-focus", &focus]);
            let mut found: BTreeMap<&str, [i64; 2]> = BTreeMap::new();
            for row in rows(&told) {
                let sums = found.entry(row["name"].as_str().unwrap()).or_insert([0; 2]);
                let own = ["count", "self_ns"].map(|key| row[key].as_i64().unwrap());
                sums.iter_mut().zip(own).for_each(|(sum, value)| *sum += value);
                let lengths = ["shortest_ns", "median_ns", "p95_ns", "p99_ns", "longest_ns"];
                let lengths = lengths.map(|key| row[key].as_i64().unwrap());
                assert!(lengths.is_sorted(), "{row}");
            }
            for (function, own) in expected {
                assert_eq!(found[&*function], own, "{name} {thread} {function}");
                compared += 1;
            }
        }
    }
    assert!(compared > 30, "{compared}");
}

#[test]
fn filters_choose_spans() {
    let file = "trace-event/default.trace.json";
    let all = show(file, &["--view", "spans"]);
    let one = show(file, &["--view", "spans", "--label-focus", "thread=bee two"]);
    let count =
        |told: &Value| -> u64 { rows(told).iter().map(|row| row["count"].as_u64().unwrap()).sum() };
    assert_eq!((count(&all), count(&one)), (344, 44));
    let tracks = show(file, &["--view", "timeline", "--label-focus", "thread=bee two"]);
    let spans: Vec<u64> = rows(&tracks).iter().map(|row| row["spans"].as_u64().unwrap()).collect();
    assert_eq!(spans, [0, 0, 44, 0]);
}

#[test]
fn tracks_and_marks_are_told() {
    let told = show("trace-event/detailed.trace.json", &["--view", "timeline"]);
    let found: Vec<Vec<&Value>> = rows(&told)
        .iter()
        .map(|row| {
            ["track", "kind", "depth", "spans", "marks", "counters"].map(|key| &row[key]).into()
        })
        .collect();
    let expected = json!([
        ["MainProcess (25517)", "process", 0, 0, 1, 4],
        ["MainThread (25517)", "thread", 1, 113, 0, 0],
        ["bee two (25519)", "thread", 1, 18, 0, 0],
        ["bee \"one\" (25518)", "thread", 1, 3, 0, 0],
        ["brood (25520)", "process", 0, 0, 0, 0],
        ["MainThread (25517)", "thread", 1, 34, 0, 0],
    ]);
    assert_eq!(json!(found), expected);
    let told = show("trace-event/detailed.trace.json", &["--view", "marks"]);
    let mark = &told["rows"][0];
    assert_eq!((&mark["kind"], &mark["count"]), (&json!("swarm"), &json!(1)));
    assert_eq!(mark["first_ns"], mark["last_ns"]);
    let node = sample("trace-event/node.trace.json");
    let text = stdout(&[&"show", &node, &"--view", &"spans", &"-n", &"2"]);
    assert!(text.contains("MESSAGEPORT  asynchronous") && text.contains("more names"), "{text}");
}

#[test]
fn profiles_without_time_say_so() {
    let path = sample("pprof/cpu.pb.gz");
    for view in ["spans", "marks", "timeline"] {
        let said = fail(1, &[&"show", &path, &"--view", &view]);
        assert!(said.contains("does not tell what happened when"), "{said}");
    }
}
