//! Sets and maps in isl's notation, as far as Polly writes them.

mod formula;
mod text;

use std::collections::BTreeMap;

pub(crate) use text::relation;

/// A constant and multiples of names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Sum {
    pub(crate) constant: i128,
    pub(crate) terms: BTreeMap<String, i128>,
}

impl Sum {
    pub(crate) fn constant(constant: i128) -> Sum {
        Sum { constant, ..Sum::default() }
    }

    pub(crate) fn name(name: &str) -> Sum {
        Sum { constant: 0, terms: [(name.to_owned(), 1)].into() }
    }

    /// This and so many times another; none if numbers are too large.
    pub(crate) fn plus(mut self, other: &Sum, times: i128) -> Option<Sum> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(times)?)?;
        for (name, factor) in &other.terms {
            let own = self.terms.entry(name.clone()).or_default();
            *own = own.checked_add(factor.checked_mul(times)?)?;
        }
        self.terms.retain(|_, factor| *factor != 0);
        Some(self)
    }
}

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
