//! Stops a process for a moment: all of its threads, until what is given is dropped.
//!
//! The threads are traced by a thread of ours. Where one of them did not stop, or was stopped by a signal of somebody
//! else, that thread ends: the kernel then lets go whatever it traces, with the signals that were under way.
//!
//! A thread that waits in the kernel and that no signal wakes (state `D`) counts as stopped. It can only come back to the
//! program's code through the stop that it was asked for. Waiting for it could take forever: a thread that started
//! another program (`vfork`) waits until that runs, and that may wait for one of the threads that are stopped.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc")]

use std::cell::Cell;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, sleep, yield_now};
use std::time::{Duration, Instant};
use std::{fs, io};

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
    tracer: Option<Tracer>,
    _tracing: MutexGuard<'static, ()>,
}

/// A thread that stops processes. A new one would have to wait for a processor first, so it serves again where it let go
/// all that it traced.
struct Tracer {
    ask: Sender<i32>,
    outcome: Receiver<Result<(), String>>,
    release: Sender<()>,
    /// Whether all that it traced went on, and how long it stood still at most.
    is_free: Receiver<(bool, Duration)>,
    thread: JoinHandle<()>,
}

thread_local! {
    static TRACER: Cell<Option<Tracer>> = const { Cell::new(None) };
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
        let tracer = match TRACER.take() {
            Some(tracer) => tracer,
            None => {
                Tracer::start().map_err(|error| format!("no thread to stop it with: {error}"))?
            }
        };
        let gone = || "the thread that stops it is gone".to_owned();
        tracer.ask.send(pid).map_err(|_| gone())?;
        let outcome = tracer.outcome.recv().map_err(|_| gone())?;
        let stopped = Stopped { tracer: Some(tracer), _tracing: tracing };
        outcome.map(|()| stopped)
    }

    /// Lets all go on; gives how long they stood still at most. Who is woken to hear of it may wait for a processor that
    /// they have by then.
    pub(crate) fn release(mut self) -> Duration {
        self.let_go()
    }

    fn let_go(&mut self) -> Duration {
        let Some(tracer) = self.tracer.take() else { return Duration::ZERO };
        // Where it could not stop all of them it does not wait for this.
        let _ = tracer.release.send(());
        let (is_free, stood) = tracer.is_free.recv().unwrap_or_default();
        if is_free {
            TRACER.set(Some(tracer));
        } else {
            drop(tracer.ask);
            let _ = tracer.thread.join();
        }
        stood
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        self.let_go();
    }
}

impl Tracer {
    fn start() -> io::Result<Tracer> {
        let (ask, asked) = channel();
        let (tell, outcome) = channel();
        let (release, released) = channel();
        let (free, is_free) = channel();
        let thread = thread::Builder::new().name("stops programs".to_owned()).spawn(move || {
            for pid in asked {
                let since = Instant::now();
                let held = stop_threads(pid);
                let _ = tell.send(held.as_ref().map(|_| ()).map_err(Clone::clone));
                let is_clean = held.is_ok_and(|Held { stopped, is_all }| {
                    let _ = released.recv();
                    let mut is_clean = is_all;
                    for thread in stopped {
                        // Who is gone needs nothing.
                        is_clean &= ptrace::detach(thread, None).is_ok() || !exists(thread);
                    }
                    is_clean
                });
                let _ = free.send((is_clean, since.elapsed()));
                if !is_clean {
                    // What is left, such as who did not stop yet, goes on when this thread is gone.
                    return;
                }
            }
        })?;
        Ok(Tracer { ask, outcome, release, is_free, thread })
    }
}

/// What is traced.
struct Held {
    /// Those that can be let go without more ado.
    stopped: Vec<Pid>,
    /// These are all.
    is_all: bool,
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

/// Stops all threads.
fn stop_threads(pid: i32) -> Result<Held, String> {
    let deadline = Instant::now() + LONGEST;
    let mut is_all = true;
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
            match until_stopped(pid, thread, deadline)? {
                Look::Stopped => stopped.push(thread),
                Look::Gone => {}
                Look::Signalled | Look::Runs => is_all = false,
            }
        }
    }
    if seized.is_empty() {
        return Err("it has no thread that can be stopped".to_owned());
    }
    Ok(Held { stopped, is_all })
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
    // Who takes the news of a signal takes the signal.
    let news = WaitPidFlag::WSTOPPED | WaitPidFlag::WNOWAIT;
    let flags = news | WaitPidFlag::WNOHANG | WaitPidFlag::__WALL;
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

fn exists(thread: Pid) -> bool {
    fs::exists(format!("/proc/{thread}")).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};

    use super::*;

    fn pid_of(child: &Child) -> i32 {
        i32::try_from(child.id()).unwrap()
    }

    #[test]
    fn a_program_that_is_stopped_gets_all_of_its_signals() {
        // Signals of real time, too.
        let script = "n=0; i=0; trap 'n=$((n+1))' USR1 36
            while [ $i -lt 100000 ]; do kill -USR1 $$; kill -36 $$; i=$((i+1)); done; echo $n";
        let child = Command::new("sh").args(["-c", script]).stdout(Stdio::piped()).spawn().unwrap();
        let pid = pid_of(&child);
        let mut stops = 0;
        while !matches!(state_of(pid, Pid::from_raw(pid)), None | Some('Z')) {
            if let Ok(stopped) = Stopped::stop(pid, || Ok(())) {
                stopped.release();
                stops += 1;
            }
            // The program goes on meanwhile.
            sleep(REST);
        }
        let told = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(told.stdout).unwrap().trim(), "200000");
        assert!(stops > 20, "{stops}");
    }

    #[test]
    fn nothing_runs_while_a_program_is_stopped_and_all_of_it_after() {
        let mut child = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        let pid = pid_of(&child);
        let ran = || {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
            let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
            fields[11].parse::<u64>().unwrap()
        };
        let until = |is_so: &dyn Fn() -> bool| {
            let end = Instant::now() + Duration::from_secs(30);
            while !is_so() && Instant::now() < end {
                sleep(Duration::from_millis(5));
            }
            assert!(is_so());
        };
        until(&|| ran() > 0);
        let stopped = Stopped::stop(pid, || Ok(())).unwrap();
        assert_eq!(state_of(pid, Pid::from_raw(pid)), Some('t'));
        let before = ran();
        sleep(Duration::from_millis(100));
        assert_eq!(ran(), before);
        stopped.release();
        until(&|| ran() > before);
        assert_eq!(Stopped::stop(pid, || Err("not now".to_owned())).err().unwrap(), "not now");
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(Stopped::stop(pid, || Ok(())).is_err());
    }
}
