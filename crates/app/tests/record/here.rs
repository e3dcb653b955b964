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
