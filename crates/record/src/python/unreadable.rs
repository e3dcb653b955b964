//! Why a process cannot be read, and what to do.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

use std::fs::{self, File};
use std::io;

use super::processes;
use crate::Error;

/// As [`reason`] tells it.
pub(super) const NO_PYTHON: &str = "it is not Python";

/// What is in the way of reading a process, where that can be told better than by py-spy's words.
pub(super) fn reason(pid: u32, why: &str) -> String {
    match Obstacle::new(pid) {
        Some(Obstacle::Rights) => "it may not be read".to_owned(),
        Some(Obstacle::PyPy) => "it is PyPy".to_owned(),
        Some(Obstacle::Other) => NO_PYTHON.to_owned(),
        None => why.to_owned(),
    }
}

/// The error of a process that was to be recorded.
pub(super) fn refusal(pid: u32, why: &str) -> Error {
    let name = processes::name(pid);
    let what = |is: &str| format!("process {pid} ({name}) {is}");
    if fs::metadata(format!("/proc/{pid}")).is_err() {
        return Error::refused(
            format!("there is no process {pid}"),
            "`pgrep -af python` lists those that run",
        );
    }
    match Obstacle::new(pid) {
        Some(Obstacle::Rights) => Error::refused(what("may not be read by this user"), rights()),
        Some(Obstacle::PyPy) => Error::refused(
            what("is PyPy, and stacks of CPython alone can be read"),
            "run the program with CPython, or record it with `hotframe record`, which treats PyPy like any other program",
        ),
        Some(Obstacle::Other) => Error::refused(
            what("is not Python"),
            "`pgrep -af python` lists Python programs; record others with `hotframe record`",
        ),
        None if processes::program(pid).is_none() => {
            Error::refused(what("has ended"), "record one that runs, or start it: `-- COMMAND`")
        }
        None => Error::refused(
            what(&format!("is Python that cannot be read: {why}")),
            "CPython 2.7 and 3.3 to 3.15 can be read; is its interpreter stripped of symbols, or is it \
             only starting? Try again, or another build of the interpreter",
        ),
    }
}

enum Obstacle {
    Rights,
    PyPy,
    Other,
}

impl Obstacle {
    /// None where it looks like Python, or is gone.
    fn new(pid: u32) -> Option<Obstacle> {
        let is_denied = |error: &io::Error| error.kind() == io::ErrorKind::PermissionDenied;
        // Opening asks for the rights that reading needs.
        if File::open(format!("/proc/{pid}/mem")).is_err_and(|error| is_denied(&error)) {
            return Some(Obstacle::Rights);
        }
        let program = processes::program(pid)?;
        let program = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let maps = fs::read_to_string(format!("/proc/{pid}/maps")).ok()?;
        let has = |library: &str| maps.contains(library);
        if program.starts_with("pypy") || has("/libpypy") {
            return Some(Obstacle::PyPy);
        }
        (!program.contains("python") && !has("/libpython") && !has("site-packages"))
            .then_some(Obstacle::Other)
    }
}

fn rights() -> String {
    let scope = fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").unwrap_or_default();
    let scope: u32 = scope.trim().parse().unwrap_or(0);
    if scope == 0 {
        return "record it as its user, or as root".to_owned();
    }
    format!(
        "record it as root, start it under Hotframe (`-- COMMAND`), or allow it until the next start: \
         `sudo sysctl kernel.yama.ptrace_scope=0` (it is {scope})"
    )
}
