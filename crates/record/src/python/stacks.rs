//! Stacks of one process, read from outside by py-spy.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;
use std::time::Instant;

use py_spy::config::LockingStrategy;
use py_spy::{Config, Frame, PythonSpy, StackTrace};

use super::chains::{Chains, Running};
use super::opened;
use super::tasks::Tasks;
use super::torn::Inner;
use crate::process::TRACING;

/// A process whose stacks can be read.
pub(super) struct Stacks {
    spy: PythonSpy,
    tasks: Tasks,
    /// Tasks of asyncio, where the interpreter tells of them.
    chains: Option<Chains>,
    inner: Inner,
    is_pausing: bool,
    /// Python tells the kernel's number of each thread.
    tells_threads: bool,
    /// Threads that were seen, with the handle that they had.
    handles: HashMap<u64, u64>,
    /// What is to be asked of the kernel before stacks are read: threads of the sample before.
    last: HashSet<u32>,
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
}

/// How often stacks that change while they are read are read again.
const TRIES: u32 = 4;

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
    /// Nanoseconds that reading took.
    pub(super) took: u64,
    /// Threads that are left out, because their stacks changed while they were read, again and again.
    pub(super) torn: u64,
}

/// # Errors
/// Why the process is not to be held just now.
fn can_be_held(tasks: &Tasks) -> Result<(), String> {
    match () {
        () if tasks.is_ending() => Err("it ends just now".to_owned()),
        () if tasks.is_starting_another() => Err("it starts another program just now".to_owned()),
        () => Ok(()),
    }
}

impl Stacks {
    /// # Errors
    /// Why they cannot be read, in py-spy's words.
    pub(super) fn of(pid: u32, is_pausing: bool) -> Result<Stacks, String> {
        let process = pid;
        let pid = i32::try_from(pid).map_err(|_| "there is no such process".to_owned())?;
        let config = Config {
            blocking: if is_pausing { LockingStrategy::Lock } else { LockingStrategy::NonBlocking },
            // It would look for each file on the disk.
            full_filenames: true,
            ..Config::default()
        };
        let tasks = Tasks::of(pid);
        if is_pausing {
            can_be_held(&tasks)?;
        }
        let mut spy = opened::safely(process, || guarded(|| PythonSpy::new(pid, &config)))??;
        // An interpreter that is only starting is found, and nothing of it can be read.
        let traced = is_pausing.then(|| TRACING.lock().unwrap_or_else(PoisonError::into_inner));
        guarded(|| spy.get_stack_traces())?;
        drop(traced);
        let version = (spy.version.major, spy.version.minor);
        Ok(Stacks {
            tells_threads: version >= (3, 11),
            chains: Chains::of(pid, version),
            inner: Inner::default(),
            spy,
            tasks,
            is_pausing,
            handles: HashMap::new(),
            last: HashSet::new(),
        })
    }

    /// Such as `3.11.7`.
    pub(super) fn version(&self) -> String {
        let version = &self.spy.version;
        format!("{}.{}.{}", version.major, version.minor, version.patch)
    }

    /// # Errors
    /// Why they could not be read this time.
    pub(super) fn read(&mut self) -> Result<Read, String> {
        // Before anything is held: what is held does not run.
        let running = self.running();
        let traced =
            self.is_pausing.then(|| TRACING.lock().unwrap_or_else(PoisonError::into_inner));
        if self.is_pausing {
            can_be_held(&self.tasks)?;
        }
        let start = Instant::now();
        let mut tries = if self.is_pausing { 0 } else { TRIES };
        let mut traces = self.traces(&mut tries)?;
        let torn = if self.is_pausing { 0 } else { self.mend(&mut traces, &mut tries)? };
        drop(traced);
        let on_loops = match &mut self.chains {
            Some(chains) => chains.running(traces.iter().any(is_in_asyncio)),
            None => HashMap::new(),
        };
        let took = start.elapsed().as_nanos() as u64;
        if traces.iter().flat_map(|trace| &trace.frames).any(is_nonsense) {
            return Err("what was read is no function".to_owned());
        }
        self.last.clear();
        let seen = |trace| self.seen(trace, &running, &on_loops);
        let threads = traces.into_iter().map(seen).collect();
        Ok(Read { threads, took, torn })
    }

    /// Stacks as they are read; again where that fails, which it does where they change meanwhile.
    fn traces(&mut self, tries: &mut u32) -> Result<Vec<StackTrace>, String> {
        loop {
            let read = guarded(|| self.spy.get_stack_traces());
            if read.is_ok() || *tries == 0 {
                return read;
            }
            *tries -= 1;
        }
    }

    /// Reads again while a stack lacks its outer part, and leaves out what still does; how many.
    fn mend(&mut self, traces: &mut Vec<StackTrace>, tries: &mut u32) -> Result<u64, String> {
        while *tries > 0 {
            let mut torn = HashSet::new();
            for trace in &*traces {
                if self.inner.is_torn(trace.thread_id, &trace.frames) {
                    torn.insert(trace.thread_id);
                }
            }
            if torn.is_empty() {
                return Ok(0);
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
        let before = traces.len();
        traces.retain(|trace| !self.inner.is_torn(trace.thread_id, &trace.frames));
        Ok((before - traces.len()) as u64)
    }

    /// Of threads whose state py-spy does not find.
    fn running(&self) -> HashMap<u32, bool> {
        let state = |&thread: &u32| Some((thread, self.tasks.is_running(thread)?));
        self.last.iter().filter_map(state).collect()
    }

    fn seen(
        &mut self,
        mut trace: StackTrace,
        running: &HashMap<u32, bool>,
        on_loops: &HashMap<u64, Running>,
    ) -> Seen {
        let own = trace.os_thread_id.and_then(|number| u32::try_from(number).ok());
        let here = match own {
            Some(own) => self.tasks.here(own),
            None if self.tells_threads => None,
            None => self.tasks.of_handle(trace.thread_id),
        };
        let is_asked = !self.tells_threads || self.tasks.is_nested();
        self.last.extend(here.filter(|_| is_asked));
        // py-spy's own judgement knows of waiting in the library.
        let does_run = here.and_then(|here| running.get(&here)).is_none_or(|&runs| runs);
        let task = trace.os_thread_id.and_then(|own| on_loops.get(&own));
        let task = task.filter(|task| task.put_into(&mut trace.frames)).map(|task| &task.name);
        let thread = here.map_or(ThreadKey::Handle(trace.thread_id), ThreadKey::Number);
        Seen {
            thread,
            name: self.name(&trace, here),
            is_running: trace.active && does_run,
            holds_gil: trace.owns_gil,
            task: task.cloned(),
            frames: trace.frames,
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
