//! Stops a process for a moment: all of its threads, until what is given is dropped.
//!
//! The threads are traced by a thread of ours that lives for no longer. When it ends the kernel lets go whatever it
//! traces, with the signals that were under way, also what has not stopped yet.
//!
//! A thread that waits in the kernel and that no signal wakes (state `D`) counts as stopped. It can only come back to the
//! program's code through the stop that it was asked for. Waiting for it could take forever: a thread that started
//! another program (`vfork`) waits until that runs, and that may wait for one of the threads that are stopped.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc")]

use std::fs;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, sleep, yield_now};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::ptrace::{self, Event, Options};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;

/// Held while a process is stopped, and while its end is waited for: whoever waits for a child that is traced gets its
/// stops, too, and they are gone for who traces it.
pub(crate) static TRACING: Mutex<()> = Mutex::new(());

/// How long threads have to stop, all together.
const LONGEST: Duration = Duration::from_secs(1);
/// How long most threads need to stop: who waits for no longer does not sleep.
const SOON: Duration = Duration::from_micros(200);
/// How long to rest between two looks at a thread that takes longer.
const REST: Duration = Duration::from_micros(50);

/// A process whose threads are stopped.
pub(crate) struct Stopped {
    /// The thread that traces them goes on when this is dropped.
    release: Option<Sender<()>>,
    tracer: Option<JoinHandle<()>>,
    _tracing: MutexGuard<'static, ()>,
}

impl Stopped {
    /// Stops all threads of a process, if `may_be_stopped` lets it.
    ///
    /// # Errors
    /// Why it cannot be stopped. Its threads go on then.
    pub(crate) fn stop(
        pid: i32,
        may_be_stopped: impl FnOnce() -> Result<(), String>,
    ) -> Result<Stopped, String> {
        let tracing = TRACING.lock().unwrap_or_else(PoisonError::into_inner);
        may_be_stopped()?;
        let (tell, told) = channel();
        let (release, released) = channel();
        let tracer = thread::Builder::new().name("stops programs".to_owned()).spawn(move || {
            let threads = stop_threads(pid);
            let outcome = threads.as_ref().map(|_| ()).map_err(Clone::clone);
            if tell.send(outcome).is_ok() {
                // Nothing is ever sent.
                let _ = released.recv();
            }
            // Most are let go here. What is left, such as who did not stop yet, goes on when this thread is gone.
            for thread in threads.into_iter().flatten() {
                let _ = ptrace::detach(thread, None);
            }
        });
        let tracer = tracer.map_err(|error| format!("no thread to stop it with: {error}"))?;
        let stopped = Stopped { release: Some(release), tracer: Some(tracer), _tracing: tracing };
        told.recv().map_err(|_| "stopping it failed".to_owned())??;
        Ok(stopped)
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        drop(self.release.take());
        if let Some(tracer) = self.tracer.take() {
            let _ = tracer.join();
        }
    }
}

/// How far a thread is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    /// It stopped because it was asked to, or at its end.
    Stopped,
    /// A signal of somebody else stopped it: it gets the signal when it goes on.
    Signalled,
    /// It has not stopped.
    Runs,
    Gone,
}

/// Stops all threads; gives those that can be let go without more ado.
fn stop_threads(pid: i32) -> Result<Vec<Pid>, String> {
    let deadline = Instant::now() + LONGEST;
    let (mut seized, mut stopped): (Vec<Pid>, Vec<Pid>) = (vec![], vec![]);
    // Threads may begin others until the last one is stopped.
    loop {
        let first = seized.len();
        for thread in threads_of(pid)? {
            if !seized.contains(&thread) && seize(pid, thread, deadline)? {
                seized.push(thread);
            }
        }
        if seized.len() == first {
            break;
        }
        for &thread in &seized[first..] {
            if until_stopped(pid, thread, deadline)? == Look::Stopped {
                stopped.push(thread);
            }
        }
    }
    if seized.is_empty() {
        Err("it has no thread that can be stopped".to_owned())
    } else {
        Ok(stopped)
    }
}

/// Begins to trace a thread and asks it to stop; false where it is gone.
fn seize(pid: i32, thread: Pid, deadline: Instant) -> Result<bool, String> {
    loop {
        // Without this option a thread that ends stays, and waiting for it takes forever.
        match ptrace::seize(thread, Options::PTRACE_O_TRACEEXIT) {
            Ok(()) => break,
            Err(Errno::ESRCH) => return Ok(false),
            // A thread that ends just now may not be traced any more.
            Err(Errno::EPERM) if matches!(state_of(pid, thread), None | Some('X' | 'Z')) => {
                return Ok(false);
            }
            // The thread that traced it before may not be gone yet.
            Err(Errno::EPERM) if is_ours(pid, thread) && Instant::now() < deadline => sleep(REST),
            Err(error) => return Err(format!("cannot stop it: {error}")),
        }
    }
    // Who is gone by now is found when it is waited for.
    let _ = ptrace::interrupt(thread);
    Ok(true)
}

fn until_stopped(pid: i32, thread: Pid, deadline: Instant) -> Result<Look, String> {
    let soon = Instant::now() + SOON;
    loop {
        match look(thread)? {
            Look::Runs => {}
            found => return Ok(found),
        }
        if Instant::now() < soon {
            yield_now();
            continue;
        }
        // It does not run the program's code before it has stopped.
        if state_of(pid, thread) == Some('D') {
            return Ok(Look::Runs);
        }
        if Instant::now() > deadline {
            return Err("it did not stop within a second".to_owned());
        }
        sleep(REST);
    }
}

/// Looks without waiting. Ends of threads are left to who waits for them.
fn look(thread: Pid) -> Result<Look, String> {
    let flags = WaitPidFlag::WNOHANG | WaitPidFlag::WSTOPPED | WaitPidFlag::__WALL;
    let is_stop = |event: i32| {
        [Event::PTRACE_EVENT_STOP, Event::PTRACE_EVENT_EXIT].iter().any(|&one| one as i32 == event)
    };
    match waitid(Id::Pid(thread), flags) {
        Ok(WaitStatus::StillAlive) | Err(Errno::EINTR) => Ok(Look::Runs),
        Ok(WaitStatus::PtraceEvent(_, _, event)) if is_stop(event) => Ok(Look::Stopped),
        // Signals of real time have no name there.
        Ok(WaitStatus::PtraceEvent(..) | WaitStatus::Stopped(..)) | Err(Errno::EINVAL) => {
            Ok(Look::Signalled)
        }
        Err(Errno::ECHILD) => Ok(Look::Gone),
        other => Err(format!("stopping it gave {other:?}")),
    }
}

fn threads_of(pid: i32) -> Result<Vec<Pid>, String> {
    let listed = fs::read_dir(format!("/proc/{pid}/task"));
    let listed = listed.map_err(|error| format!("its threads cannot be listed: {error}"))?;
    let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse().ok();
    Ok(listed.flatten().filter_map(number).map(Pid::from_raw).collect())
}

/// The letter of a thread's state, such as `R`; none where it is gone.
fn state_of(pid: i32, thread: Pid) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{pid}/task/{thread}/stat")).ok()?;
    // The name before it may have spaces and braces.
    stat.rsplit_once(')')?.1.trim_start().chars().next()
}

/// Whether a thread is traced by a thread of this process.
fn is_ours(pid: i32, thread: Pid) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/task/{thread}/status"));
    let status = status.unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    let tracer = tracer.map_or("0", str::trim);
    tracer != "0" && fs::exists(format!("/proc/self/task/{tracer}")).unwrap_or(false)
}
