//! What advice says, and what of it could not be said.

use profile::MetricId;

use crate::{FrameKey, PatternError};

/// Where a rule fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The number of the rule.
    pub rule: usize,
    /// The function.
    pub key: FrameKey,
    /// The metric of its value.
    pub metric: MetricId,
    /// The value of the occurrences that fit: each sample once.
    pub value: i64,
    /// What that is of the whole program, from 0 to 1.
    pub share: f64,
    /// Whether call paths, by which occurrences were chosen, are an estimate.
    pub is_estimated: bool,
}

/// Why a rule says nothing about a profile whatever is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOutRule {
    /// The number of the rule.
    pub rule: usize,
    /// Why, as a sentence's end.
    pub why: String,
}

/// What rules say of a profile.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AllAdvice {
    /// The largest share first.
    pub found: Vec<Advice>,
    /// Rules that ask for what the profile does not have.
    pub left_out: Vec<LeftOutRule>,
}

/// A pattern of a rule, and which of its fields it stands in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {error}")]
pub struct FieldError {
    /// The field.
    pub field: &'static str,
    /// What is wrong with it.
    pub error: PatternError,
}
