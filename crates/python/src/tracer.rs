//! A trace that runs: one at a time in a process.
//!
//! Everything here happens while the interpreter's lock is held, which is what makes one `Tracer` for all
//! threads sound. The writer's thread sees the parts in [`Shared`] alone.

mod running;

use std::cell::UnsafeCell;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;

use calltrace::{Demotion, FunctionKind, Happened, Logged};
use pyo3_ffi::*;
use rustc_hash::FxHashMap;

use crate::blocks::{Appender, Shared};
use crate::clock;
use crate::functions::{Functions, Subject};
use crate::logging::Choice;
use crate::probe::Probe;
use crate::sites::Sites;
use crate::tasks;

pub(crate) use running::{Output, current, forget, start, stop};

use running::GENERATION;

/// A trace.
pub(crate) struct Tracer {
    shared: Arc<Shared>,
    writer: Option<JoinHandle<io::Result<u64>>>,
    functions: Functions,
    /// After how many calls a function is no longer traced; the largest number for never.
    limit: u32,
    sites: Sites,
    threads: u32,
    /// Frames of generators and coroutines that are alive, with the number of their call.
    activations: FxHashMap<usize, u32>,
    next_activation: u32,
    /// Instructions of generators, by number, where the hook does not tell a return from a yield.
    generators: FxHashMap<u32, Box<[u8]>>,
    /// Events that come meanwhile are not the program's.
    is_paused: bool,
    choice: Choice,
    probe: Option<Probe>,
}

/// What a thread has of the trace.
struct Here {
    generation: u32,
    appender: Option<Appender>,
    /// Coroutines that run inside of each other now.
    coroutines: u32,
}

thread_local! {
    static HERE: UnsafeCell<Here> =
        const { UnsafeCell::new(Here { generation: 0, appender: None, coroutines: 0 }) };
}

/// Whether events of a function go on to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goes {
    /// They do.
    On,
    /// Not from this place in the code.
    Off,
}

impl Tracer {
    /// The number of a function.
    ///
    /// # Safety
    /// As [`Functions::number`].
    #[inline]
    pub(crate) unsafe fn function(&mut self, key: usize, subject: Subject) -> u32 {
        let (shared, choice) = (&self.shared, &self.choice);
        self.functions.number(key, subject, |function| {
            let kept = choice.of(&function);
            shared.new_ones().functions.push(function);
            kept
        })
    }

    /// A call begins.
    ///
    /// # Safety
    /// The interpreter is held.
    #[inline]
    pub(crate) unsafe fn call(&mut self, function: u32) -> Goes {
        if self.is_paused {
            return Goes::On;
        }
        let met = self.functions.met(function);
        if met.is_demoted {
            return Goes::Off;
        }
        met.calls = met.calls.saturating_add(1);
        if met.calls > self.limit && !met.is_logged {
            met.calls -= 1;
            self.demote(function);
            return Goes::Off;
        }
        match met.kind {
            FunctionKind::Python | FunctionKind::C => self.push(Happened::Call, function, None),
            kind => self.push_activation(Happened::Call, function, kind),
        }
        Goes::On
    }

    /// A call ends, yields or goes on.
    ///
    /// # Safety
    /// The interpreter is held.
    #[inline]
    pub(crate) unsafe fn goes(&mut self, happened: Happened, function: u32) -> Goes {
        if self.is_paused {
            return Goes::On;
        }
        let met = self.functions.met(function);
        if met.is_demoted {
            // Another generator may have the frame next.
            let is_plain = matches!(met.kind, FunctionKind::Python | FunctionKind::C);
            if !is_plain && matches!(happened, Happened::Return | Happened::Unwind) {
                self.activations.remove(&(PyEval_GetFrame() as usize));
            }
            return Goes::Off;
        }
        match met.kind {
            FunctionKind::Python | FunctionKind::C => self.push(happened, function, None),
            kind => {
                // A generator may be called once and go on for ever. Coroutines wait for more than that costs.
                if happened == Happened::Resume && kind != FunctionKind::Coroutine {
                    met.resumes = met.resumes.saturating_add(1);
                    if met.resumes > self.limit && !met.is_logged {
                        self.demote(function);
                        return Goes::Off;
                    }
                }
                self.push_activation(happened, function, kind);
            }
        }
        Goes::On
    }

    #[inline]
    unsafe fn push(&mut self, happened: Happened, function: u32, activation: Option<u32>) {
        if let Some(here) = self.here()
            && let Some(appender) = &mut here.appender
        {
            let at = appender.push(happened, function, activation);
            if let Some(probe) = &mut self.probe {
                probe.event(happened, at);
            }
        }
    }

