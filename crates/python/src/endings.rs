//! Ends that the interpreter tells nobody of: signals that end a process, and forked processes whose threads are
//! all gone.
//!
//! A signal's handler asks the writer, which puts down what there is and then ends the process as the signal would
//! have. The handler waits for that a moment and no longer: the thread that it interrupts may hold what the writer
//! needs. Programs that handle the signal themselves keep their handlers.

use std::os::raw::c_int;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, Ordering};
use std::thread::Thread;

/// What ends processes and may be waited with: multiprocessing ends the workers of a pool by the first.
const SIGNALS: [(c_int, &str); 2] = [(libc::SIGTERM, "SIGTERM"), (libc::SIGHUP, "SIGHUP")];

/// Milliseconds that a thread with a signal waits for the writer at most.
const PATIENCE: u32 = 100;

/// The process whose trace is written; a copy of it that `fork` made has another number.
static OWNER: AtomicI32 = AtomicI32::new(0);
/// The signal that ends the process; 0 while none does.
static STOP_SIGNAL: AtomicI32 = AtomicI32::new(0);
static IS_WRITTEN: AtomicBool = AtomicBool::new(false);
static IS_FORKED: AtomicBool = AtomicBool::new(false);
/// Kept for ever, since a handler may read it at any time.
static WRITER: AtomicPtr<Thread> = AtomicPtr::new(std::ptr::null_mut());

/// Does something while signals that end the process wait: a trace that begins has a file before it has an end.
pub(crate) fn held<T>(does: impl FnOnce() -> T) -> T {
    // SAFETY: sets that are filled before they are used.
    let before = unsafe {
        let (mut ending, mut before): (libc::sigset_t, libc::sigset_t) = std::mem::zeroed();
        libc::sigemptyset(&raw mut ending);
        for (signal, _) in SIGNALS {
            libc::sigaddset(&raw mut ending, signal);
        }
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const ending, &raw mut before);
        before
    };
    let done = does();
    // SAFETY: the set of before.
    unsafe {
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, std::ptr::null_mut());
    }
    done
}

/// A trace's writer begins.
pub(crate) fn watch(writer: &Thread) {
    WRITER.store(Box::into_raw(Box::new(writer.clone())), Ordering::Release);
    IS_WRITTEN.store(false, Ordering::Release);
    OWNER.store(std::process::id() as c_int, Ordering::Release);
    for (signal, _) in SIGNALS {
        if [libc::SIG_DFL, own()].contains(&handler_of(signal)) {
            handle(signal, own());
        }
    }
}

/// The writer is done, and the trace is over.
pub(crate) fn unwatch() {
    OWNER.store(0, Ordering::Release);
    for (signal, _) in SIGNALS {
        if handler_of(signal) == own() {
            handle(signal, libc::SIG_DFL);
        }
    }
}

/// This process is a copy, made by `fork`.
pub(crate) fn forked() {
    IS_FORKED.store(true, Ordering::Release);
    unwatch();
}

/// The writer is to be left alone by signals: it is what they wait for.
pub(crate) fn block_signals() {
    // SAFETY: a set that is filled before it is used.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const all, std::ptr::null_mut());
    }
}

/// Why the trace has to end now, where it has to.
pub(crate) fn why_to_end() -> Option<&'static str> {
    let why_to_end = STOP_SIGNAL.load(Ordering::Acquire);
    let signal = SIGNALS.iter().find(|(signal, _)| *signal == why_to_end).map(|(_, name)| *name);
    signal.or_else(|| is_left_alone().then_some("exit"))
}

/// All is written that will be.
pub(crate) fn written() {
    IS_WRITTEN.store(true, Ordering::SeqCst);
    let why_to_end = STOP_SIGNAL.load(Ordering::SeqCst);
    if why_to_end != 0 {
        end_by(why_to_end);
    } else if is_left_alone() {
        // As the last thread of a process does when it returns.
        // SAFETY: no other thread is there.
        unsafe { libc::exit(0) }
    }
}

/// Whether the writer is the only thread of a process that a thread made by `fork`: that process would have ended
/// with the thread.
fn is_left_alone() -> bool {
    if !IS_FORKED.load(Ordering::Acquire) {
        return false;
    }
    let told = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let mut fields = told.rsplit(") ").next().unwrap_or_default().split(' ');
    // The state of the thread that ran Python, and how many threads there are with it.
    fields.next() == Some("Z") && fields.nth(16) == Some("2")
}

fn own() -> libc::sighandler_t {
    on_signal as *const () as libc::sighandler_t
}

fn handler_of(signal: c_int) -> libc::sighandler_t {
    // SAFETY: asks what the handler is.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut now);
        now.sa_sigaction
    }
}

fn handle(signal: c_int, handler: libc::sighandler_t) {
    // SAFETY: the handler is the default one or that below, which does what handlers may.
    unsafe {
        let mut new: libc::sigaction = std::mem::zeroed();
        new.sa_sigaction = handler;
        libc::sigemptyset(&raw mut new.sa_mask);
        libc::sigaction(signal, &raw const new, std::ptr::null_mut());
    }
}

extern "C" fn on_signal(signal: c_int) {
    // SAFETY: system calls that handlers may make.
    unsafe {
        if OWNER.load(Ordering::Acquire) == libc::getpid() {
            STOP_SIGNAL.store(signal, Ordering::SeqCst);
            if let Some(writer) = WRITER.load(Ordering::Acquire).as_ref() {
                // One futex: nothing is allocated.
                writer.unpark();
            }
            let millisecond = libc::timespec { tv_sec: 0, tv_nsec: 1_000_000 };
            for _ in 0..PATIENCE {
                if IS_WRITTEN.load(Ordering::SeqCst) {
                    return end_by(signal);
                }
                libc::nanosleep(&raw const millisecond, std::ptr::null_mut());
            }
            return;
        }
    }
    end_by(signal);
}

/// Ends the process as a signal does that nobody handles.
fn end_by(signal: c_int) {
    handle(signal, libc::SIG_DFL);
    // SAFETY: system calls that handlers may make; a set that is filled before it is used.
    unsafe {
        let mut one: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut one);
        libc::sigaddset(&raw mut one, signal);
        libc::raise(signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const one, std::ptr::null_mut());
    }
}
