//! The stage before bubblewrap: puts the run into a cgroup, watches over it from outside, and ends
//! as the program ended.

#![allow(
    clippy::disallowed_methods,
    reason = "the run's own folder, which the program does not see, and folders of the system"
)]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitCode};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::fs::{CWD, FileType, FlockOperation, Mode, OFlags, flock, mknodat, open};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{
    Pid, PidfdFlags, Signal, getppid, kill_process, kill_process_group, pidfd_open,
};
use serde::Deserialize;

use super::NOT_ISOLATED;
use super::signals::{OVER, SIGNALS, Signals, wait};
use crate::cgroup::Cgroup;
use crate::end::{Cause, End, Status};
use crate::room::{ALIVE, END, HOLD, INSIDE, InsideEnd, LISTENS, PASSED, PLAN, Plan};
use crate::{Error, room};

/// How often it looks at what nothing else limits.
const LOOKING: Duration = Duration::from_millis(250);

/// What the first process inside may take beyond the wall time, to end all and to bring out files.
const TO_BRING: Duration = Duration::from_secs(60);

pub(super) fn run(room: &Path) -> Result<ExitCode, Error> {
    let plan: Plan = room::read(&room.join(PLAN))?;
    let path = room.join(ALIVE);
    let alive = File::options().write(true).open(&path).map_err(Error::file("open", &path))?;
    let locked = flock(&alive, FlockOperation::NonBlockingLockExclusive);
    locked.map_err(|_| Error::Asked("this run is under way already".to_owned()))?;
    fs::write(&path, std::process::id().to_string()).map_err(Error::file("write", &path))?;
    let _ = fs::remove_file(room.join(END));
    let mut signals = Signals::new(SIGNALS).map_err(Error::step("listening for signals"))?;
    let cgroup = Cgroup::enter(&plan.place, &plan.limits)?;
    let ended = Run::start(&plan, room).and_then(|mut run| {
        let watched = run.watch(&plan, &cgroup, &mut signals);
        let stopped = run.stopped;
        let inside = run.finish();
        watched.map(|cause| (cause, stopped, inside))
    });
    let end = ended.map(|(cause, stopped, inside)| {
        let end = how_it_ended(cause, &inside, &cgroup);
        (end, stopped, inside.and_then(|inside| inside.failed))
    });
    cgroup.leave();
    let (end, stopped, failed) = end?;
    room::write(&room.join(END), &end)?;
    Ok(match (failed, end.status) {
        (Some(code), _) => ExitCode::from(code),
        (None, Some(status)) => end_as(status),
        (None, None) if let Some(signal) = stopped => end_as(Status::Signal(signal.as_raw())),
        // Killed with all that was inside.
        (None, None) if end.cause.is_some() => end_as(Status::Signal(Signal::KILL.as_raw())),
        (None, None) => ExitCode::from(NOT_ISOLATED),
    })
}

/// What is under way.
struct Run {
    bubblewrap: Child,
    is_running: OwnedFd,
    /// Where bubblewrap says which number the first process inside has here.
    info: File,
    /// What that says at the end, so far.
    end: Vec<u8>,
    from_inside: File,
    hold: File,
    parent: Option<OwnedFd>,
    /// Bubblewrap has ended and its end was taken note of: its number may be another's.
    is_over: bool,
    /// The signal that came before anything inside could hear it, so that all ended.
    stopped: Option<Signal>,
}

