//! Recordings by the perf of this machine, of events that the kernel counts.

use std::process::Command;

use crate::fake::script;
use crate::{json, texts};

/// Whether perf records here; where the project wants it to, it must.
fn does_perf_record() -> bool {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("probe.data");
    let mut perf = Command::new("perf");
    perf.args(["record", "-q", "-e", "cpu-clock", "-o"]).arg(&file).args(["--", "true"]);
    let works = perf.output().is_ok_and(|output| output.status.success());
    let is_wanted = std::env::var_os("HOTFRAME_PERF").is_some();
    assert!(works || !is_wanted, "perf cannot record here, and the project wants it to");
    if !works {
        eprintln!("not checked: perf cannot record on this machine");
    }
    works
}

/// Takes a while on a processor, in two processes.
const BUSY: &str = "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; (exit 3)";

#[test]
fn what_is_recorded_is_what_perf_reports() {
    if !does_perf_record() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let busy = script(folder.path(), "busy", BUSY);
    let mut record = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    record.args(["record", "perf", "--name", "x", "--runs", "2", "--warm-up", "10", "-o", "out"]);
    record.args(["-e", "cpu-clock,context-switches,page-faults", "--"]).arg(&busy);
    let output = record.current_dir(folder.path()).output().unwrap();
    let (_, err) = texts(&output);
    assert_eq!(output.status.code(), Some(3), "{err}");
    let manifest = json(&folder.path().join("out/x.json"));
    for run in manifest["experiments"][0]["runs"].as_array().unwrap() {
        let file = folder.path().join("out").join(run["file"].as_str().unwrap());
        let mut report = Command::new("perf");
        report.args(["script", "-F", "event,time", "--ns", "-G", "-i"]).arg(&file);
        let output = report.output().unwrap();
        let (out, err) = texts(&output);
        assert!(output.status.success(), "{err}");
        let lines: Vec<&str> = out.lines().filter(|line| !line.trim().is_empty()).collect();
        let samples = run["holds"]["samples"].as_object().unwrap();
        for (event, count) in samples {
            let of_event =
                lines.iter().filter(|line| line.trim_end().ends_with(&format!("{event}:")));
            assert_eq!(of_event.count() as u64, count.as_u64().unwrap(), "{event} of {run}");
        }
        assert_eq!(lines.len() as u64, samples.values().map(|n| n.as_u64().unwrap()).sum::<u64>());
        assert!(samples["cpu-clock"].as_u64().unwrap() > 20, "{run}");
        // Times of perf are seconds, a point, nanoseconds, a colon.
        let time = |line: &str| -> u64 {
            let time =
                line.split_whitespace().next().unwrap().trim_end_matches(':').replace('.', "");
            time.parse().unwrap()
        };
        let first = lines.iter().map(|line| time(line)).min().unwrap();
        assert_eq!(run["holds"]["first_ns"], first);
        assert_eq!(run["course"]["warm_up"]["end_ns"], first + 10_000_000);
        assert!(run["course"]["cpu_ns"].as_u64().unwrap() > 0);
    }
}

#[test]
fn counts_are_those_of_the_kernel() {
    if !does_perf_record() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let busy = script(folder.path(), "busy", BUSY);
    let mut record = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    record.args(["record", "perf", "--name", "x", "--count", "--count-interval", "20"]);
    record.args(["-e", "task-clock,page-faults", "--"]).arg(&busy).current_dir(folder.path());
    let output = record.output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", texts(&output).1);
    let run = json(&folder.path().join("x.json"))["experiments"][0]["runs"][0].clone();
    let count = |place: usize| run["counts"][place]["total"].as_f64().unwrap();
    // The clock in milliseconds, against the accounts of the kernel, which go in steps of 10 ms.
    let accounts = run["course"]["cpu_ns"].as_f64().unwrap() / 1e6;
    assert!((count(0) - accounts).abs() < 40.0 + 0.2 * accounts, "{run}");
    assert!(count(1) > 50.0, "{run}");
}

