//! Stacks of one process, read from outside by py-spy.
//!
//! A stack that changes while it is read is a mixture of what it was and what it is. So the program stands still
//! meanwhile: it is stopped, or this thread takes its processor ([`Beside`]). In the second case the kernel tells
//! whether it did; where it did not, stacks are read again.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use py_spy::config::LockingStrategy;
use py_spy::{Config, Frame, PythonSpy, StackTrace};

use super::beside::Beside;
use super::chains::{Chains, Running};
use super::kernel::{Kernel, Ran};
use super::opened;
use super::started::started;
use super::tasks::Tasks;
use super::torn::Inner;
use crate::clock::monotonic;
use crate::stop::Stopped;

/// A process whose stacks can be read.
pub(super) struct Stacks {
    spy: PythonSpy,
    tasks: Tasks,
    kernel: Kernel,
    /// Tasks of asyncio, where the interpreter tells of them.
    chains: Option<Chains>,
    inner: Inner,
    hold: Hold,
    /// The kernel counts what threads run.
    is_counted: bool,
    /// Python tells the kernel's number of each thread.
    tells_threads: bool,
    /// Threads that were seen, with the handle that they had.
    handles: HashMap<u64, u64>,
    /// What is to be asked of the kernel before stacks are read: threads of the sample before.
    last: Vec<u32>,
    /// Of them, the one whose stack changes.
    changing: Option<u32>,
    /// Rounds in a row in which it did not stand still.
    moving_rounds: u32,
}

/// How a program is kept from changing its stacks while they are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    /// It is stopped, all of its threads.
    Stop,
    /// The thread that has the interpreter's lock does not get its processor. Where that cannot be had, all are
    /// stopped, or nothing is done.
    Displace { or_stop: bool },
    /// Not at all.
    Free,
}

impl Default for Hold {
    fn default() -> Hold {
        Hold::Displace { or_stop: true }
    }
}

/// A thread at one instant.
pub(crate) struct Seen {
    pub(crate) thread: ThreadKey,
    pub(crate) name: Option<String>,
    /// It ran, or could.
    pub(crate) is_running: bool,
    pub(crate) holds_gil: bool,
    /// Innermost first.
    pub(crate) frames: Vec<Frame>,
    /// The name of the task of asyncio that it ran.
    pub(crate) task: Option<String>,
    /// Its time on processors since it began, nanoseconds; where the kernel counts it.
    pub(crate) cpu_ns: Option<u64>,
    /// Its stack changed while it was read, again and again: there are no frames.
    pub(crate) is_torn: bool,
}

/// How often stacks that change while they are read are read again.
const TRIES: u32 = 4;
/// How often they are read to find a program that stands still.
const STILL_TRIES: u32 = 6;
/// After so many rounds in which no stack stood still, another way is taken.
const MOST_MOVING: u32 = 50;

/// What a thread is known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ThreadKey {
    /// The kernel's number.
    Number(u32),
    /// What Python calls it; whether it runs is not known.
    Handle(u64),
}

/// All threads of a process at one instant.
pub(super) struct Read {
    pub(super) threads: Vec<Seen>,
    /// Before the first byte of it was read, by the monotonic clock. The program had not ended then.
    pub(super) began_ns: i64,
    /// Nanoseconds that reading took, the last time.
    pub(super) took: u64,
    /// Time on processors of the whole process.
    pub(super) cpu_ns: Option<u64>,
    /// From now on it is stopped, because nothing else can be done.
    pub(super) is_stopped_now: bool,
}

/// What was read, and which stacks of it changed meanwhile.
struct Traces {
    traces: Vec<StackTrace>,
    is_torn: Vec<bool>,
    on_loops: HashMap<u64, Running>,
    began_ns: i64,
    took: u64,
}

/// Stops all threads.
///
/// # Errors
/// Why that cannot be done just now.
fn hold_still(pid: i32, tasks: &Tasks) -> Result<Stopped, String> {
    Stopped::stop(
        pid,
        || {
            if tasks.is_ending() { Err("it ends just now".to_owned()) } else { Ok(()) }
        },
    )
}

