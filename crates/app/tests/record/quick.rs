//! `hotframe record PROGRAM`.

use std::os::unix::fs::PermissionsExt as _;

use crate::fake::{Fake, script};
use crate::{names, texts};

#[test]
fn a_command_is_recorded_with_stacks_and_passed_on_as_it_is() {
    let fake = Fake::new();
    script(&fake.work(), "say it", "printf '%s|' \"$@\"; echo err >&2; exit 7");
    let arguments = ["--", "./say it", "two words", "it's", "\"x\"", "", "$HOME", "-o", "--"];
    let output = fake.run(&arguments);
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(7), "{err}");
    assert_eq!(out, "two words|it's|\"x\"||$HOME|-o|--|");
    assert!(err.lines().any(|line| line == "err"), "{err}");
    assert!(err.contains("50 samples of"), "{err}");
    let expected = "<record><-q><-F><997><--call-graph><dwarf><-k><CLOCK_MONOTONIC>\
                    <--sample-cpu><--timestamp><--buildid-mmap><-z><--no-bpf-event><-e><cycles>\
                    <-o><say it.perf.data><--><./say it><two words><it's><\"x\"><><$HOME><-o><-->";
    assert_eq!(fake.recorded(), [expected]);
    assert_eq!(names(&fake.work()), ["say it", "say it.perf.data", "say it.perf.data.json"]);
    let run = &fake.manifest("say it.perf.data.json")["experiments"][0]["runs"][0];
    assert_eq!(run["status"]["exit"], 7);
    assert_eq!(run["holds"]["threads"], 1);
    assert_eq!(run["holds"]["first_ns"], 1_000_000_000);
}

#[test]
fn recordings_do_not_replace_each_other_unless_named() {
    let fake = Fake::new();
    for _ in 0..2 {
        fake.succeed(&["sh", "-c", "exit 0"]);
    }
    let two = ["sh.2.perf.data", "sh.2.perf.data.json", "sh.perf.data", "sh.perf.data.json"];
    assert_eq!(names(&fake.work()), two);
    fake.succeed(&["-o", "sh.perf.data", "--", "sh", "-c", "exit 0"]);
    assert_eq!(names(&fake.work()), two);
    let mode = std::fs::metadata(fake.work().join("sh.perf.data")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn without_counters_time_is_measured_and_said() {
    let fake = Fake::new();
    fake.opens(&["cpu-clock"]);
    let (_, err) = fake.succeed(&["-F", "99", "--call-graph", "dwarf", "--", "sh", "-c", ":"]);
    assert!(err.contains("time is measured (cpu-clock)"), "{err}");
    let call = &fake.recorded()[0];
    assert!(call.contains("<-F><99>") && call.contains("<dwarf>"), "{call}");
    assert!(call.contains("<-e><cpu-clock>"), "{call}");
    let events = &fake.manifest("sh.perf.data.json")["experiments"][0]["events"];
    assert_eq!(events["opened"][0]["is_time"], true);
    assert_eq!(events["not_supported"][0]["name"], "cycles");
}

#[test]
fn an_older_perf_is_requested_what_it_has() {
    let fake = Fake::new();
    fake.set("help", " -N, --no-buildid-cache\n");
    fake.succeed(&["--", "sh", "-c", ":"]);
    let call = &fake.recorded()[0];
    assert!(call.contains("<--timestamp><-N><-e>"), "{call}");
}

#[test]
fn the_end_by_a_signal_is_passed_on() {
    use std::os::unix::process::ExitStatusExt as _;

    let fake = Fake::new();
    let ended = |signal: &str| fake.run(&["--", "sh", "-c", &format!("kill -{signal} $$")]).status;
    assert_eq!(ended("TERM").signal(), Some(15));
    assert_eq!(ended("INT").signal(), Some(2));
    assert_eq!(ended("KILL").code(), Some(137));
    assert_eq!(ended("SEGV").code(), Some(139));
    let run = &fake.manifest("sh.perf.data.json")["experiments"][0]["runs"][0];
    assert_eq!(run["status"]["signal"], 15);
}

#[test]
fn nothing_is_left_of_what_was_not_recorded() {
    let fake = Fake::new();
    fake.set("writes-nothing", "");
    let err = fake.fail(1, &["-o", "x", "--", "sh", "-c", ":"]);
    assert!(err.contains("nothing was recorded: perf ended with code 3"), "{err}");
    assert_eq!(names(&fake.work()), Vec::<String>::new());
}

#[test]
fn a_process_that_runs_already_is_recorded_for_a_while() {
    let fake = Fake::new();
    let pid = std::process::id().to_string();
    fake.succeed(&["--pid", &pid, "--duration", "20ms", "-o", "own.perf.data"]);
    let recorded = fake.recorded().concat();
    let expected = format!("<-o><own.perf.data><-p><{pid}><--><sleep><0.020>");
    assert!(recorded.contains(&expected), "{recorded}");
    let run = &fake.manifest("own.perf.data.json")["experiments"][0]["runs"][0];
    assert!(run["status"].is_null(), "it goes on");
    assert!(!run["course"]["is_stopped"].as_bool().unwrap_or(false));
    for (arguments, told) in [
        (&["--pid", "999999999"][..], "there is no process 999999999"),
        (&["--duration", "1s", "true"], "--pid"),
        (&["perf", "--pid", &pid, "--runs", "2"], "is sampled once"),
        (&["perf", "--pid", &pid, "--count"], "is sampled once"),
        (&["--pid", &pid, "true"], "cannot be used with"),
    ] {
        let output = fake.run(arguments);
        assert!(!output.status.success() && texts(&output).1.contains(told), "{arguments:?}");
    }
}