impl Run {
    fn start(plan: &Plan, room: &Path) -> Result<Run, Error> {
        let parent = getppid().and_then(|parent| pidfd_open(parent, PidfdFlags::empty()).ok());
        let hold = open_pipe(&room.join(HOLD))?;
        let end = room.join(INSIDE).join(END);
        let _ = fs::remove_file(&end);
        mknodat(CWD, &end, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)
            .map_err(|error| Error::file("make", &end)(error.into()))?;
        let from_inside = open_pipe(&end)?;
        let passed = room.join(INSIDE).join(PASSED);
        room::write(&passed, &variables(&plan.passed))?;
        let info = room.join("info.json");
        let info = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(&info)
            .map_err(Error::file("make", &info))?;
        fcntl_setfd(&info, FdFlags::empty()).map_err(Error::step("handing a file on"))?;
        // A group of its own: signals of a terminal reach it through us.
        let bubblewrap = Command::new(&plan.bubblewrap)
            .args(["--info-fd", &info.as_raw_fd().to_string()])
            .args(&plan.arguments)
            .env_clear()
            .process_group(0)
            .spawn()
            .map_err(|error| Error::Start { program: "bwrap".to_owned(), error })?;
        let is_running = pidfd_open(Pid::from_child(&bubblewrap), PidfdFlags::empty())
            .map_err(Error::step("watching bwrap"))?;
        Ok(Run {
            bubblewrap,
            is_running,
            info,
            end: vec![],
            from_inside,
            hold,
            parent,
            is_over: false,
            stopped: None,
        })
    }

    /// Until bubblewrap has ended; which limit ended the run, if one of those that hold here did.
    fn watch(
        &mut self,
        plan: &Plan,
        cgroup: &Cgroup<'_>,
        signals: &mut Signals,
    ) -> Result<Option<Cause>, Error> {
        let limits = &plan.limits;
        let latest = Instant::now() + limits.wall + limits.grace + TO_BRING;
        let mut cause = None;
        loop {
            self.hear();
            for signal in signals.take().into_iter().filter_map(Signal::from_named_raw) {
                if self.end.starts_with(LISTENS) {
                    self.send(signal);
                } else {
                    self.stopped = Some(signal);
                    self.end_all();
                }
            }
            if cause.is_none() {
                cause = over(plan, cgroup);
                if cause.is_some() {
                    self.send(Signal::from_named_raw(OVER).unwrap_or(Signal::KILL));
                }
            }
            if Instant::now() > latest {
                self.end_all();
                return Ok(Some(Cause::Wall));
            }
            if !self.is_held() {
                self.end_all();
                return Ok(cause);
            }
            let mut polled = vec![
                PollFd::new(&self.is_running, PollFlags::IN),
                PollFd::new(&self.hold, PollFlags::empty()),
                PollFd::new(signals, PollFlags::IN),
                PollFd::new(&self.from_inside, PollFlags::IN),
            ];
            polled.extend(self.parent.iter().map(|parent| PollFd::new(parent, PollFlags::IN)));
            wait(&mut polled, LOOKING).map_err(Error::step("watching over the run"))?;
            let happened: Vec<bool> = polled.iter().map(|one| !one.revents().is_empty()).collect();
            if happened[0] {
                return Ok(cause);
            }
            // Nobody waits for it any more.
            if happened.get(4).is_some_and(|&is_gone| is_gone) {
                self.end_all();
                return Ok(cause);
            }
        }
    }

    /// Whether the guard is there: a pipe that nobody writes to is at its end.
    fn is_held(&mut self) -> bool {
        !matches!(self.hold.read(&mut [0]), Ok(0))
    }

    /// To the first process inside.
    fn send(&self, signal: Signal) {
        if let Some(pid) = self.first_inside() {
            let _ = kill_process(pid, signal);
        }
    }

    /// Kills bubblewrap and, if it is there already, the first process inside, with all that is
    /// inside. While bubblewrap begins, the one does not die with the other, but it is in the same
    /// group until after its number is told.
    fn end_all(&self) {
        if self.is_over {
            return;
        }
        let _ = kill_process_group(Pid::from_child(&self.bubblewrap), Signal::KILL);
        self.send(Signal::KILL);
    }

