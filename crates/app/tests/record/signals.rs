//! Signals reach the command, and what was recorded stays.

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::fake::Fake;
use crate::names;

/// Waits for something, not for ever.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(30), "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn ended(child: &mut Child) -> ExitStatus {
    let mut status = None;
    wait_until("it does not end", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    status.unwrap()
}

fn send(child: &Child, signal: &str) {
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
}

fn is_alive(id: &str) -> bool {
    let stat = fs::read_to_string(Path::new("/proc").join(id).join("stat"));
    // One that ended waits for its parent as a zombie.
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

/// A command that tells its process and a child's, and waits.
const WAITS: &str = "sleep 60 & echo $! >child; echo $$ >own; trap 'echo told >told; exit 9' INT; \
                     touch ready; wait";

#[test]
fn ctrl_c_stops_the_command_and_keeps_the_recording() {
    let fake = Fake::new();
    let arguments = ["perf", "--name", "x", "--runs", "3", "-e", "cpu-cycles"];
    let mut command = fake.command(&[&arguments[..], &["--", "sh", "-c", WAITS]].concat());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let file = |name: &str| fake.work().join(name);
    wait_until("it does not start", || file("ready").exists());
    send(&child, "-INT");
    // The code is the command's own.
    assert_eq!(ended(&mut child).code(), Some(9));
    assert!(file("told").exists());
    for id in ["own", "child"] {
        let id = fs::read_to_string(file(id)).unwrap();
        wait_until("a process is left", || !is_alive(id.trim()));
    }
    // One run of three, marked, and the next call begins with it again.
    let runs = fake.manifest("x.json")["experiments"][0]["runs"].clone();
    assert_eq!(runs.as_array().unwrap().len(), 1);
    assert_eq!(runs[0]["course"]["is_stopped"], true);
    assert_eq!(runs[0]["status"]["exit"], 9);
    let left = ["child", "own", "ready", "told", "x-1.perf.data", "x.json"];
    assert_eq!(names(&fake.work()), left);
}

#[test]
fn a_command_that_does_not_listen_is_ended_all_the_same() {
    let fake = Fake::new();
    let script = "trap '' INT TERM; echo $$ >own; touch ready; while :; do sleep 0.1; done";
    let mut command = fake.command(&["-o", "x", "--", "sh", "-c", script]);
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    wait_until("it does not start", || fake.work().join("ready").exists());
    for signal in ["-TERM", "-INT", "-TERM"] {
        send(&child, signal);
        thread::sleep(Duration::from_millis(100));
    }
    let status = ended(&mut child);
    assert_eq!((status.code(), status.signal()), (Some(137), None));
    let id = fs::read_to_string(fake.work().join("own")).unwrap();
    wait_until("a process is left", || !is_alive(id.trim()));
}
