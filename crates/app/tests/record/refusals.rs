//! What is refused before a command starts, each with what to do.

use std::fs;

use crate::fake::Fake;

/// Refused, with words, before anything of the user's ran.
#[track_caller]
fn refused(fake: &Fake, code: i32, arguments: &[&str], words: &[&str]) {
    let err = fake.fail(code, arguments);
    for word in words {
        assert!(err.contains(word), "{arguments:?}: no '{word}' in: {err}");
    }
    assert!(!fake.work().join("ran").exists(), "{arguments:?}: the command ran");
    assert_eq!(fake.recorded(), Vec::<String>::new(), "{arguments:?}");
}

const RUN: [&str; 3] = ["--", "touch", "ran"];

fn with<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    arguments.iter().copied().chain(RUN).collect()
}

#[test]
fn perf_that_is_missing_broken_or_old() {
    let fake = Fake::new();
    fake.set("version", "perf version 3.10.0\n");
    refused(&fake, 1, &with(&[]), &["perf 3.10.0 is too old: 4.18", "install it"]);
    fake.set("version", "WARNING: perf not found for kernel 6.5.0-14\n");
    refused(&fake, 1, &with(&[]), &["not found for kernel", "linux-tools-$(uname -r)"]);
    fs::remove_file(fake.path("bin/perf")).unwrap();
    let mut command = fake.command(&with(&[]));
    let output = command.env("PATH", fake.path("bin")).output().unwrap();
    let (_, err) = crate::texts(&output);
    // The command is looked for first, and `touch` is not on this path either.
    assert_eq!(output.status.code(), Some(127), "{err}");
    let mut command = fake.command(&["--", "/bin/sh", "-c", "touch ran"]);
    let output = command.env("PATH", fake.path("bin")).output().unwrap();
    let (_, err) = crate::texts(&output);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.contains("perf is not installed") && err.contains("linux-perf"), "{err}");
}

#[test]
fn commands_that_are_not_there() {
    let fake = Fake::new();
    refused(&fake, 127, &["--", "no-such-program"], &["there is no program no-such-program"]);
    refused(&fake, 127, &["--", "./none"], &["there is no program ./none"]);
    fake.set("work/plain", "text");
    refused(&fake, 126, &["--", "./plain"], &["./plain cannot be run"]);
    refused(
        &fake,
        127,
        &["--", "plain"],
        &["plain is in this folder and not in PATH: write ./plain"],
    );
    fake.set("work/slow.py", "print()");
    refused(&fake, 127, &["--", "slow.py"], &["write python3 slow.py"]);
    refused(&fake, 1, &[], &["there is no program", "hotframe record ls"]);
    refused(&fake, 1, &["perf", "--name", "x"], &["'x' has no command"]);
}

#[test]
fn outputs_that_are_no_files() {
    let fake = Fake::new();
    fs::create_dir(fake.work().join("folder")).unwrap();
    refused(&fake, 1, &with(&["-o", "folder"]), &["not a regular file"]);
    refused(&fake, 1, &with(&["-o", "-"]), &["standard output is the command's"]);
    refused(&fake, 1, &with(&["-o", "no/such/x/"]), &["cannot write"]);
    // Somebody else's file has the name of the manifest.
    fake.set("work/a.json", "{\"mine\": 1}");
    refused(&fake, 1, &with(&["-o", "a"]), &["a.json", "unknown field `mine`"]);
    assert_eq!(fs::read_to_string(fake.work().join("a.json")).unwrap(), "{\"mine\": 1}");
    refused(&fake, 1, &with(&["perf", "--name", "a"]), &["is there already", "--resume"]);
    refused(&fake, 1, &with(&["perf", "--name", "../a"]), &["cannot name files"]);
}

#[test]
fn events_that_perf_refuses() {
    let fake = Fake::new();
    fake.opens(&["page-faults"]);
    let events = with(&["perf", "-e", "instructions,nonsense"]);
    let words = ["instructions: not supported", "nonsense: perf does not know it", "perf --list"];
    refused(&fake, 1, &events, &words);
    refused(&fake, 1, &with(&["perf", "-e", "{a"]), &["brace is not closed"]);
    refused(&fake, 1, &with(&["perf", "-e", "faults,page-faults"]), &["are the same event"]);
    let refuses = |said: &str, words: &[&str]| {
        fake.set("refuses", said);
        fake.set("unsampled", "");
        refused(&fake, 1, &with(&["perf", "-e", "page-faults"]), words);
    };
    refuses("x: PMU doesn't support branch stack sampling", &["--call-graph fp or dwarf"]);
    refuses("Permission error mapping pages.", &["perf_event_mlock_kb"]);
    refuses("Too many events are opened.", &["ulimit -n"]);
    refuses("No permission to enable page-faults event.", &["kernel.perf_event_paranoid"]);
}

#[test]
fn options_that_make_no_sense() {
    let fake = Fake::new();
    let perf = |more: &[&'static str]| with(&[&["perf", "--name", "x"], more].concat());
    refused(&fake, 1, &perf(&["--runs", "0"]), &["one run or more"]);
    refused(&fake, 1, &perf(&["--frequency", "0"]), &["1 or more"]);
    refused(&fake, 1, &perf(&["--frequency", "4000000"]), &["than the kernel takes"]);
    refused(&fake, 1, &perf(&["--thread-name", "x"]), &["'x': it is not REGEX=NAME"]);
    refused(&fake, 1, &perf(&["--count", "--count-interval", "1"]), &["10 ms"]);
    refused(&fake, 1, &perf(&["--perf", "--output=x"]), &["--output=x is not passed on"]);
    refused(&fake, 2, &perf(&["--by-cpu"]), &["--count"]);
    refused(&fake, 2, &perf(&["--resume", "--replace"]), &["cannot be used with"]);
    refused(&fake, 1, &["--plan", "none.toml"], &["cannot read none.toml"]);
}

#[test]
fn limits_of_this_process_are_looked_at() {
    let fake = Fake::new();
    let events = "cpu-cycles,instructions,cache-misses,cache-references";
    let own = fake.command(&with(&["perf", "--name", "x", "-e", events]));
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "ulimit -n 64; exec \"$@\"", "sh"]).arg(own.get_program());
    shell.args(own.get_args()).current_dir(fake.work());
    for (key, value) in own.get_envs() {
        shell.env(key, value.unwrap());
    }
    let output = shell.stdin(std::process::Stdio::null()).output().unwrap();
    let (_, err) = crate::texts(&output);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.contains("events x processors") && err.contains("ulimit -n"), "{err}");
    assert!(!fake.work().join("ran").exists());
}