#[test]
fn events_that_do_not_open_are_said_and_the_others_recorded() {
    if !does_perf_record() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut record = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    record.args(["record", "perf", "--name", "x", "-e", "no-such-event,page-faults", "--", "true"]);
    let output = record.current_dir(folder.path()).output().unwrap();
    let (_, err) = texts(&output);
    assert!(output.status.success(), "{err}");
    assert!(err.contains("left out: no-such-event: perf does not know it"), "{err}");
    assert!(folder.path().join("x-1.perf.data").is_file());
}

#[test]
fn every_eighth_page_fault_is_a_sample() {
    if !does_perf_record() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let busy = script(folder.path(), "busy", "for i in 1 2 3 4 5 6 7 8; do (:); (:); (:); done");
    let run = |more: &[&str]| {
        let mut record = Command::new(env!("CARGO_BIN_EXE_hotframe"));
        record.args(["record", "perf", "--replace", "--name", "x", "-e", "cpu-clock,page-faults"]);
        record.args(more).arg("--").arg(&busy).current_dir(folder.path());
        let output = record.output().unwrap();
        assert!(output.status.success(), "{}", texts(&output).1);
        json(&folder.path().join("x.json"))["experiments"][0]["runs"][0].clone()
    };
    let counted = run(&["--count"])["counts"][1]["total"].as_f64().unwrap();
    let samples = run(&[])["holds"]["samples"]["page-faults"].as_f64().unwrap();
    // Each of 25 processes keeps up to seven to itself.
    assert!(8.0 * samples < 1.1 * counted && 8.0 * samples > counted - 25.0 * 8.0 - 100.0);
    assert!(samples > 10.0, "{samples} samples of {counted}");
}

/// Half, three and two tenths of its time in three callers of one function, below some recursion.
const SHARES: &str = r#"
#include <time.h>
static volatile unsigned long sink;
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}
__attribute__((noinline)) void spin(double seconds) {
    double end = now() + seconds;
    unsigned long x = 1;
    while (now() < end) for (int i = 0; i < 20000; i++) x = x * 6364136223846793005ul + 1;
    sink += x;
}
__attribute__((noinline)) void half(double t) { spin(t * 0.5); sink++; }
__attribute__((noinline)) void third(double t) { spin(t * 0.3); sink++; }
__attribute__((noinline)) void fifth(double t) { spin(t * 0.2); sink++; }
__attribute__((noinline)) void below(int depth, double t) {
    if (depth == 0) { half(t); third(t); fifth(t); } else below(depth - 1, t);
    sink++;
}
int main(void) { below(12, 1.5); return 0; }
"#;

/// Without frame pointers and debug information, callers have their shares, unasked; by frame pointers they are
/// missing, and that is told.
#[test]
fn callers_have_their_shares_in_code_without_frame_pointers() {
    if !does_perf_record() || !cfg!(target_arch = "x86_64") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("shares.c"), SHARES).unwrap();
    let mut compile = Command::new("cc");
    compile.args(["-O2", "-fomit-frame-pointer", "-o", "shares", "shares.c"]);
    let output = compile.current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", texts(&output).1);
    let hotframe = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
        let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", texts(&output).1);
        output
    };
    let shown = |file: &str| -> serde_json::Value {
        let output = hotframe(&["show", file, "--view", "flat", "--format", "json"]);
        serde_json::from_slice(&output.stdout).unwrap()
    };
    hotframe(&["record", "-o", "unasked", "--", "./shares"]);
    let found = shown("unasked");
    let total = found["total"].as_f64().unwrap();
    for (function, share) in [("half", 0.5), ("third", 0.3), ("fifth", 0.2), ("main", 1.0)] {
        let rows = found["rows"].as_array().unwrap();
        let row = rows.iter().find(|row| row["function"] == function).unwrap();
        let own = row["total"].as_f64().unwrap() / total;
        assert!((own - share).abs() < 0.04, "{function}: {own}");
    }
    assert!(!found["warnings"].to_string().contains("callers are missing"), "{found}");
    hotframe(&["record", "--call-graph", "fp", "-o", "pointers", "--", "./shares"]);
    let found = shown("pointers");
    assert!(found["warnings"].to_string().contains("callers are missing"), "{found}");
}
