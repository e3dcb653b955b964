//! Takes a program's processor for a moment, so that its stacks stand still while they are read.
//!
//! ```text
//! processor 0   program  program  |sampler|  program
//! processor 1                     (free: the program is not moved in so little time)
//! ```
//! This thread goes to the processor on which the thread runs that is to be read: the kernel then lets it run
//! in its place, and no other processor takes what waits so soon. Nothing of the program is stopped or traced.
//! Whether it did stand still is told by what the kernel counts of it before and after.

use rustix::process::getpriority_process;
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// This thread, and the processor that it goes to.
#[derive(Debug)]
pub(super) struct Beside {
    /// The kernel lets it go where it wants.
    is_able: bool,
    at: Option<usize>,
}

impl Beside {
    /// Of this thread.
    pub(super) fn new() -> Beside {
        Beside { is_able: true, at: None }
    }

    /// Whether this thread can go anywhere.
    pub(super) fn is_able(&self) -> bool {
        self.is_able
    }

    /// Goes to a processor, and stays there; nothing where it may not.
    pub(super) fn go_to(&mut self, processor: usize) {
        if !self.is_able || self.at == Some(processor) && sched_getcpu() == processor {
            return;
        }
        let mut only = CpuSet::new();
        if processor < CpuSet::MAX_CPU {
            only.set(processor);
        }
        self.is_able = sched_setaffinity(None, &only).is_ok();
        self.at = Some(processor).filter(|_| self.is_able);
    }

    /// The processor that this thread is on, and stays on.
    pub(super) fn here(&self) -> Option<usize> {
        self.at.filter(|&at| sched_getcpu() == at)
    }
}

/// Lets this thread run wherever its process may: one that a thread of [`Beside`] started stays where that is.
pub(super) fn run_anywhere() {
    let own = rustix::process::getpid();
    let _ = sched_getaffinity(Some(own)).map(|all| sched_setaffinity(None, &all));
}

/// Asks the kernel to let this thread run as soon as it wakes up: it runs for a short time only
/// (`sched_setattr(2)`; Linux 6.12 and later take the time of normal threads for that, others ignore it).
#[allow(unsafe_code, reason = "libraries do not offer this call of the kernel")]
pub(super) fn wake_promptly() {
    #[repr(C)]
    struct Attributes {
        size: u32,
        policy: u32,
        flags: u64,
        nice: i32,
        priority: u32,
        runtime: u64,
        deadline: u64,
        period: u64,
    }
    /// More than a reading takes, so that it is not interrupted, and less than others have.
    const RUNTIME: u64 = 500_000;
    let attributes = Attributes {
        size: size_of::<Attributes>() as u32,
        policy: 0,
        flags: 0,
        nice: getpriority_process(None).unwrap_or(0),
        priority: 0,
        runtime: RUNTIME,
        deadline: 0,
        period: 0,
    };
    // SAFETY: the kernel reads as many bytes as the structure says.
    unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
}