impl Stacks {
    /// # Errors
    /// Why they cannot be read, in py-spy's words.
    pub(super) fn new(pid: u32, hold: Hold) -> Result<Stacks, String> {
        let process = pid;
        let pid = i32::try_from(pid).map_err(|_| "there is no such process".to_owned())?;
        let is_pausing = hold == Hold::Stop;
        let config = Config {
            // Who holds the program is [`Stopped`].
            blocking: LockingStrategy::NonBlocking,
            // It would look for each file on the disk.
            full_filenames: true,
            ..Config::default()
        };
        let tasks = Tasks::new(pid);
        let mut spy = opened::safely(process, || guarded(|| PythonSpy::new(pid, &config)))??;
        // An interpreter that is only starting is found, and nothing of it can be read.
        let stopped = is_pausing.then(|| hold_still(pid, &tasks)).transpose()?;
        guarded(|| spy.get_stack_traces())?;
        drop(stopped);
        let version = (spy.version.major, spy.version.minor);
        let mut kernel = Kernel::new(pid);
        Ok(Stacks {
            tells_threads: version >= (3, 11),
            chains: Chains::new(pid, version),
            inner: Inner::default(),
            spy,
            tasks,
            is_counted: kernel.ran(process).is_some(),
            kernel,
            hold,
            handles: HashMap::new(),
            last: vec![],
            changing: None,
            moving_rounds: 0,
        })
    }

    /// Such as `3.11.7`.
    pub(super) fn version(&self) -> String {
        let version = &self.spy.version;
        format!("{}.{}.{}", version.major, version.minor, version.patch)
    }

    /// # Errors
    /// Why they could not be read this time.
    pub(super) fn read(&mut self, beside: &mut Beside) -> Result<Read, String> {
        let mut is_stopped_now = false;
        if let Hold::Displace { or_stop } = self.hold
            && !(self.is_counted && beside.is_able() && self.moving_rounds < MOST_MOVING)
        {
            self.hold = if or_stop { Hold::Stop } else { Hold::Free };
            is_stopped_now = or_stop;
        }
        // Before anything is held: what is held does not run.
        let running = self.running();
        let Traces { traces, is_torn, on_loops, began_ns, took } = match self.hold {
            Hold::Stop => self.stopped()?,
            Hold::Displace { .. } => {
                let read = self.displaced(beside)?;
                let is_moving = !read.is_torn.is_empty() && !read.is_torn.contains(&false);
                self.moving_rounds = if is_moving { self.moving_rounds + 1 } else { 0 };
                read
            }
            Hold::Free => self.free()?,
        };
        if traces.iter().flat_map(|trace| &trace.frames).any(is_nonsense) {
            return Err("what was read is not a function".to_owned());
        }
        self.last.clear();
        let mut threads = Vec::with_capacity(traces.len());
        for (trace, is_torn) in traces.into_iter().zip(is_torn) {
            let mut seen = self.seen(trace, &running, &on_loops);
            seen.is_torn = is_torn;
            threads.push(seen);
        }
        let last: HashSet<u32> = self.last.iter().copied().collect();
        self.kernel.keep(|thread| last.contains(&thread));
        Ok(Read { threads, began_ns, took, cpu_ns: self.kernel.process_ns(), is_stopped_now })
    }

    /// All threads are stopped meanwhile.
    fn stopped(&mut self) -> Result<Traces, String> {
        let began_ns = monotonic();
        let stopped = hold_still(self.spy.pid, &self.tasks)?;
        let traces = self.traces(&mut 0)?;
        let took = stopped.release().as_nanos() as u64;
        Ok(Traces { took, ..self.none_torn(traces, began_ns) })
    }

    /// Nothing is held.
    fn free(&mut self) -> Result<Traces, String> {
        let start = monotonic();
        let mut tries = TRIES;
        let mut traces = self.traces(&mut tries)?;
        let torn = self.mend(&mut traces, &mut tries)?;
        let is_torn = traces.iter().map(|trace| torn.contains(&trace.thread_id)).collect();
        Ok(Traces { is_torn, ..self.none_torn(traces, start) })
    }

    fn none_torn(&mut self, traces: Vec<StackTrace>, began_ns: i64) -> Traces {
        let on_loops = self.on_loops(&traces);
        let took = (monotonic() - began_ns) as u64;
        Traces { is_torn: vec![false; traces.len()], traces, on_loops, began_ns, took }
    }

