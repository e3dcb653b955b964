//! `hotframe show --view states`.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{fail, json as read_json, rows, sample, stdout, write};

type States = BTreeMap<String, BTreeMap<String, i64>>;

/// Nanoseconds by thread and state.
fn states(file: &Path, more: &[&str]) -> (States, Value) {
    let mut arguments: Vec<&dyn AsRef<OsStr>> =
        vec![&"show", &file, &"--view", &"states", &"--format", &"json"];
    arguments.extend(more.iter().map(|one| one as &dyn AsRef<OsStr>));
    let told = read_json(&arguments);
    let mut all = States::new();
    for row in rows(&told) {
        let text = |key: &str| row[key].as_str().unwrap().to_owned();
        let state = match (text("event"), text("by")) {
            (event, _) if event.is_empty() => text("state"),
            (event, by) => format!("{} {event} {by}", text("state")),
        };
        let known = all.entry(text("thread")).or_default();
        assert_eq!(known.insert(state, row["time_ns"].as_i64().unwrap()), None);
    }
    (all, told)
}

fn expected(all: Value) -> States {
    serde_json::from_value(all).unwrap()
}

/// Threads 1 to 3 on processor 0, thread 4 on processor 1. Times in microseconds.
fn switched(folder: &TempDir, more: &str) -> std::path::PathBuf {
    let switch = |cpu: u32, at: u32, before: (&str, u32, &str), next: (&str, u32)| {
        let ((comm, pid, state), (next_comm, next_pid)) = (before, next);
        format!(
            "{comm} {pid} [{cpu:03}] 5.{at:06}: sched:sched_switch: prev_comm={comm} prev_pid={pid} \
             prev_prio=120 prev_state={state} ==> next_comm={next_comm} next_pid={next_pid} next_prio=120\n"
        )
    };
    let idle = ("swapper", 0);
    let text = [
        switch(0, 0, ("f", 6, "S"), ("a", 1)),
        switch(0, 10, ("a", 1, "S"), ("b", 2)),
        switch(1, 12, ("swapper", 0, "R"), ("d", 4)),
        "d 4 [001] 5.000018: sched:sched_wakeup: comm=a pid=1 prio=120 target_cpu=000\n".to_owned(),
        switch(0, 30, ("b", 2, "R+"), ("c", 3)),
        switch(0, 40, ("c", 3, "D"), ("a", 1)),
        switch(0, 55, ("a", 1, "X"), ("b", 2)),
        switch(0, 60, ("b", 2, "S"), idle),
        switch(1, 70, ("d", 4, "S"), idle),
        more.to_owned(),
    ];
    write(folder, "switched.perf-script", text.concat())
}

#[test]
fn threads_run_could_run_and_wait() {
    let folder = TempDir::new().unwrap();
    let file = switched(&folder, "");
    let (found, told) = states(&file, &[]);
    assert_eq!(
        found,
        expected(json!({
            "a (1)": {"running": 25_000, "sleeping": 8_000, "runnable": 22_000, "ended": 15_000},
            "b (2)": {"not measured": 10_000, "running": 25_000, "runnable": 25_000, "sleeping": 10_000},
            "c (3)": {"not measured": 30_000, "running": 10_000, "sleeping, not interruptible": 30_000},
            "d (4)": {"not measured": 12_000, "running": 58_000},
            "f (6)": {"sleeping": 70_000},
        }))
    );
    let row = rows(&told).iter().find(|row| row["state"] == "runnable" && row["thread"] == "a (1)");
    let keys = ["count", "longest_ns", "longest_at_ns"].map(|key| row.unwrap()[key].clone());
    assert_eq!(keys, [json!(1), json!(22_000), json!(18_000)]);
    let (found, _) = states(&file, &["--time", "15us..20us"]);
    assert_eq!(
        found,
        expected(json!({
            "a (1)": {"sleeping": 3_000, "runnable": 2_000},
            "b (2)": {"running": 5_000},
            "d (4)": {"running": 5_000},
            "f (6)": {"sleeping": 5_000},
        }))
    );
    let (found, _) = states(&file, &["--thread", "^a"]);
    assert_eq!(found.keys().collect::<Vec<_>>(), ["a (1)"]);
    let text = stdout(&[&"show", &file, &"--view", &"states"]);
    assert!(text.contains("c (3)  sleeping, not interruptible"), "{text}");
}

