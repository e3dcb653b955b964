//! Running a program until it ends or somebody stops it.
//!
//! Without a terminal the program gets a process group of its own, so that all of it can be
//! stopped. At a terminal it stays in ours, because only programs of the foreground group may read
//! from it; there Ctrl+C reaches everyone by itself.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, pidfd_open,
    test_kill_process_group, waitid,
};
use wait4::{ResUse, ResourceUsage, Wait4 as _};

use crate::clock::monotonic;
use crate::manifest::Status;
use crate::output::Output;
use crate::stop::TRACING;
use crate::threads::Log;
use crate::{Error, HostLoad, held, host_load};

/// Sees how far recording is, and brings the signals that were sent to this process.
pub trait Watch {
    /// A signal that has come since the last call.
    fn next_signal(&self) -> Option<i32>;
    /// Something begins.
    fn see(&self, progress: &Progress<'_>);
    /// The command was started. Without a terminal its number is that of its process group, too.
    fn started(&self, pid: u32);
    /// Takes what the command says; none lets it say so where this process does.
    fn output(&self) -> Option<&Arc<Output>>;
}

/// What begins.
#[derive(Debug)]
pub struct Progress<'a> {
    /// `run 2 of 6: cycles, instructions`.
    pub what: &'a str,
}

/// A program to run.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    pub(crate) program: &'a OsStr,
    pub(crate) arguments: &'a [OsString],
    pub(crate) folder: Option<&'a Path>,
    pub(crate) environment: &'a BTreeMap<String, String>,
    /// Standard output goes through us, and lines that name threads are kept.
    pub(crate) has_thread_log: bool,
}

/// What became of it.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: Status,
    /// Otherwise the status is a guess: it was told to who held the program when that ended.
    pub(crate) is_status_known: bool,
    pub(crate) duration: Duration,
    /// When that was over, in nanoseconds of the monotonic clock.
    pub(crate) at_ns: i64,
    /// Processor time of it and of all its children that it waited for; in the steps of the kernel's
    /// accounts where its end was told to who held it.
    pub(crate) cpu: Duration,
    /// That of the program alone, in the steps of the kernel's accounts; none where it is not told.
    pub(crate) own_cpu: Option<Duration>,
    /// The most bytes of memory that it, or one of its children, had at a time; none where that is
    /// not known, as of what has less than this process.
    pub(crate) peak_memory: Option<u64>,
    /// The most files that the program itself had open.
    pub(crate) descriptors: u64,
    /// What else the machine did.
    pub(crate) host: HostLoad,
    /// It did not end by itself.
    pub(crate) is_stopped: bool,
    /// Threads that it named.
    pub(crate) names: Vec<(u32, String)>,
}

/// How often signals are looked for.
const TICK: Duration = Duration::from_millis(20);

/// After a signal, a program gets so long before it gets a harder one.
const GRACE: Duration = Duration::from_secs(20);

pub(crate) fn run(job: &Job<'_>, watch: &dyn Watch) -> Result<Ended, Error> {
    run_with(job, watch, |_, _| Ok(()))
}

