//! Runs a script in an interpreter that runs, as `sys.remote_exec` does (PEP 768): its path is written into the
//! memory of a thread, which runs the script when it next looks whether something is to be done.

use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::{Layout, Memory};
use crate::stop::Stopped;

/// Why a script cannot be run in a process.
#[derive(Debug)]
pub(crate) enum Refused {
    /// It is not Python of 3.14 or later that has a lock.
    Version,
    /// It was started with that switched off (`-X disable-remote-debug`, `PYTHON_DISABLE_REMOTE_DEBUG`).
    Disabled,
    /// The path is too long for the place that there is for it.
    TooLong,
    /// Its memory may not be read or written.
    Memory(io::Error),
}

/// An interpreter that runs scripts.
#[derive(Debug)]
pub(crate) struct Interpreter {
    pid: i32,
    memory: Memory,
    layout: Layout,
    /// The first interpreter of the process, in its memory.
    state: u64,
}

/// Threads that are asked to run a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Threads {
    /// The main one: it is there as long as the interpreter is.
    Main,
    /// All others: each runs the script when it comes to it.
    Others,
}

/// `_PY_EVAL_PLEASE_STOP_BIT`: a thread is to look whether something is to be done.
const LOOK: u64 = 1 << 5;
const MOST_THREADS: usize = 4096;

impl Interpreter {
    /// That of a process.
    pub(crate) fn new(pid: i32) -> Result<Interpreter, Refused> {
        let memory = Memory::to_write(pid).map_err(Refused::Memory)?;
        let layout = Layout::new(pid, &memory).ok_or(Refused::Version)?;
        let heads = layout.runtime.wrapping_add(layout.get("runtime.interpreters_head"));
        let state = memory.pointer(heads).ok_or(Refused::Version)?;
        let interpreter = Interpreter { pid, memory, layout, state };
        // Configured when the interpreter began; an int.
        let enabled = interpreter.field(state, "debugger.is_enabled");
        let enabled = interpreter.memory.bytes(enabled).ok_or_else(unreadable)?;
        if u32::from_le_bytes(enabled) != 1 {
            return Err(Refused::Disabled);
        }
        Ok(interpreter)
    }

    /// Asks threads to run a script. None runs it while it waits in C, or sleeps.
    pub(crate) fn run(&self, script: &Path, threads: Threads) -> Result<(), Refused> {
        let mut path = script.as_os_str().as_bytes().to_vec();
        path.push(0);
        if path.len() as u64 > self.layout.get("debugger.script_path_size") {
            return Err(Refused::TooLong);
        }
        self.change(threads, |support| {
            let place = self.field(support, "debugger.script_path");
            self.memory.write(place, &path).map_err(Refused::Memory)?;
            self.set_pending(support, 1)
        })
    }

    /// Threads that have not come to it are not asked any more.
    pub(crate) fn forget(&self) -> Result<(), Refused> {
        self.change(Threads::Main, |support| self.set_pending(support, 0))?;
        self.change(Threads::Others, |support| self.set_pending(support, 0))
    }

    fn set_pending(&self, support: u64, pending: u32) -> Result<(), Refused> {
        let place = self.field(support, "debugger.pending_call");
        self.memory.write(place, &pending.to_le_bytes()).map_err(Refused::Memory)
    }

    /// Changes what threads are asked for, and makes them look at it.
    fn change(
        &self,
        threads: Threads,
        change: impl Fn(u64) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        // A thread that ends meanwhile gives its memory back, which may be anybody's then.
        let held = match threads {
            Threads::Others => Some(hold(self.pid)?),
            Threads::Main => None,
        };
        for thread in self.threads(threads)? {
            change(self.field(thread, "debugger.support"))?;
            let breaker = self.field(thread, "debugger.eval_breaker");
            let told = self.memory.word(breaker).ok_or_else(unreadable)? | LOOK;
            self.memory.write(breaker, &told.to_le_bytes()).map_err(Refused::Memory)?;
        }
        drop(held);
        Ok(())
    }

    fn threads(&self, wanted: Threads) -> Result<Vec<u64>, Refused> {
        let pointer = |at: u64, field: &str| self.memory.pointer(self.field(at, field));
        let main = pointer(self.state, "interpreter.threads_main").ok_or_else(unreadable)?;
        if wanted == Threads::Main {
            return Ok(vec![main]);
        }
        let mut found = vec![];
        let mut next = pointer(self.state, "interpreter.threads_head");
        while let Some(thread) = next
            && found.len() < MOST_THREADS
        {
            found.extend((thread != main).then_some(thread));
            next = pointer(thread, "thread.next");
        }
        Ok(found)
    }

    fn field(&self, at: u64, field: &str) -> u64 {
        at.wrapping_add(self.layout.get(field))
    }
}

/// Holds a process until what is given is dropped.
fn hold(pid: i32) -> Result<Stopped, Refused> {
    Stopped::stop(pid, || Ok(())).map_err(|error| Refused::Memory(io::Error::other(error)))
}

fn unreadable() -> Refused {
    Refused::Memory(io::Error::from(io::ErrorKind::InvalidData))
}