    fn first_inside(&self) -> Option<Pid> {
        #[derive(Deserialize)]
        struct Info {
            #[serde(rename = "child-pid")]
            child: i32,
        }
        let mut bytes = [0; 4096];
        let read = rustix::io::pread(&self.info, &mut bytes, 0).unwrap_or(0);
        let info: Info = serde_json::from_slice(&bytes[..read]).ok()?;
        Pid::from_raw(info.child)
    }

    /// Takes what the first process inside has said so far.
    fn hear(&mut self) {
        let mut buffer = [0; 1 << 14];
        while let Ok(read) = self.from_inside.read(&mut buffer) {
            if read == 0 {
                return;
            }
            self.end.extend_from_slice(&buffer[..read]);
        }
    }

    /// What the first process inside said; none where it was killed, or never was.
    fn finish(mut self) -> Option<InsideEnd> {
        let _ = self.bubblewrap.wait();
        self.is_over = true;
        self.hear();
        serde_json::from_slice(&self.end).ok()
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.end_all();
        let _ = self.bubblewrap.wait();
    }
}

/// Those of this environment that are there, and are text.
fn variables(names: &[String]) -> BTreeMap<&String, String> {
    names.iter().filter_map(|name| Some((name, std::env::var(name).ok()?))).collect()
}

fn open_pipe(path: &Path) -> Result<File, Error> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = open(path, flags, Mode::empty());
    opened.map(File::from).map_err(|error| Error::file("open", path)(error.into()))
}

/// A limit that only looking holds.
fn over(plan: &Plan, cgroup: &Cgroup<'_>) -> Option<Cause> {
    let longest = Duration::from_secs(plan.limits.processor_seconds);
    cgroup.processor().is_some_and(|used| used > longest).then_some(Cause::Processor)
}

fn how_it_ended(cause: Option<Cause>, inside: &Option<InsideEnd>, cgroup: &Cgroup<'_>) -> End {
    let status = inside.as_ref().and_then(|inside| inside.status);
    let is_killed = matches!(status, None | Some(Status::Signal(9)));
    let is_out_of_memory = || is_killed && cgroup.killed_for_memory() > 0;
    let has_said = |what: fn(&InsideEnd) -> bool| inside.as_ref().is_some_and(what);
    // Who ignores the signal is killed a second later.
    let is_out_of_time = || match status {
        Some(Status::Signal(9)) => has_said(|inside| inside.has_used_time),
        // Anybody may send it.
        _ => {
            status == Some(Status::Signal(signal_hook::consts::SIGXCPU))
                && has_said(|inside| inside.has_used_time)
        }
    };
    let cause = cause
        .or_else(|| has_said(|inside| inside.is_late).then_some(Cause::Wall))
        .or_else(|| inside.as_ref().and_then(|inside| inside.exceeded))
        .or_else(|| is_out_of_time().then_some(Cause::Processor))
        .or_else(|| is_out_of_memory().then_some(Cause::Memory));
    End {
        status,
        cause,
        brought: inside.as_ref().map(|inside| inside.brought.clone()).unwrap_or_default(),
        peak_bytes: cgroup.peak(),
        processor_nanoseconds: cgroup
            .processor()
            .map(|used| u64::try_from(used.as_nanos()).unwrap_or(u64::MAX)),
        notes: inside.as_ref().map_or_else(killed, |inside| inside.notes.clone()),
    }
}

fn killed() -> Vec<String> {
    vec!["it did not end by itself: all of it was killed, or bubblewrap failed".to_owned()]
}

/// Ends this process as the program ended.
fn end_as(status: Status) -> ExitCode {
    let signal = match status {
        Status::Exit(code) => return ExitCode::from((code & 0xff) as u8),
        Status::Signal(signal) => signal,
    };
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    // What that does not know; twice, for the first takes away a handler of the runtime.
    for _ in 0..2 {
        if let Some(signal) = Signal::from_named_raw(signal) {
            let _ = kill_process(rustix::process::getpid(), signal);
        }
    }
    ExitCode::from(128_u8.wrapping_add((signal & 0x7f) as u8))
}
