//! Switches and wake-ups, as tracepoints tell them.

use profile::{ContextId, StringId, ThreadId};

use crate::time::schedule::Moved;

/// A thread by its number and its name then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Task {
    pub(crate) tid: StringId,
    pub(crate) comm: StringId,
}

/// A processor went from one thread to another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Switch {
    /// The producer's clock.
    pub(crate) time: i64,
    pub(crate) cpu: u32,
    pub(crate) before: Task,
    /// What became of it; empty if that is not told.
    pub(crate) then: StringId,
    pub(crate) next: Task,
    /// Where the event was sampled, which is in the thread that leaves.
    pub(crate) context: ContextId,
    /// Whether that is its stack, and not an address alone.
    pub(crate) has_stack: bool,
    /// The thread that leaves, if the event says.
    pub(crate) thread: Option<ThreadId>,
}

/// What tells of a wake-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WakeKind {
    /// `sched_waking`: by the one who wakes.
    Waking,
    /// `sched_wakeup`: by whoever puts the thread into the queue.
    Queued,
    /// `sched_wakeup_new`: the thread is new.
    New,
}

impl WakeKind {
    /// Of the name of an event, with its system or without.
    pub(crate) fn new(event: &str) -> Option<WakeKind> {
        match event.strip_prefix("sched:").unwrap_or(event) {
            "sched_waking" => Some(WakeKind::Waking),
            "sched_wakeup" => Some(WakeKind::Queued),
            "sched_wakeup_new" => Some(WakeKind::New),
            _ => None,
        }
    }
}

/// A thread was woken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wakeup {
    /// The producer's clock.
    pub(crate) time: i64,
    /// Where that was done.
    pub(crate) cpu: u32,
    /// The event that tells it.
    pub(crate) name: StringId,
    pub(crate) kind: WakeKind,
    pub(crate) woken: StringId,
    /// The stack of the event, if it has one.
    pub(crate) stack: Option<ContextId>,
}

/// What the scheduler's tracepoints tell.
#[derive(Default)]
pub(crate) struct Events {
    pub(crate) switches: Vec<Switch>,
    pub(crate) wakeups: Vec<Wakeup>,
    pub(crate) moved: Vec<Moved>,
}

impl Events {
    /// Whether there is nothing of which runs could be told.
    pub(crate) fn is_empty(&self) -> bool {
        self.switches.is_empty() && self.wakeups.is_empty()
    }
}