    fn on_loops(&mut self, traces: &[StackTrace]) -> HashMap<u64, Running> {
        let chains = self.chains.as_mut();
        chains.map(|chains| chains.running(traces.iter().any(is_in_asyncio))).unwrap_or_default()
    }

    /// Where this thread has the processor of the one that changes its stack. Only who has the interpreter's lock
    /// does, and gives it away itself: while that one stands still, all others do.
    fn displaced(&mut self, beside: &mut Beside) -> Result<Traces, String> {
        let mut before: Option<Traces> = None;
        let mut known = std::mem::take(&mut self.last);
        for left in (0..STILL_TRIES).rev() {
            let place = self.changing.and_then(|thread| self.kernel.place(thread));
            if let Some(place) = place {
                beside.go_to(place.processor);
            }
            let counts = |kernel: &mut Kernel, threads: &[u32]| -> HashMap<u32, Ran> {
                threads.iter().filter_map(|&thread| Some((thread, kernel.ran(thread)?))).collect()
            };
            let ran = counts(&mut self.kernel, &known);
            let start = monotonic();
            let traces = match self.traces(&mut 0) {
                Ok(traces) => traces,
                Err(why) if left == 0 => {
                    self.last = known;
                    return Err(why);
                }
                Err(_) => continue,
            };
            let mut read = self.none_torn(traces, start);
            let numbers: Vec<Option<u32>> =
                read.traces.iter().map(|trace| self.number(trace)).collect();
            let here = beside.here();
            let mut stood_still = |thread: u32| {
                let place = self.kernel.place(thread);
                let is_off = place.is_some_and(|at| !at.is_ready || Some(at.processor) == here);
                let now = self.kernel.ran(thread);
                is_off && now.is_some() && now.as_ref() == ran.get(&thread)
            };
            let moved = |number: &Option<u32>| number.is_none_or(|number| !stood_still(number));
            let holder = read.traces.iter().position(|trace| trace.owns_gil);
            read.is_torn = match holder {
                Some(at) => {
                    self.changing = numbers[at];
                    vec![{ moved }(&numbers[at]); numbers.len()]
                }
                None => {
                    let is_torn: Vec<bool> = numbers.iter().map(moved).collect();
                    let first = is_torn.iter().position(|&is_torn| is_torn);
                    self.changing = first.and_then(|at| numbers[at]).or(self.changing);
                    is_torn
                }
            };
            if !read.is_torn.contains(&true) {
                return Ok(read);
            }
            // Without the lock a thread may run, but its stack stays. What is the same twice did.
            if holder.is_none()
                && let Some(before) = &before
            {
                for (trace, is_torn) in read.traces.iter().zip(&mut read.is_torn) {
                    let same = before.traces.iter().find(|old| old.thread_id == trace.thread_id);
                    *is_torn &= same.is_none_or(|old| old.owns_gil || old.frames != trace.frames);
                }
                if left == 0 || !read.is_torn.contains(&true) {
                    return Ok(read);
                }
            }
            known = numbers.into_iter().flatten().collect();
            before = Some(read);
        }
        before.ok_or_else(|| "its stacks could not be read".to_owned())
    }

    /// Stacks as they are read; again where that fails, which it does where they change meanwhile.
    fn traces(&mut self, tries: &mut u32) -> Result<Vec<StackTrace>, String> {
        loop {
            let read = guarded(|| self.spy.get_stack_traces());
            if read.is_ok() || *tries == 0 {
                return read.map(started);
            }
            *tries -= 1;
        }
    }

    /// Reads again while a stack lacks its outer part; threads whose stack still does.
    fn mend(&mut self, traces: &mut [StackTrace], tries: &mut u32) -> Result<HashSet<u64>, String> {
        loop {
            let mut torn = HashSet::new();
            for trace in &*traces {
                if self.inner.is_torn(trace.thread_id, &trace.frames) {
                    torn.insert(trace.thread_id);
                }
            }
            if torn.is_empty() || *tries == 0 {
                return Ok(torn);
            }
            *tries -= 1;
            let again = self.traces(tries)?;
            // The others are as they were at their time.
            for trace in again.into_iter().filter(|trace| torn.contains(&trace.thread_id)) {
                if let Some(before) =
                    traces.iter_mut().find(|before| before.thread_id == trace.thread_id)
                {
                    before.frames = trace.frames;
                }
            }
        }
    }

