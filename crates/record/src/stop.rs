//! Stops a process for a moment: all of its threads, until what is given is dropped.
//!
//! A thread that waits in the kernel and that no signal wakes (state `D`) counts as stopped. It can only come back to the
//! program's code through the stop that it was asked for. Waiting for it could take forever: a thread that started
//! another program (`vfork`) waits until that runs, and that may wait for one of the threads that are stopped.
//! Such a process is traced by a thread of ours that lives for no longer: when it ends, the kernel lets go whatever it
//! traces. All others are traced by who asks, which is faster.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc")]

use std::cell::RefCell;
use std::fs;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, sleep};
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
/// How long most threads need to stop: who waits for no longer does not sleep. It keeps its processor, which others would
/// have for milliseconds.
const SOON: Duration = Duration::from_micros(40);
/// How long to rest between two looks at a thread that takes longer.
const REST: Duration = Duration::from_micros(20);

thread_local! {
    /// Threads that this thread still traces: they did not stop in all the time that they were waited for.
    static LATE: RefCell<Vec<Pid>> = const { RefCell::new(vec![]) };
}

/// A process whose threads are stopped. It belongs to the thread that stopped it.
pub(crate) struct Stopped {
    by: Option<By>,
    _tracing: MutexGuard<'static, ()>,
}

/// Who traces it.
enum By {
    Us(Held),
    Another(Tracer),
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
        LATE.with_borrow_mut(|late| late.retain(|&thread| !is_let_go(thread)));
        may_be_stopped()?;
        let threads = threads_of(pid)?;
        if LATE.with_borrow(|late| threads.iter().any(|thread| late.contains(thread))) {
            return Err("a thread of it is still on its way back from the kernel".to_owned());
        }
        let waits = |thread: &Pid| state_of(pid, *thread) == Some('D');
        let by = if threads.iter().any(waits) {
            By::Another(Tracer::start(pid)?)
        } else {
            By::Us(Held::all_of(pid)?)
        };
        Ok(Stopped { by: Some(by), _tracing: tracing })
    }

    /// Lets all go on; gives how long they stood still at most.
    pub(crate) fn release(mut self) -> Duration {
        self.let_go()
    }

    fn let_go(&mut self) -> Duration {
        match self.by.take() {
            None => Duration::ZERO,
            Some(By::Us(mut held)) => {
                let stood = held.let_go();
                held.wait_for_late();
                stood
            }
            Some(By::Another(tracer)) => tracer.end(),
        }
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        self.let_go();
    }
}

/// A thread that stops a process, once.
struct Tracer {
    release: Sender<()>,
    /// How long it stood still at most.
    stood: Receiver<Duration>,
    thread: JoinHandle<()>,
}

impl Tracer {
    fn start(pid: i32) -> Result<Tracer, String> {
        let (tell, outcome) = channel();
        let (release, released) = channel();
        let (tell_stood, stood) = channel();
        let thread = thread::Builder::new().name("stops programs".to_owned()).spawn(move || {
            let held = Held::all_of(pid);
            let _ = tell.send(held.as_ref().map(|_| ()).map_err(Clone::clone));
            if let Ok(mut held) = held {
                // Nothing else ever comes.
                let _ = released.recv();
                let _ = tell_stood.send(held.let_go());
            }
            // Who has not stopped yet goes on when this thread is gone.
        });
        let thread = thread.map_err(|error| format!("no thread to stop it with: {error}"))?;
        let outcome = outcome.recv().unwrap_or(Err("stopping it failed".to_owned()));
        if let Err(error) = outcome {
            let _ = thread.join();
            return Err(error);
        }
        Ok(Tracer { release, stood, thread })
    }

    fn end(self) -> Duration {
        drop(self.release);
        let stood = self.stood.recv().unwrap_or_default();
        let _ = self.thread.join();
        stood
    }
}

/// What the own thread traces of a process.
struct Held {
    since: Instant,
    stopped: Vec<Pid>,
    /// Those that a signal of somebody else stopped: they get it when they go on.
    signalled: Vec<Pid>,
    /// Those that will stop when they come back from the kernel.
    late: Vec<Pid>,
}

impl Held {
    fn all_of(pid: i32) -> Result<Held, String> {
        let since = Instant::now();
        let mut held = Held { since, stopped: vec![], signalled: vec![], late: vec![] };
        match held.hold(pid) {
            Ok(()) => Ok(held),
            Err(error) => {
                held.let_go();
                held.wait_for_late();
                Err(error)
            }
        }
    }

    fn hold(&mut self, pid: i32) -> Result<(), String> {
        let deadline = self.since + LONGEST;
        let mut seen: Vec<Pid> = vec![];
        // Threads may begin others until the last one is stopped.
        loop {
            let first = self.late.len();
            for thread in threads_of(pid)? {
                if !seen.contains(&thread) && seize(pid, thread, deadline)? {
                    seen.push(thread);
                    self.late.push(thread);
                }
            }
            if self.late.len() == first {
                break;
            }
            let mut at = first;
            while let Some(&thread) = self.late.get(at) {
                match until_stopped(pid, thread, deadline)? {
                    Look::Runs => at += 1,
                    Look::Gone => drop(self.late.swap_remove(at)),
                    Look::Stopped => self.stopped.push(self.late.swap_remove(at)),
                    Look::Signalled => self.signalled.push(self.late.swap_remove(at)),
                }
            }
        }
        if seen.is_empty() {
            return Err("it has no thread that can be stopped".to_owned());
        }
        Ok(())
    }

    /// Lets all go on that are stopped; gives how long they stood still at most.
    fn let_go(&mut self) -> Duration {
        for thread in self.stopped.drain(..) {
            // Who is gone needs nothing.
            let _ = ptrace::detach(thread, None);
        }
        for thread in self.signalled.drain(..) {
            detach_with_its_signal(thread);
        }
        self.since.elapsed()
    }

    /// Waits until the others have stopped, and lets them go, too.
    fn wait_for_late(&mut self) {
        let deadline = Instant::now() + LONGEST;
        while !self.late.is_empty() && Instant::now() < deadline {
            self.late.retain(|&thread| !is_let_go(thread));
            if !self.late.is_empty() {
                sleep(REST);
            }
        }
        LATE.with_borrow_mut(|late| late.append(&mut self.late));
    }
}

/// How far a thread is.
enum Look {
    /// It stopped because it was asked to, or at its end.
    Stopped,
    /// A signal of somebody else stopped it.
    Signalled,
    /// It has not stopped.
    Runs,
    Gone,
}

/// Lets a thread go if it has stopped meanwhile; whether there is nothing left to do.
fn is_let_go(thread: Pid) -> bool {
    match look(thread) {
        Ok(Look::Stopped) => {
            let _ = ptrace::detach(thread, None);
            true
        }
        Ok(Look::Signalled) => {
            detach_with_its_signal(thread);
            true
        }
        Ok(Look::Runs) => !fs::exists(format!("/proc/{thread}")).unwrap_or(false),
        Ok(Look::Gone) | Err(_) => true,
    }
}

#[allow(unsafe_code, reason = "libraries pass on no signals of real time")]
fn detach_with_its_signal(thread: Pid) {
    let signal = ptrace::getsiginfo(thread).map_or(0, |info| info.si_signo);
    let nothing = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: the call takes a number in place of an address, and reads and writes no memory of ours.
    unsafe {
        libc::ptrace(libc::PTRACE_DETACH, thread.as_raw(), nothing, libc::c_long::from(signal));
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
