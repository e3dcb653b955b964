//! What all threads and the writer share, one at a time.
//!
//! Threads come here without the interpreter, too, and a process may be copied by `fork` while one is here. So the
//! lock is one that `fork` waits for, and which is free in the copy.

use std::cell::UnsafeCell;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use calltrace::Function;
use calltrace::memory::{Ledger, NO_PARENT, Step, THREAD};

use super::filter;
use super::recording::switch_off;

/// A recording.
pub(super) struct State {
    pub(super) ledger: Ledger,
    /// What the writer has not seen.
    pub(super) new_functions: Vec<Function>,
    /// Number, the system's number and name of threads that came; those that got a name have the largest number.
    pub(super) new_threads: Vec<(u32, u64, String)>,
    threads: u32,
    /// The stack of the last sample, the outermost first, with the context of each step.
    last: Vec<(u32, u32, u32)>,
    /// Whether it is over, and why.
    pub(super) end: Option<String>,
}

/// Further threads share the last number: each has contexts of its own.
const MOST_THREADS: u32 = 1 << 12;

static IS_HELD: AtomicBool = AtomicBool::new(false);

struct Guarded(UnsafeCell<Option<State>>);

// SAFETY: who looks inside holds the lock.
unsafe impl Sync for Guarded {}

static STATE: Guarded = Guarded(UnsafeCell::new(None));

/// Does something with the recording, if there is one. Nothing of Python is called in it.
#[inline]
pub(super) fn with_state<R>(act: impl FnOnce(&mut Option<State>) -> R) -> R {
    hold();
    // SAFETY: the lock is held.
    let result = act(unsafe { &mut *STATE.0.get() });
    let_go();
    result
}

#[inline]
fn hold() {
    while IS_HELD.swap(true, Ordering::Acquire) {
        while IS_HELD.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
    }
}

extern "C" fn hold_for_fork() {
    hold();
}

extern "C" fn let_go() {
    IS_HELD.store(false, Ordering::Release);
}

extern "C" fn let_go_in_copy() {
    // Blocks of the process that this one is a copy of are that one's.
    switch_off();
    let_go();
}

/// Makes copies of the process sound.
pub(super) fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: functions that live as long as the process does, since extensions are never unloaded.
        unsafe {
            libc::pthread_atfork(Some(hold_for_fork), Some(let_go), Some(let_go_in_copy));
        }
    });
}

impl State {
    pub(super) fn new(ledger: Ledger) -> State {
        let (new_functions, new_threads, last) = (vec![], vec![], vec![]);
        State { ledger, new_functions, new_threads, threads: 0, last, end: None }
    }

    /// A number for this thread.
    pub(super) fn join(&mut self) -> u32 {
        let number = self.threads.min(MOST_THREADS - 1);
        if self.threads < MOST_THREADS {
            self.threads += 1;
            // SAFETY: asks for a number.
            let id = unsafe { libc::syscall(libc::SYS_gettid) } as u64;
            self.new_threads.push((number, id, String::new()));
        }
        number
    }

    /// A block is a sample: that of a thread, with frames (function and line), the innermost first.
    pub(super) fn sample(
        &mut self,
        block: (usize, u64),
        thread: u32,
        frames: &[(u32, u32)],
        ticks: u64,
    ) {
        let steps = std::iter::once((THREAD, thread)).chain(frames.iter().rev().copied());
        let mut parent = NO_PARENT;
        let mut is_known = true;
        let mut depth = 0;
        for (function, line) in steps {
            let known = self.last.get(depth).filter(|_| is_known);
            match known {
                Some(&(of, at, context)) if (of, at) == (function, line) => parent = context,
                _ => {
                    if is_known {
                        self.last.truncate(depth);
                        is_known = false;
                    }
                    parent = self.ledger.context(Step { parent, function, line });
                    self.last.push((function, line, parent));
                }
            }
            depth += 1;
        }
        self.last.truncate(depth);
        let (address, size) = block;
        if !self.ledger.allocate(address, size, parent, ticks) {
            filter::add(address);
        }
    }
}
