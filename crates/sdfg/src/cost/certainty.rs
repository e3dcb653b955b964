//! Which costs are exact, and which are bounds.

use std::fmt;

use crate::cost::costs::{Cost, Costs};
use crate::expr::Expr;

/// Why a cost is more than what a run needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Excess {
    /// Data decides how much moves: this is the most.
    DataDecides,
    /// Data decides how much moves, and nothing bounds it: it is an unknown.
    Unbounded,
    /// The last tile may be partial, and counts as a whole one. By DaCe's rules only.
    PartialTiles,
    /// Code that may do less than all that stands in it, or several things at once.
    Code,
    /// Of several branches the most expensive one counts.
    Branches,
    /// A loop or a graph may be left before its end.
    EarlyExit,
    /// Control flow that jumps into loops: all of it counts.
    Jumps,
    /// Of writes that are combined it is not known how many are to one element: all of them count.
    Combined,
    /// Of accesses that overlap, leave gaps or are not told, the box around them counts, or their sum.
    Overlap,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Excess::DataDecides => "data decides how much moves",
            Excess::Unbounded => "data decides how much moves, and nothing bounds it",
            Excess::Code => "code may do less than it says, or several things at once",
            Excess::PartialTiles => "partial tiles count as whole ones",
            Excess::Branches => "the most expensive branch counts",
            Excess::EarlyExit => "early exits from loops are ignored",
            Excess::Overlap => {
                "it is not clear which elements are accessed, or how they overlap: at most these"
            }
            Excess::Combined => {
                "it is not clear how many combined writes go to one element: at most all"
            }
            Excess::Jumps => "control flow jumps into a loop, and all of it counts",
        })
    }
}

/// What can be said of a cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    /// It is what a run costs.
    Exact,
    /// It is not less than what a run costs.
    AtMost(Excess),
    /// Something that is not known is in it.
    Unknown,
}

impl Certainty {
    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Certainty::Exact => "exact",
            Certainty::AtMost(_) => "at most",
            Certainty::Unknown => "unknown",
        }
    }

    /// Of a quotient or a sum of two.
    pub fn with(self, other: Certainty) -> Certainty {
        match (self, other) {
            (Certainty::Unknown, _) | (_, Certainty::Unknown) => Certainty::Unknown,
            (Certainty::Exact, one) | (one, Certainty::Exact) => one,
            (one, Certainty::AtMost(_)) => one,
        }
    }
}

impl Costs {
    /// What can be said of a cost whose excess is told.
    pub fn certainty(&self, of: &Expr, excess: Option<Excess>) -> Certainty {
        if of.symbols().into_iter().any(|name| self.unknowns.contains_key(name)) {
            return Certainty::Unknown;
        }
        excess.map_or(Certainty::Exact, Certainty::AtMost)
    }
}

/// For each cost, whether it is the most rather than exact, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AtMost {
    /// Of [`Cost::work`].
    pub work: Option<Excess>,
    /// Of [`Cost::depth`].
    pub depth: Option<Excess>,
    /// Of [`Cost::moved`].
    pub moved: Option<Excess>,
}

impl AtMost {
    /// All for one reason.
    pub(super) fn all(excess: Excess) -> AtMost {
        AtMost { work: Some(excess), depth: Some(excess), moved: Some(excess) }
    }

    /// Of two parts.
    pub(super) fn or(self, other: AtMost) -> AtMost {
        AtMost {
            work: self.work.or(other.work),
            depth: self.depth.or(other.depth),
            moved: self.moved.or(other.moved),
        }
    }

    /// Of the most that one of several costs.
    pub(super) fn of_branches<'c>(all: impl Iterator<Item = &'c Cost> + Clone) -> AtMost {
        let inside = all.clone().fold(AtMost::default(), |known, cost| known.or(cost.at_most));
        let differ = |part: fn(&Cost) -> &crate::expr::Expr| {
            let mut parts = all.clone().map(part);
            let first = parts.next();
            parts.any(|one| Some(one) != first).then_some(Excess::Branches)
        };
        inside.or(AtMost {
            work: differ(|cost| &cost.work),
            depth: differ(|cost| &cost.depth),
            moved: differ(|cost| &cost.moved),
        })
    }
}
