//! Arrows from one place and time to another.

use crate::{Profile, StringId, TrackId, TrackKind};

/// One end of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlowEnd {
    /// The track.
    pub track: TrackId,
    /// When, in nanoseconds.
    pub time: i64,
}

/// The name of flows between processors along which a thread moves: from where it left one to where it
/// goes on. Others say what made something go on.
pub const MIGRATION: &str = "migration";

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

impl Flow {
    /// Whether a thread moves along it from one processor to another.
    pub fn is_migration(&self, profile: &Profile) -> bool {
        let kind = |end: FlowEnd| profile.timeline.tracks[end.track.index()].kind;
        [self.from, self.to].map(kind) == [TrackKind::Processor; 2]
            && profile.text(self.name) == MIGRATION
    }
}