/// The same, with something that begins once the program is there. It gets the program's number and the moment from
/// which its duration counts, in nanoseconds of the monotonic clock. If it fails, the program is ended.
pub(crate) fn run_with(
    job: &Job<'_>,
    watch: &dyn Watch,
    begin: impl FnOnce(u32, i64) -> Result<(), Error>,
) -> Result<Ended, Error> {
    let has_own_group = !io::stdin().is_terminal();
    let mut command = command_of(job, has_own_group);
    let output = watch.output().filter(|_| !job.has_thread_log);
    let said = output.map(|output| Ok((output, Output::connect(&mut command)?))).transpose();
    let said = said.map_err(|error| Error::Start { program: "a pipe".to_owned(), error })?;
    held::forget();
    let children_before = cpu_of_children();
    let host_before = host_load::Before::now();
    let start_ns = monotonic();
    let program = || job.program.to_string_lossy().into_owned();
    let mut child = command.spawn().map_err(|error| Error::Start { program: program(), error })?;
    let held_here = held::most();
    watch.started(child.id());
    // What it writes into is open here no longer.
    drop(command);
    let following = said.map(|(output, reader)| output.follow(reader));
    if let Err(error) = begin(child.id(), start_ns) {
        let _ = child.kill();
        let _ = child.wait();
        return Err(error);
    }
    let log = child.stdout.take().map(Log::follow);
    let target = Target { pid: Pid::from_child(&child), has_own_group };
    let mut stop = Stop::default();
    let mut descriptors = Descriptors::new(&child);
    let end = wait_in_thread(child);
    let is_taken;
    let (used, own_cpu, at_ns): (ResUse, _, _) = loop {
        match end.recv_timeout(TICK) {
            Ok(used) => {
                is_taken = used.as_ref().is_err_and(is_of_no_child);
                let used = if is_taken { Ok((nothing_used(), None, monotonic())) } else { used };
                break used.map_err(|error| Error::Start { program: program(), error })?;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(Error::Stopped),
        }
        descriptors.look();
        while let Some(signal) = watch.next_signal() {
            stop.forward(signal, &target);
        }
        stop.insist(&target);
    };
    let cpu = if is_taken {
        cpu_of_children().saturating_sub(children_before)
    } else {
        used.rusage.utime + used.rusage.stime
    };
    let host = host_before.until_now(cpu);
    if stop.is_requested() {
        target.clear();
    }
    if let Some(following) = following {
        following.finish();
    }
    Ok(Ended {
        status: status(used.status),
        is_status_known: !is_taken,
        duration: Duration::from_nanos((at_ns - start_ns) as u64),
        at_ns,
        peak_memory: Some(used.rusage.maxrss).filter(|&most| !is_taken && most > held_here),
        cpu,
        host,
        own_cpu,
        descriptors: descriptors.most,
        is_stopped: stop.is_requested(),
        names: log.map_or(vec![], Log::names),
    })
}

fn command_of(job: &Job<'_>, has_own_group: bool) -> Command {
    let mut command = Command::new(job.program);
    command.args(job.arguments).envs(job.environment);
    if let Some(folder) = job.folder {
        command.current_dir(folder);
    }
    if has_own_group {
        command.process_group(0);
    }
    if job.has_thread_log {
        command.stdout(Stdio::piped());
    }
    command
}

/// Brings what the program used, what it took on processors itself, and when it ended by the monotonic clock.
fn wait_in_thread(mut child: Child) -> Receiver<io::Result<(ResUse, Option<Duration>, i64)>> {
    let (ended, end) = channel();
    thread::spawn(move || {
        let own_cpu = own_cpu_at_end(&child);
        // What follows may wait until others are done with their stopping of threads.
        let ended_ns = own_cpu.is_some().then(monotonic);
        let tracing = TRACING.lock().unwrap_or_else(PoisonError::into_inner);
        let used = child.wait4();
        let at_ns = ended_ns.unwrap_or_else(monotonic);
        drop(tracing);
        ended.send(used.map(|used| (used, own_cpu, at_ns)))
    });
    end
}

/// One that ends while it is held has its end told to who held it.
fn is_of_no_child(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::CHILD.raw_os_error())
}

fn nothing_used() -> ResUse {
    let rusage = ResourceUsage { utime: Duration::ZERO, stime: Duration::ZERO, maxrss: 0 };
    ResUse { status: ExitStatus::from_raw(0), rusage }
}

pub(crate) fn status(status: ExitStatus) -> Status {
    match (status.code(), status.signal()) {
        (Some(code), _) => Status::Exit(code),
        (None, signal) => Status::Signal(signal.unwrap_or(0)),
    }
}

/// What a process took on processors without its children. Waits for its end, and looks before it
/// is cleared away.
fn own_cpu_at_end(child: &Child) -> Option<Duration> {
    wait_for_end(Pid::from_child(child))?;
    ticks_of(&format!("/proc/{}/stat", child.id()), 11)
}

/// What all children took that this process waited for so far, and theirs.
fn cpu_of_children() -> Duration {
    ticks_of("/proc/self/stat", 13).unwrap_or_default()
}

/// Two fields of a process's `stat` together, by the number of the first one after the name.
fn ticks_of(stat: &str, first: usize) -> Option<Duration> {
    let stat = std::fs::read_to_string(stat).ok()?;
    // The name before it may have spaces and braces.
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let field = |at: usize| fields.get(at)?.parse::<u64>().ok();
    let ticks = field(first)? + field(first + 1)?;
    let a_second = rustix::param::clock_ticks_per_second().max(1);
    Some(Duration::from_nanos(ticks.saturating_mul(1_000_000_000) / a_second))
}

/// Waits without taking note of it.
fn wait_for_end(pid: Pid) -> Option<()> {
    // Tells of the end alone, not of stops.
    if let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) {
        let mut ends = [PollFd::new(&process, PollFlags::IN)];
        return rustix::io::retry_on_intr(|| poll(&mut ends, None)).ok().map(|_| ());
    }
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    rustix::io::retry_on_intr(|| waitid(WaitId::Pid(pid), options)).ok().map(|_| ())
}

