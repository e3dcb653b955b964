//! A perf for tests, in a folder of its own.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::canned::recording;

pub(crate) struct Fake {
    folder: TempDir,
}

/// What a processor has that has everything.
const HARDWARE: [&str; 16] = [
    "cpu-cycles",
    "instructions",
    "cache-misses",
    "cache-references",
    "L1-dcache-load-misses",
    "L1-dcache-loads",
    "L1-dcache-stores",
    "L1-icache-load-misses",
    "LLC-loads",
    "LLC-load-misses",
    "LLC-stores",
    "mem-loads",
    "mem-stores",
    "branch-misses",
    "branch-instructions",
    "bus-cycles",
];
const OTHERS: [&str; 5] = ["cycles", "cpu-clock", "page-faults", "context-switches", "task-clock"];

impl Fake {
    pub(crate) fn new() -> Fake {
        let fake = Fake { folder: tempfile::tempdir().unwrap() };
        let program = fake.path("bin/perf");
        fs::create_dir(program.parent().unwrap()).unwrap();
        fs::create_dir(fake.work()).unwrap();
        fs::write(&program, include_str!("perf.sh")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        fake.set("version", "perf version 6.1.99\n");
        fake.set("help", " -z, --compression-level\n --buildid-mmap  x\n --no-bpf-event\n");
        fake.set("counters", "99");
        fake.set("log", "");
        fake.opens(&[&HARDWARE[..], &OTHERS[..]].concat());
        fake.set("known", &[&HARDWARE[..], &OTHERS[..]].concat().join("\n"));
        fs::write(fake.path("canned"), recording(50)).unwrap();
        fake
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Where commands run.
    pub(crate) fn work(&self) -> PathBuf {
        self.path("work")
    }

    pub(crate) fn set(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Only these events open.
    pub(crate) fn opens(&self, events: &[&str]) {
        self.set("events", &events.join("\n"));
    }

    /// `hotframe record` with arguments.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
        let path = std::env::var_os("PATH").unwrap();
        let folders = std::iter::once(self.path("bin")).chain(std::env::split_paths(&path));
        command.arg("record").args(arguments).current_dir(self.work());
        command.env("PATH", std::env::join_paths(folders).unwrap());
        command.env("FAKE", self.folder.path()).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    #[track_caller]
    pub(crate) fn succeed(&self, arguments: &[&str]) -> (String, String) {
        let output = self.run(arguments);
        let (out, err) = crate::texts(&output);
        assert!(output.status.success(), "{arguments:?}: {err}");
        (out, err)
    }

    /// What it says on standard error where it ends with a code.
    #[track_caller]
    pub(crate) fn fail(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let (_, err) = crate::texts(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {err}");
        assert!(!err.contains("panicked"), "{err}");
        err
    }

    /// The calls that recorded or counted something of the user's.
    pub(crate) fn recorded(&self) -> Vec<String> {
        let log = fs::read_to_string(self.path("log")).unwrap();
        let is_users = |line: &&str| line.contains("<-o>") && !line.ends_with("<--><true>");
        let shortened = |line: &str| {
            let folder = format!("{}/", fs::canonicalize(self.work()).unwrap().display());
            let line =
                line.replace(&folder, "").replace(&format!("{}/", self.work().display()), "");
            // The name until a recording is whole.
            let Some((start, rest)) = line.split_once(".partial>") else { return line };
            let (start, _) = start.rsplit_once('.').unwrap();
            format!("{start}>{rest}")
        };
        log.lines().filter(is_users).map(shortened).collect()
    }

    pub(crate) fn manifest(&self, name: &str) -> serde_json::Value {
        crate::json(&self.work().join(name))
    }
}

/// A script that commands of tests are.
pub(crate) fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}
