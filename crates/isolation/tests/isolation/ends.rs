//! How runs end: as their programs end.

use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Stdio;
use std::time::Duration;

use isolation::Status;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};

use crate::run::{can_isolate, command, launcher, run, small, wait};

#[test]
fn exit_codes_and_signals_are_passed_on() {
    for code in [0, 1, 7, 125, 127, 128, 137, 255] {
        let Some(ran) = run(&small(), &["sh", "-c", &format!("exit {code}")]) else { return };
        assert_eq!((ran.status.code(), ran.end().status), (Some(code), Some(Status::Exit(code))));
        assert_eq!(ran.end().cause, None);
    }
    for signal in [1, 2, 3, 4, 6, 8, 9, 10, 11, 13, 14, 15, 24, 31] {
        let script = format!("kill -{signal} $$; sleep 5");
        let ran = run(&small(), &["sh", "-c", &script]).unwrap();
        assert_eq!(ran.status.signal(), Some(signal), "{}", ran.error);
        assert_eq!(ran.end().status, Some(Status::Signal(signal)));
    }
}

#[test]
fn programs_that_cannot_be_started_are_distinguished_from_those_that_fail() {
    let Some(ran) = run(&small(), &["not-a-program"]) else { return };
    assert_eq!((ran.status.code(), ran.end().status), (Some(127), None));
    assert_eq!(
        ran.error.trim(),
        "hotframe: cannot start not-a-program in isolation: No such file or directory (os error 2)"
    );
    let ran = run(&small(), &["/etc/passwd"]).unwrap();
    assert_eq!(ran.status.code(), Some(126), "{}", ran.error);
    let ran = run(&small(), &["/work"]).unwrap();
    assert_eq!(ran.status.code(), Some(126), "{}", ran.error);
}

#[test]
fn signals_reach_the_program() {
    if !can_isolate() {
        return;
    }
    for (name, signal) in [("TERM", Signal::TERM), ("INT", Signal::INT), ("USR1", Signal::USR1)] {
        let script = format!("trap 'exit 42' {name}; echo ready; while :; do sleep 0.05; done");
        let program = ["sh", "-c", &script].map(str::to_owned);
        let wrapped = small().wrap(&launcher(), &program).unwrap();
        let mut child = command(&wrapped).stdout(Stdio::piped()).spawn().unwrap();
        let mut said = [0; 5];
        child.stdout.take().unwrap().read_exact(&mut said).unwrap();
        assert_eq!(&said, b"ready");
        // `prlimit` has become the stage before bubblewrap.
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert_eq!(wait(&mut child, Duration::from_secs(20)).code(), Some(42), "{name}");
    }
}

#[test]
fn signals_that_come_early_are_not_lost() {
    if !can_isolate() {
        return;
    }
    let program = ["sleep", "30"].map(str::to_owned);
    for milliseconds in 0..24 {
        let wrapped = small().wrap(&launcher(), &program).unwrap();
        let mut child = command(&wrapped).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        let status = wait(&mut child, Duration::from_secs(15));
        assert_eq!(status.signal(), Some(15), "after {milliseconds} ms: {status}");
    }
}

#[test]
fn nothing_stays_behind_whenever_it_is_killed() {
    if !can_isolate() {
        return;
    }
    let program = ["sleep", "30"].map(str::to_owned);
    for step in 0..100 {
        let wrapped = small().wrap(&launcher(), &program).unwrap();
        let mut command = command(&wrapped);
        // What is left holds the pipe open.
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(200 * step));
        child.kill().unwrap();
        child.wait().unwrap();
        drop(wrapped);
        let pipe = child.stdout.take().unwrap();
        let mut polled = [PollFd::new(&pipe, PollFlags::IN)];
        let longest = Timespec { tv_sec: 10, tv_nsec: 0 };
        let ended = poll(&mut polled, Some(&longest)).unwrap();
        assert_eq!(ended, 1, "something is left of what was killed at step {step}");
    }
}

#[test]
fn standard_output_may_be_closed_on_either_side() {
    let script = "exec >&- 2>&-; sleep 0.2; exit 5";
    let Some(ran) = run(&small(), &["sh", "-c", script]) else { return };
    assert_eq!(ran.status.code(), Some(5));
    let program = ["sh", "-c", "while :; do echo line; done"].map(str::to_owned);
    let wrapped = small().wrap(&launcher(), &program).unwrap();
    let mut child = command(&wrapped).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let status = wait(&mut child, Duration::from_secs(20));
    assert_eq!(status.signal(), Some(13));
    // And where there never was one.
    let wrapped = small().wrap(&launcher(), &["true".to_owned()]).unwrap();
    let mut closed = std::process::Command::new("sh");
    closed.args(["-c", "exec \"$@\" >&- 2>&- <&-", "sh"]).args(&wrapped.command);
    assert_eq!(closed.status().unwrap().code(), Some(0));
}

#[test]
fn standard_input_is_the_programs() {
    use std::io::Write as _;
    if !can_isolate() {
        return;
    }
    let wrapped = small().wrap(&launcher(), &["cat".to_owned()]).unwrap();
    let mut command = command(&wrapped);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"given").unwrap();
    assert_eq!(child.wait_with_output().unwrap().stdout, b"given");
}

#[test]
fn a_folder_is_no_way_out() {
    if !can_isolate() {
        return;
    }
    let program = ["sh", "-c", "ls /proc/self/fd/0/"].map(str::to_owned);
    let wrapped = small().wrap(&launcher(), &program).unwrap();
    let folder = std::fs::File::open("/etc").unwrap();
    let ran = command(&wrapped).stdin(folder).output().unwrap();
    assert_eq!((ran.status.code(), ran.stdout.len()), (Some(125), 0));
}

#[test]
fn files_that_the_caller_has_open_are_not_the_programs() {
    // Handed on by mistake: without the flag that closes them.
    if !can_isolate() {
        return;
    }
    let program = ["sh", "-c", "ls /proc/self/fd | wc -l; cat <&9"].map(str::to_owned);
    let wrapped = small().wrap(&launcher(), &program).unwrap();
    let mut leaky = std::process::Command::new("sh");
    leaky.args(["-c", "exec \"$@\" 9</etc/hostname 8</etc", "sh"]).args(&wrapped.command);
    let ran = leaky.output().unwrap();
    // The three, and the folder that `ls` reads.
    assert_eq!(String::from_utf8_lossy(&ran.stdout).trim(), "4");
    assert!(!ran.status.success());
}
