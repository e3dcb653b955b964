//! Stacks of one process, read from outside by py-spy.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;
use std::time::Instant;

use py_spy::config::LockingStrategy;
use py_spy::{Config, Frame, PythonSpy, StackTrace};

use super::tasks::Tasks;
use crate::process::TRACING;

/// A process whose stacks can be read.
pub(super) struct Stacks {
    spy: PythonSpy,
    tasks: Tasks,
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
}

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
}

impl Stacks {
    /// # Errors
    /// Why they cannot be read, in py-spy's words.
    pub(super) fn of(pid: u32, is_pausing: bool) -> Result<Stacks, String> {
        let pid = i32::try_from(pid).map_err(|_| "there is no such process".to_owned())?;
        let config = Config {
            blocking: if is_pausing { LockingStrategy::Lock } else { LockingStrategy::NonBlocking },
            // It would look for each file on the disk.
            full_filenames: true,
            ..Config::default()
        };
        let mut spy = guarded(|| PythonSpy::new(pid, &config))?;
        // An interpreter that is only starting is found, and nothing of it can be read.
        let traced = is_pausing.then(|| TRACING.lock().unwrap_or_else(PoisonError::into_inner));
        guarded(|| spy.get_stack_traces())?;
        drop(traced);
        let tells_threads = (spy.version.major, spy.version.minor) >= (3, 11);
        Ok(Stacks {
            spy,
            tasks: Tasks::of(pid),
            is_pausing,
            tells_threads,
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
        let start = Instant::now();
        let traces = guarded(|| self.spy.get_stack_traces())?;
        drop(traced);
        let took = start.elapsed().as_nanos() as u64;
        if traces.iter().flat_map(|trace| &trace.frames).any(is_nonsense) {
            return Err("what was read is no function".to_owned());
        }
        self.last.clear();
        let threads = traces.into_iter().map(|trace| self.seen(trace, &running)).collect();
        Ok(Read { threads, took })
    }

    /// Of threads whose state py-spy does not find.
    fn running(&self) -> HashMap<u32, bool> {
        let state = |&thread: &u32| Some((thread, self.tasks.is_running(thread)?));
        self.last.iter().filter_map(state).collect()
    }

    fn seen(&mut self, trace: StackTrace, running: &HashMap<u32, bool>) -> Seen {
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
        let thread = here.map_or(ThreadKey::Handle(trace.thread_id), ThreadKey::Number);
        Seen {
            thread,
            name: self.name(&trace, here),
            is_running: trace.active && does_run,
            holds_gil: trace.owns_gil,
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