    /// Of threads whose state py-spy does not find: of all where they will be stopped when it looks.
    fn running(&self) -> HashMap<u32, bool> {
        if self.hold == Hold::Stop {
            return self.tasks.running();
        }
        let is_asked = !self.tells_threads || self.tasks.is_nested();
        let asked = self.last.iter().filter(|_| is_asked);
        asked.filter_map(|&thread| Some((thread, self.tasks.is_running(thread)?))).collect()
    }

    fn seen(
        &mut self,
        mut trace: StackTrace,
        running: &HashMap<u32, bool>,
        on_loops: &HashMap<u64, Running>,
    ) -> Seen {
        let here = self.number(&trace);
        self.last.extend(here);
        let does_run = here.and_then(|here| running.get(&here)).is_none_or(|&runs| runs);
        // py-spy's own judgement knows of waiting in the library, but not of threads that are stopped.
        let is_active = match self.hold {
            Hold::Stop => !trace.frames.first().is_some_and(is_waiting),
            Hold::Displace { .. } | Hold::Free => trace.active,
        };
        let task = trace.os_thread_id.and_then(|own| on_loops.get(&own));
        let task = task.filter(|task| task.put_into(&mut trace.frames)).map(|task| &task.name);
        let thread = here.map_or(ThreadKey::Handle(trace.thread_id), ThreadKey::Number);
        Seen {
            thread,
            name: self.name(&trace, here),
            is_running: is_active && does_run,
            holds_gil: trace.owns_gil,
            task: task.cloned(),
            frames: trace.frames,
            cpu_ns: here.and_then(|here| self.kernel.ran(here)).map(|ran| ran.cpu_ns),
            is_torn: false,
        }
    }

    /// The kernel's number of a thread.
    fn number(&mut self, trace: &StackTrace) -> Option<u32> {
        match trace.os_thread_id.and_then(|number| u32::try_from(number).ok()) {
            Some(own) => self.tasks.here(own),
            None if self.tells_threads => None,
            None => self.tasks.of_handle(trace.thread_id),
        }
    }

    /// py-spy keeps names by handle, and a handle is used again for the next thread.
    fn name(&mut self, trace: &StackTrace, here: Option<u32>) -> Option<String> {
        let thread = u64::from(here?);
        if self.handles.get(&trace.thread_id) == Some(&thread) {
            return trace.thread_name.clone();
        }
        let is_first = self.handles.insert(trace.thread_id, thread).is_none();
        if is_first {
            return trace.thread_name.clone();
        }
        self.spy.python_thread_names.remove(&trace.thread_id);
        None
    }
}

/// Whether the innermost frame is where the standard library waits. The kernel may find a thread there that was just
/// woken to be stopped, and that will wait again.
fn is_waiting(frame: &Frame) -> bool {
    let is_in = |file: &str| frame.filename.ends_with(file);
    match frame.name.as_str() {
        "wait" => is_in("threading.py"),
        "select" => is_in("selectors.py"),
        "poll" => is_in("asyncore.py"),
        _ => false,
    }
}

/// Whether a loop runs there.
fn is_in_asyncio(trace: &StackTrace) -> bool {
    trace.frames.iter().any(|frame| frame.filename.contains("/asyncio/"))
}

/// What was read in the middle of a change.
fn is_nonsense(frame: &Frame) -> bool {
    let is_text = |text: &str| !text.is_empty() && !text.contains(|c: char| c.is_control());
    !is_text(&frame.name) || !is_text(&frame.filename) || frame.line < 0
}

/// Bytes of a running program may be anything: a panic of what reads them is the loss of a sample.
fn guarded<T, E: std::fmt::Display>(read: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(read)) => Ok(read),
        // With all that it says of causes.
        Ok(Err(error)) => Err(format!("{error:#}")),
        Err(_) => Err("py-spy panicked".to_owned()),
    }
}