/// Whom signals go to.
struct Target {
    pid: Pid,
    has_own_group: bool,
}

impl Target {
    fn send(&self, signal: Signal) {
        // Whoever is gone needs no signal.
        let _ = if self.has_own_group {
            kill_process_group(self.pid, signal)
        } else {
            kill_process(self.pid, signal)
        };
    }

    /// Ends what the program left behind when it was stopped.
    fn clear(&self) {
        const LONGEST: Duration = Duration::from_secs(2);
        if !self.has_own_group {
            return;
        }
        self.send(Signal::TERM);
        let start = Instant::now();
        while test_kill_process_group(self.pid).is_ok() {
            if start.elapsed() > LONGEST {
                self.send(Signal::KILL);
                return;
            }
            thread::sleep(TICK);
        }
    }
}

/// What was done to stop it.
#[derive(Default)]
struct Stop {
    sent: u32,
    last: Option<Instant>,
}

impl Stop {
    fn is_requested(&self) -> bool {
        self.sent > 0
    }

    /// The first signal goes on as it came, the next ones are harder.
    fn forward(&mut self, signal: i32, target: &Target) {
        let signal = match self.sent {
            0 => Signal::from_named_raw(signal).unwrap_or(Signal::TERM),
            1 => Signal::TERM,
            _ => Signal::KILL,
        };
        self.sent += 1;
        self.last = Some(Instant::now());
        target.send(signal);
    }

    fn insist(&mut self, target: &Target) {
        if self.last.is_some_and(|last| last.elapsed() > GRACE) {
            self.forward(0, target);
        }
    }
}

/// Counts the files that a process has open: often at first, when they are opened, then seldom.
struct Descriptors {
    folder: std::path::PathBuf,
    looks: u32,
    most: u64,
}

impl Descriptors {
    fn new(child: &Child) -> Descriptors {
        let folder = format!("/proc/{}/fd", child.id()).into();
        Descriptors { folder, looks: 0, most: 0 }
    }

    fn look(&mut self) {
        self.looks = self.looks.saturating_add(1);
        if self.looks > 25 && !self.looks.is_multiple_of(50) {
            return;
        }
        if let Ok(entries) = std::fs::read_dir(&self.folder) {
            self.most = self.most.max(entries.count() as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Sends a signal once a file is there.
    struct Sends<'a> {
        once: &'a Path,
        signal: Cell<Option<i32>>,
    }

    impl Watch for Sends<'_> {
        fn next_signal(&self) -> Option<i32> {
            if self.once.exists() { self.signal.take() } else { None }
        }
        fn see(&self, _: &Progress<'_>) {}
        fn started(&self, _: u32) {}
        fn output(&self) -> Option<&Arc<Output>> {
            None
        }
    }

    fn shell(script: &str, signal: Option<i32>, once: &Path) -> Ended {
        let watch = Sends { once, signal: Cell::new(signal) };
        let arguments = ["-c".into(), script.into()];
        let job = Job {
            program: OsStr::new("sh"),
            arguments: &arguments,
            folder: once.parent(),
            environment: &BTreeMap::new(),
            has_thread_log: false,
        };
        run(&job, &watch).unwrap()
    }

    #[test]
    fn programs_end_as_they_end() {
        let folder = tempfile::tempdir().unwrap();
        let never = folder.path().join("never");
        assert_eq!(shell("exit 7", None, &never).status, Status::Exit(7));
        let killed = shell("kill -9 $$", None, &never);
        assert_eq!((killed.status, killed.is_stopped), (Status::Signal(9), false));
    }

    #[test]
    fn a_signal_reaches_all_of_the_group() {
        let folder = tempfile::tempdir().unwrap();
        let ready = folder.path().join("ready");
        let start = Instant::now();
        // The child ignores what its parent dies of, and is ended after it.
        let script = "(trap '' INT; echo $$ >pid; touch ready; sleep 60 & wait) & wait";
        let ended = shell(script, Some(2), &ready);
        assert_eq!((ended.status, ended.is_stopped), (Status::Signal(2), true));
        assert!(start.elapsed() < Duration::from_secs(30));
        let group: i32 =
            std::fs::read_to_string(folder.path().join("pid")).unwrap().trim().parse().unwrap();
        // What was killed may still wait for init to take note of it.
        for _ in 0..250 {
            if test_kill_process_group(Pid::from_raw(group).unwrap()).is_err() {
                return;
            }
            thread::sleep(TICK);
        }
        panic!("group {group} is still there");
    }
}