/// Where the switch to a thread or from it is missing, nothing is said of what it did.
#[test]
fn does_not_report_what_was_not_recorded() {
    let folder = TempDir::new().unwrap();
    let more = "e 5 [000] 5.000080: sched:sched_switch: prev_comm=e prev_pid=5 prev_prio=120 \
                prev_state=S ==> next_comm=b next_pid=2 next_prio=120\n\
                d 4 [000] 5.000090: sched:sched_switch: prev_comm=d prev_pid=4 prev_prio=120 \
                prev_state=S ==> next_comm=swapper next_pid=0 next_prio=120\n";
    let (found, _) = states(&switched(&folder, more), &[]);
    let b =
        json!({"not measured": 20_000, "running": 25_000, "runnable": 25_000, "sleeping": 20_000});
    assert_eq!(json!(found["b (2)"]), b);
    assert_eq!(json!(found["d (4)"]), json!({"not measured": 32_000, "running": 58_000}));
    assert_eq!(json!(found["c (3)"]), json!({"not measured": 80_000, "running": 10_000}));
    assert!(!found.contains_key("e (5)"));
}

#[test]
fn reports_waits_of_java_by_class() {
    let (found, told) = states(&sample("jfr/plain.jfr"), &[]);
    let monitor = "blocked jdk.JavaMonitorEnter java.lang.Object";
    let blocked: i64 = found.values().filter_map(|of| of.get(monitor)).sum();
    // The sum of the durations that `jfr print` tells.
    assert_eq!(blocked, 70_460_560);
    assert_eq!(found["main (27327)"]["blocked jdk.ThreadSleep "], 50_620_613);
    for of in found.values() {
        assert_eq!(json!(of.values().sum::<i64>()), told["counted_ns"]);
    }
}

/// Of several recordings each has its own time.
#[test]
fn members_are_distinguished() {
    let [one, two] = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let files = [switched(&one, ""), switched(&two, "")];
    let alone = states(&files[0], &[]).0;
    let told =
        read_json(&[&"show", &files[0], &files[1], &"--view", &"states", &"--format", &"json"]);
    assert_eq!(rows(&told).len(), 2 * alone.values().map(BTreeMap::len).sum::<usize>());
    for row in rows(&told) {
        let name = row["thread"].as_str().unwrap();
        let (thread, _) = name.split_once(" of ").unwrap();
        assert_eq!(row["time_ns"], alone[thread][row["state"].as_str().unwrap()]);
    }
    let told = read_json(&[
        &"show",
        &files[0],
        &files[1],
        &"--view",
        &"concurrency",
        &"--format",
        &"json",
    ]);
    let of_spans: Vec<_> = rows(&told).iter().filter(|row| row["kind"] == "spans").collect();
    assert!(of_spans.len() > 4 && of_spans.iter().all(|row| row["peak"] == 1), "{told}");
}

#[test]
fn recordings_without_switches_say_so() {
    let said = fail(1, &[&"show", &sample("trace-event/default.trace.json"), &"--view", &"states"]);
    assert!(said.contains("their states were not measured"), "{said}");
}

/// A script that goes through the same text event by event finds the same.
#[test]
fn states_are_those_of_another_program() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/states.py");
    let folder = TempDir::new().unwrap();
    let sched = sample("perf-script/sched.perf-script");
    let mut compared = 0;
    for file in [sched.clone(), switched(&folder, "")] {
        let output = match Command::new("python3").arg(&script).arg(&file).output() {
            Ok(output) => output,
            Err(_) => {
                eprintln!("notice: there is no python3, nothing is compared with it");
                return;
            }
        };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let theirs: States = serde_json::from_slice(&output.stdout).unwrap();
        let (ours, _) = states(&file, &[]);
        for (thread, of) in &ours {
            let id = thread.rsplit_once('(').unwrap().1.trim_end_matches(')');
            assert_eq!(Some(of), theirs.get(id), "{thread}");
            compared += of.len();
        }
        assert_eq!(ours.len(), theirs.len());
    }
    assert!(compared > 20, "{compared}");
    // perf's own sum, to its microsecond; it takes 42 for a run of ping whose begin is not recorded.
    let summary = sample("perf-script/reports/sched.timehist-summary.txt");
    let summary = std::fs::read_to_string(summary).unwrap();
    let (ours, _) = states(&sched, &[]);
    for (thread, name, unknown) in [("ping (23264)", "ping[", 42), ("pong (23265)", "pong[", 0)] {
        let row = summary.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        let run: f64 = row.split_whitespace().nth(3).unwrap().parse().unwrap();
        let ours = ours[thread]["running"] as f64 / 1000.0 + f64::from(unknown);
        assert!((ours - run * 1000.0).abs() < 2.0, "{ours} and {run}");
    }
}
