//! Arrows from one place and time to another.

use crate::{StringId, TrackId};

/// One end of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlowEnd {
    /// The track.
    pub track: TrackId,
    /// When, in nanoseconds.
    pub time: i64,
}

/// A wake-up, a migration, an asynchronous hand-over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flow {
    /// Name; may be empty.
    pub name: StringId,
    /// Where it leaves.
    pub from: FlowEnd,
    /// Where it arrives. That may be earlier where clocks differ.
    pub to: FlowEnd,
}
