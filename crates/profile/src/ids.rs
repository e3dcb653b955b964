//! One index type a table.

macro_rules! ids {
    ($($(#[doc = $doc:literal])* $name:ident),* $(,)?) => {$(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The row in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A string.
    StringId,
    /// A module.
    ModuleId,
    /// A function.
    FunctionId,
    /// A frame.
    FrameId,
    /// A location.
    LocationId,
    /// A context; 0 is the whole program.
    ContextId,
    /// A label set; 0 is the empty one.
    LabelSetId,
    /// A monitoring point.
    PointId,
    /// A thread.
    ThreadId,
    /// A process.
    ProcessId,
    /// A track: a line of time.
    TrackId,
    /// A member: one of the profiles that came as one.
    MemberId,
    /// A machine.
    MachineId,
    /// A role that a context has in a point.
    RoleId,
    /// A metric. Where more are derived from those of a profile, they are numbered on.
    MetricId,
}

impl StringId {
    /// The empty string.
    pub const EMPTY: StringId = StringId(0);
}

impl ContextId {
    /// The whole program.
    pub const ROOT: ContextId = ContextId(0);
}

/// Stands for 'none' in columns of optional indices.
pub(crate) const NONE: u32 = u32::MAX;

pub(crate) fn optional(raw: u32) -> Option<u32> {
    (raw != NONE).then_some(raw)
}
