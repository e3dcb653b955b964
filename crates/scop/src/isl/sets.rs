//! Sets and maps, and why a text is none.

use super::sum::Sum;

/// A set or a map.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Relation {
    pub(crate) parameters: Vec<String>,
    /// Any of them.
    pub(crate) pieces: Vec<Piece>,
}

/// A tuple, or one for another, where all conditions hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Piece {
    pub(crate) input: Tuple,
    pub(crate) output: Option<Tuple>,
    /// Sums that are 0 or more.
    pub(crate) conditions: Vec<Sum>,
}

/// A named tuple.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Tuple {
    pub(crate) name: String,
    pub(crate) entries: Vec<Sum>,
    /// Names that stand for nothing known before: dimensions of a domain, or elements that only
    /// conditions tell.
    pub(crate) free: Vec<String>,
}

/// Why a text is not a set or map that is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// It is none.
    Text(String),
    /// It has what is not expressed.
    Unexpressed(String),
}
