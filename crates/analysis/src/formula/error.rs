//! What can be wrong with a formula.

use std::ops::Range;

use super::Formula;

/// Why a formula cannot be used: what is wrong, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem} (at byte {}): {}", .place.start, .problem.hint())]
pub struct FormulaError {
    /// Where it is wrong, in bytes of the text.
    pub place: Range<usize>,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a formula.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Nothing but spaces.
    #[error("an empty formula")]
    Empty,
    /// More bytes or tokens than are read.
    #[error("a formula that is too long")]
    TooLong,
    /// More brackets within brackets than are read.
    #[error("brackets that are nested too deep")]
    TooDeep,
    /// A number beyond all floats.
    #[error("{0} is too large for a number")]
    Number(String),
    /// A quoted name that does not end.
    #[error("a quoted name without its closing {0}")]
    Quote(char),
    /// A character without meaning.
    #[error("`{0}` has no meaning in a formula")]
    Character(char),
    /// Something else should stand here.
    #[error("found {found}, expected {expected}")]
    Expected {
        /// What may stand here.
        expected: &'static str,
        /// What stands here.
        found: String,
        /// What to do.
        hint: &'static str,
    },
    /// `a < b < c`.
    #[error("a comparison of a comparison")]
    Chain,
    /// No metric of this name.
    #[error("there is no metric {name:?}")]
    UnknownMetric {
        /// The name.
        name: String,
        /// Names that are like it, the nearest first, as they are written in a formula.
        nearest: Vec<String>,
    },
    /// Several metrics of this name.
    #[error("there are {count} metrics {name:?}")]
    AmbiguousMetric {
        /// The name.
        name: String,
        /// How many have it.
        count: usize,
    },
    /// No function of this name.
    #[error("there is no function {name}")]
    UnknownFunction {
        /// The name.
        name: String,
        /// Names that are like it, the nearest first.
        nearest: Vec<String>,
    },
    /// What stands after a number is not a unit.
    #[error("{0} is not a unit")]
    UnknownUnit(String),
    /// Too few or too many arguments.
    #[error("{function} of {found} values")]
    Arguments {
        /// The function.
        function: &'static str,
        /// How many it takes.
        expected: &'static str,
        /// How many it got.
        found: usize,
    },
    /// A `mean_of` or the like within another.
    #[error("an aggregate inside another aggregate")]
    NestedParts,
    /// Two units that measure different things.
    #[error("{left} and {right} cannot be {action}")]
    Units {
        /// What was to be done, such as `added`.
        action: &'static str,
        /// The unit of the first.
        left: String,
        /// The unit of the second.
        right: String,
        /// Whether one of them is a number without a unit.
        bare: bool,
    },
}

impl Problem {
    /// What to do.
    pub fn hint(&self) -> String {
        match self {
            Problem::Empty => "write one such as `instructions / cycles`".into(),
            Problem::TooLong => format!(
                "at most {} bytes and {} numbers, names and operators",
                Formula::MAX_BYTES,
                Formula::MAX_TOKENS
            ),
            Problem::TooDeep => format!("at most {}; leave out some", Formula::MAX_DEPTH),
            Problem::Number(_) => "write one below 1e308".into(),
            Problem::Quote(quote) => {
                format!("close it with {quote}, and write \\{quote} for one in the name")
            }
            Problem::Character('=') => "write == to compare".into(),
            Problem::Character('%') => "multiply by 100, or quote it if it is in a name".into(),
            Problem::Character('^') => "multiply the value by itself".into(),
            Problem::Character(_) => "quote names that have it, such as `cpu-clock:u`".into(),
            Problem::Expected { hint, .. } => (*hint).into(),
            Problem::Chain => "put one of them in brackets".into(),
            Problem::UnknownMetric { nearest, .. } | Problem::UnknownFunction { nearest, .. } => {
                match &nearest[..] {
                    [] => "see the list of what there is".into(),
                    nearest => format!("did you mean {}?", nearest.join(" or ")),
                }
            }
            Problem::AmbiguousMetric { .. } => "give them different names".into(),
            Problem::UnknownUnit(name) => {
                format!("write `* {name}` to multiply, or a unit such as ns, ms, s, bytes, KiB")
            }
            Problem::Arguments { expected, .. } => format!("give it {expected}"),
            Problem::NestedParts => "one is enough: a part has no parts".into(),
            Problem::Units { bare: true, .. } => {
                "write the number with its unit, such as `5 ms` or `64 bytes`".into()
            }
            Problem::Units { .. } => "multiply or divide them instead".into(),
        }
    }
}
