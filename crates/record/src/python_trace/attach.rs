//! Tracing a process that runs already: it is asked to run a script that begins a trace, and one that ends it.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, test_kill_process};

use super::{files, package};
use crate::exchange::Exchange;
use crate::interpreter::{Interpreter, Refused, Threads};
use crate::process::{Progress, Watch};
use crate::{Error, Finding, RecordOptions};

const TICK: Duration = Duration::from_millis(20);
/// A main thread that has not come to the script after this is waiting: all threads are asked then.
const MAIN: Duration = Duration::from_millis(500);
/// The trace gets so long to be written to its end.
const LAST: Duration = Duration::from_secs(5);

/// Refuses a process that cannot be traced.
pub(super) fn check(pid: u32) -> Result<(), Error> {
    interpreter(pid).map(|_| ())
}

fn interpreter(pid: u32) -> Result<Interpreter, Error> {
    let number = i32::try_from(pid).unwrap_or(i32::MAX);
    if !is_alive(number) {
        let what = format!("there is no process {pid}");
        return Err(Error::refused(what, "`pgrep -af python` lists those that run"));
    }
    Interpreter::new(number).map_err(|why| refusal(pid, &why))
}

/// Refuses a process that does not see a folder as we do: it is in a container.
fn check_folder(pid: u32, folder: &Path) -> Result<(), Error> {
    let here = fs::metadata(folder).map_err(Error::reading(folder))?;
    let theirs = PathBuf::from(format!("/proc/{pid}/root{}", folder.display()));
    let is_same = fs::metadata(&theirs)
        .is_ok_and(|theirs| (theirs.dev(), theirs.ino()) == (here.dev(), here.ino()));
    if is_same {
        return Ok(());
    }
    Err(Error::refused(
        format!("process {pid} does not see the folder {}: it is in a container", folder.display()),
        "write the recording into a folder that both see, with -o, or run hotframe where the process runs",
    ))
}

fn refusal(pid: u32, why: &Refused) -> Error {
    let sample = format!("sample it: `hotframe record python --pid {pid}`");
    match why {
        Refused::Version => Error::refused(
            format!(
                "process {pid} cannot be traced from outside: it is not CPython of 3.14 or 3.15 with its lock"
            ),
            format!("{sample}, or start it traced: `hotframe record python --trace PROGRAM`"),
        ),
        Refused::Disabled => Error::refused(
            format!(
                "process {pid} does not allow tracing from outside (remote debugging is disabled in it)"
            ),
            format!("start it without PYTHON_DISABLE_REMOTE_DEBUG, or {sample}"),
        ),
        Refused::TooLong => Error::refused(
            "the path of the recording is too long to pass to the process".to_owned(),
            "write it into a folder with a shorter path, with -o",
        ),
        Refused::Memory(error) => Error::refused(
            format!("process {pid} may not be traced from outside: {error}"),
            "run as the user that it runs as, with the right to debug it (root, or CAP_SYS_PTRACE)",
        ),
    }
}

