//! Stops a process for a moment: all of its threads, until what is given is dropped.
//!
//! A thread that waits in the kernel and that no signal wakes (state `D`) counts as stopped. It can only come back to the
//! program's code through the stop that it was asked for. Waiting for it could take forever: a thread that started
//! another program (`vfork`) waits until that runs, and that may wait for one of the threads that are stopped.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc")]

use std::cell::RefCell;
use std::fs;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{sleep, yield_now};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::ptrace::{self, Event, Options};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
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

thread_local! {
    /// Threads that this thread traces and that had not stopped when they were to go on. They stop when they come back
    /// from the kernel.
    static LATE: RefCell<Vec<Pid>> = const { RefCell::new(vec![]) };
}

/// A process whose threads are stopped. It belongs to the thread that stopped it.
pub(crate) struct Stopped {
    threads: Vec<Pid>,
    _tracing: MutexGuard<'static, ()>,
}

/// What a look at a thread tells.
enum Look {
    Stopped,
    /// Not yet.
    Runs,
    Gone,
}

impl Stopped {
    /// Stops all threads of a process.
    ///
    /// # Errors
    /// Why it cannot be stopped. Its threads go on then.
    pub(crate) fn stop(pid: i32) -> Result<Stopped, String> {
        let tracing = TRACING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stopped = Stopped { threads: vec![], _tracing: tracing };
        let late = LATE.with_borrow(Clone::clone);
        let mut has_late = false;
        let deadline = Instant::now() + LONGEST;
        // Threads may begin others until the last one is stopped.
        loop {
            let first = stopped.threads.len();
            for thread in threads_of(pid)? {
                if late.contains(&thread) {
                    has_late = true;
                } else if !stopped.threads.contains(&thread) && seize(pid, thread)? {
                    stopped.threads.push(thread);
                }
            }
            if stopped.threads.len() == first {
                break;
            }
            let mut at = first;
            while at < stopped.threads.len() {
                match until_stopped(pid, stopped.threads[at], deadline)? {
                    Look::Gone => drop(stopped.threads.swap_remove(at)),
                    Look::Stopped | Look::Runs => at += 1,
                }
            }
        }
        if stopped.threads.is_empty() && !has_late {
            return Err("it has no thread that can be stopped".to_owned());
        }
        Ok(stopped)
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        for &thread in &self.threads {
            // Who has not stopped yet cannot be let go.
            if ptrace::detach(thread, None).is_err() && exists(thread) {
                LATE.with_borrow_mut(|late| late.push(thread));
            }
        }
    }
}

/// Lets threads go on that stopped after their time. To be called again and again by the thread that stops processes.
pub(crate) fn release_late() {
    LATE.with_borrow_mut(|late| {
        late.retain(|&thread| match waitpid(thread, Some(flags())) {
            Ok(WaitStatus::StillAlive) | Err(Errno::EINTR) => exists(thread),
            Ok(WaitStatus::Stopped(_, signal)) => ptrace::detach(thread, signal).is_err(),
            Ok(_) => ptrace::detach(thread, None).is_err() && exists(thread),
            Err(_) => false,
        });
    });
}

/// The same at the end, when nobody calls it again: waits for them for a second at most.
pub(crate) fn release_all() {
    let deadline = Instant::now() + LONGEST;
    while LATE.with_borrow(|late| !late.is_empty()) && Instant::now() < deadline {
        release_late();
        sleep(REST);
    }
}

fn flags() -> WaitPidFlag {
    WaitPidFlag::WNOHANG | WaitPidFlag::WSTOPPED | WaitPidFlag::__WALL
}

/// Begins to trace a thread and asks it to stop; false where it is gone.
fn seize(pid: i32, thread: Pid) -> Result<bool, String> {
    // Without this option a thread that ends stays, and waiting for it takes forever.
    match ptrace::seize(thread, Options::PTRACE_O_TRACEEXIT) {
        Ok(()) => {}
        Err(Errno::ESRCH) => return Ok(false),
        // A thread that ends just now may not be traced any more.
        Err(Errno::EPERM) if matches!(state_of(pid, thread), None | Some('X' | 'Z')) => {
            return Ok(false);
        }
        Err(error) => return Err(format!("cannot stop it: {error}")),
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

fn look(thread: Pid) -> Result<Look, String> {
    let is_stop = |event: i32| {
        [Event::PTRACE_EVENT_STOP, Event::PTRACE_EVENT_EXIT].iter().any(|&one| one as i32 == event)
    };
    match waitpid(thread, Some(flags())) {
        Ok(WaitStatus::StillAlive) | Err(Errno::EINTR) => Ok(Look::Runs),
        Ok(WaitStatus::PtraceEvent(_, _, event)) if is_stop(event) => Ok(Look::Stopped),
        // A signal of somebody else: the program gets it, and stops then.
        Ok(WaitStatus::Stopped(_, signal)) => {
            let goes_on = ptrace::cont(thread, signal);
            goes_on.map_err(|error| format!("cannot pass on {signal}: {error}"))?;
            Ok(Look::Runs)
        }
        Ok(WaitStatus::Exited(..) | WaitStatus::Signaled(..)) | Err(Errno::ECHILD) => {
            Ok(Look::Gone)
        }
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

fn exists(thread: Pid) -> bool {
    fs::exists(format!("/proc/{thread}")).unwrap_or(false)
}
