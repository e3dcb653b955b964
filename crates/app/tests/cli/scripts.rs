//! How `hotframe run` ends.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{fail, sample};

/// Whether a process runs; one that has ended and nobody asked for does not.
fn runs(pid: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = state.rsplit_once(") ").map(|(_, rest)| rest.starts_with('Z'));
    state == Some(false)
}

#[test]
#[cfg(target_os = "linux")]
fn a_script_ends_with_the_command_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("long.py");
    let text = "import os, time\nwith open(os.environ['PID'], 'w') as file: file.write(str(os.getpid()))\n\
         time.sleep(100)\n";
    fs::write(&script, text).unwrap();
    let (pid, temporary) = (folder.path().join("pid"), folder.path().join("tmp"));
    fs::create_dir(&temporary).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"))
        .arg("run")
        .args([&script, &sample("pprof/cpu.pb.gz")])
        .env("PID", &pid)
        .env("TMPDIR", &temporary)
        .spawn()
        .unwrap();
    let begun = Instant::now();
    let within = |what: &str, happened: &dyn Fn() -> bool| {
        while !happened() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let python = || fs::read_to_string(&pid).unwrap_or_default();
    within("the script has begun", &|| !python().is_empty());
    let own = rustix::process::Pid::from_raw(command.id() as i32).unwrap();
    rustix::process::kill_process(own, rustix::process::Signal::TERM).unwrap();
    assert!(!command.wait().unwrap().success());
    within("the script has ended", &|| !runs(&python()));
    let left: Vec<_> =
        fs::read_dir(&temporary).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn what_is_shown_is_not_written_under_the_name_of_another_format() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("show.py");
    fs::write(&script, "profile.show()\n").unwrap();
    let file = sample("pprof/cpu.pb.gz");
    let out = folder.path().join("x.pb.gz");
    let told = fail(1, &[&"run", &script, &file, &"-o", &out]);
    assert!(told.contains("hotframe convert"), "{told}");
    assert!(!out.exists());
}