    #[inline]
    unsafe fn here<'a>(&mut self) -> Option<&'a mut Here> {
        let here = HERE.try_with(|here| here.get()).ok()?;
        let here = &mut *here;
        if here.generation != GENERATION.load(Ordering::Relaxed) {
            self.join(here);
        }
        Some(here)
    }

    /// A thread has its first event.
    #[cold]
    fn join(&mut self, here: &mut Here) {
        let number = self.threads;
        self.threads += 1;
        // SAFETY: asks for a number.
        let id = unsafe { libc::syscall(libc::SYS_gettid) } as u64;
        self.shared.new_ones().threads.push((number, id, String::new()));
        *here = Here {
            generation: GENERATION.load(Ordering::Relaxed),
            appender: Some(Appender::new(self.shared.clone(), number)),
            coroutines: 0,
        };
    }

    /// An event of a generator or coroutine, with the number of the call that it is of.
    unsafe fn push_activation(&mut self, happened: Happened, function: u32, kind: FunctionKind) {
        let frame = PyEval_GetFrame() as usize;
        let activation = match happened {
            Happened::Call => {
                let next = self.next_activation;
                self.next_activation += 1;
                self.activations.insert(frame, next);
                Some(next)
            }
            Happened::Return | Happened::Unwind => self.activations.remove(&frame),
            _ => self.activations.get(&frame).copied(),
        };
        if kind == FunctionKind::Coroutine
            && let Some(here) = self.here()
        {
            if happened.leaves() {
                here.coroutines = here.coroutines.saturating_sub(1);
            } else {
                here.coroutines += 1;
                // The outermost one is what a task was made of.
                if here.coroutines == 1
                    && happened == Happened::Call
                    && let Some(activation) = activation
                    && let Some(name) = tasks::name_of_current()
                {
                    self.shared.new_ones().tasks.push((activation, name));
                }
            }
        }
        self.push(happened, function, activation);
    }

    #[cold]
    fn demote(&mut self, function: u32) {
        let met = self.functions.met(function);
        met.is_demoted = true;
        let calls = u64::from(met.calls);
        let mut new = self.shared.new_ones();
        new.demoted.push(Demotion { function, ticks: clock::ticks(), calls });
    }

    /// A place in the code calls what is not a function of C.
    #[inline]
    pub(crate) fn calls_other(&mut self, code: usize, offset: usize) -> Goes {
        if self.limit < u32::MAX && self.sites.count(code, offset) > self.limit {
            self.switched_off();
            return Goes::Off;
        }
        Goes::On
    }

    /// A place in the code no longer tells of calls of C.
    #[cold]
    pub(crate) fn switched_off(&mut self) {
        self.shared.new_ones().sites += 1;
    }

    /// Names the thread of a number of the system.
    pub(crate) fn name_thread(&mut self, id: u64, name: String) {
        self.shared.new_ones().threads.push((u32::MAX, id, name));
    }

    /// Whether values of a function are told now.
    #[inline]
    pub(crate) fn is_logged(&mut self, function: u32) -> bool {
        let met = self.functions.met(function);
        met.is_logged && !met.is_demoted && !self.is_paused
    }

    /// Values of a function, as JSON.
    pub(crate) fn logged(&mut self, function: u32, leaves: bool, values: String) {
        // SAFETY: the interpreter is held.
        let thread = unsafe { self.here() }.and_then(|here| here.appender.as_ref()?.thread());
        if let Some(thread) = thread {
            let one = Logged { thread, ticks: clock::ticks(), function, leaves, values };
            self.shared.new_ones().log(one);
        }
    }

    /// Lets events be, or be told again.
    pub(crate) fn pause(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
    }

    /// Picoseconds between the stamps of a call that does nothing, where that is measured.
    pub(crate) fn inside(&mut self) -> u64 {
        self.probe.as_mut().map_or(0, Probe::inside)
    }

    /// What a function is.
    pub(crate) fn kind(&mut self, function: u32) -> FunctionKind {
        self.functions.met(function).kind
    }

    /// The instructions of a generator, which are asked for once.
    pub(crate) fn generator_code(
        &mut self,
        function: u32,
        ask: impl FnOnce() -> Box<[u8]>,
    ) -> &[u8] {
        self.generators.entry(function).or_insert_with(ask)
    }

    /// Whether a frame is that of a generator or coroutine that began and has not ended.
    pub(crate) fn is_alive(&self, frame: usize) -> bool {
        self.activations.contains_key(&frame)
    }

    /// Whether the writer could not go on.
    pub(crate) fn has_failed(&self) -> bool {
        self.shared.has_failed.load(Ordering::Relaxed)
    }
}
