//! Lines of time.

use crate::{MemberId, ProcessId, StringId, ThreadId, TrackId};

/// What a track is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum TrackKind {
    /// A process, or a rank of a parallel program.
    Process,
    /// A thread: what it runs nests.
    #[default]
    Thread,
    /// A task, a coroutine, a fibre: it may go on on another thread.
    Task,
    /// A processor.
    Processor,
    /// A queue of a graphics processor or of another device.
    Queue,
    /// Asynchronous operations of one name or identifier: they may overlap.
    Lane,
}

impl TrackKind {
    /// All of them, by number.
    pub const ALL: [TrackKind; 6] = [
        TrackKind::Process,
        TrackKind::Thread,
        TrackKind::Task,
        TrackKind::Processor,
        TrackKind::Queue,
        TrackKind::Lane,
    ];

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            TrackKind::Process => "process",
            TrackKind::Thread => "thread",
            TrackKind::Task => "task",
            TrackKind::Processor => "processor",
            TrackKind::Queue => "queue",
            TrackKind::Lane => "lane",
        }
    }
}

/// A line of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Track {
    /// What it is of.
    pub kind: TrackKind,
    /// Name, where it is not that of its thread or process; may be empty.
    pub name: StringId,
    /// The track that it is shown under; it stands before this one.
    pub parent: Option<TrackId>,
    /// Its place among the children of its parent: smaller ones first, equal ones as they stand.
    pub order: i64,
    /// The process, if it is of one.
    pub process: Option<ProcessId>,
    /// The thread, if it is of one.
    pub thread: Option<ThreadId>,
    /// The number of the processor, if it is of one.
    pub cpu: Option<u32>,
    /// The member that it belongs to; member 0 where there are none.
    pub member: MemberId,
}