/// Traces until a signal comes, the process ends, or the time is over.
pub(super) fn trace(
    pid: u32,
    exchange: &Exchange,
    asked: &RecordOptions,
    watch: &dyn Watch,
) -> Result<Vec<Finding>, Error> {
    /// Why it cannot be traced, in a few words.
    const MOST_TOLD: u64 = 64 << 10;
    let interpreter = interpreter(pid)?;
    let folder = exchange.parts();
    check_folder(pid, folder.path())?;
    let number = i32::try_from(pid).unwrap_or(i32::MAX);
    package::lay_out(exchange.site())?;
    let begin = begin_script(exchange, &package::settings(folder.path(), asked))?;
    let end = end_script(exchange)?;
    let is_begun = || files::traces(folder).is_ok_and(|traces| !traces.is_empty());
    let outcome = || {
        let told = folder.read("told", MOST_TOLD).ok()?;
        Some(String::from_utf8_lossy(&told).into_owned())
    };
    let is_stopped = || watch.next_signal().is_some();
    let asking = Asking { interpreter: &interpreter, pid, watch };
    let is_over = asking.until(
        &begin,
        || is_begun() || outcome().is_some(),
        || is_stopped() || !is_alive(number),
    )?;
    if let Some(why) = outcome().filter(|why| !why.is_empty()) {
        return Err(Error::refused(
            format!("process {pid} cannot be traced: {why}"),
            format!("sample it: `hotframe record python --pid {pid}`"),
        ));
    }
    if is_over {
        return Ok(vec![]);
    }
    let start = Instant::now();
    let longest = asked.python.duration_ms.map(Duration::from_millis);
    while is_alive(number) && !is_stopped() && longest.is_none_or(|most| start.elapsed() < most) {
        thread::sleep(TICK);
    }
    if !is_alive(number) {
        return Ok(vec![]);
    }
    let patience = Instant::now();
    asking.until(
        &end,
        || outcome().is_some(),
        || !is_alive(number) || patience.elapsed() > LAST,
    )?;
    if outcome().is_some() || !is_alive(number) {
        return Ok(vec![]);
    }
    Ok(vec![Finding::warning(
        format!("process {pid} did not end its trace in {} seconds: it goes on", LAST.as_secs()),
        "it waits in C; the trace has what it did up to here, and is given up when it comes to Python code",
    )])
}

/// Asks a process.
struct Asking<'a> {
    interpreter: &'a Interpreter,
    pid: u32,
    watch: &'a dyn Watch,
}

impl Asking<'_> {
    /// Asks for a script until it has run, or it is over; whether it is over.
    fn until(
        &self,
        script: &Path,
        has_run: impl Fn() -> bool,
        is_over: impl Fn() -> bool,
    ) -> Result<bool, Error> {
        let asks =
            |threads| self.interpreter.run(script, threads).map_err(|why| refusal(self.pid, &why));
        match asks(Threads::Main) {
            // It ended meanwhile.
            Err(_) if is_over() => return Ok(true),
            asked => asked?,
        }
        let start = Instant::now();
        let mut is_told = false;
        loop {
            if has_run() {
                break;
            }
            if is_over() {
                // One that ended cannot be asked.
                let _ = self.interpreter.forget();
                return Ok(true);
            }
            if !is_told && start.elapsed() > MAIN {
                is_told = true;
                asks(Threads::Others)?;
                let what = format!(
                    "process {} waits: its trace begins or ends when it runs Python code",
                    self.pid
                );
                self.watch.see(&Progress { what: &what });
            }
            thread::sleep(TICK);
        }
        if is_told {
            let _ = self.interpreter.forget();
        }
        Ok(false)
    }
}

fn begin_script(exchange: &Exchange, settings: &serde_json::Value) -> Result<PathBuf, Error> {
    let site = quoted(&exchange.site().display().to_string());
    let settings = quoted(&settings.to_string());
    let text = format!(
        "def _hotframe():\n    import json, sys\n    sys.path.insert(0, {site})\n    try:\n        \
         from hotframe import _attach\n    finally:\n        sys.path.remove({site})\n    \
         _attach.begin(json.loads({settings}))\n\n\n_hotframe()\ndel _hotframe\n"
    );
    script(exchange.own("begin.py"), &text)
}

/// Short, because the trace has it.
fn end_script(exchange: &Exchange) -> Result<PathBuf, Error> {
    let told = quoted(&exchange.parts().path().display().to_string());
    let text = format!("__import__(\"sys\").modules[\"hotframe._attach\"].end({told})\n");
    script(exchange.own("end.py"), &text)
}

/// JSON of a text is one that Python reads as the same.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn script(path: PathBuf, text: &str) -> Result<PathBuf, Error> {
    fs::write(&path, text).map_err(Error::writing(&path))?;
    Ok(path)
}

fn is_alive(pid: i32) -> bool {
    let ended = fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z')));
    !ended && Pid::from_raw(pid).is_some_and(|pid| test_kill_process(pid).is_ok())
}
