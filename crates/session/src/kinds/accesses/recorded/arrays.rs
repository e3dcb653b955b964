//! Arrays that recorded accesses are told by.

use locality::Container;

/// Arrays that recorded accesses are told by, wherever they are known from.
#[derive(Debug, Clone, Default)]
pub struct KnownArrays {
    /// Containers with a base, none of which overlap.
    pub all: Vec<Container>,
    /// What is to be known of them.
    pub notes: Vec<String>,
    /// Which instruction a recording of theirs fetches.
    pub entry: Option<KnownEntry>,
}

/// What tells that arrays are those of the program that was recorded.
#[derive(Debug, Clone)]
pub struct KnownEntry {
    /// Where it begins to run.
    pub address: u64,
    /// Why a recording without that is refused.
    pub refusal: String,
}
