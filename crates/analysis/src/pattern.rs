//! Regular expressions that people and files bring.

use regex::{Regex, RegexBuilder};

/// A compiled regular expression with bounded cost.
#[derive(Debug, Clone)]
pub struct Pattern(Regex);

/// Why a regular expression does not compile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a regular expression: {pattern}: {reason}")]
pub struct PatternError {
    /// The expression.
    pub pattern: String,
    /// What the parser says, on one line.
    pub reason: String,
}

/// Most bytes that a compiled expression may take.
const MOST_BYTES: usize = 4 << 20;

impl Pattern {
    /// Compiles an expression that is searched for anywhere in a text.
    pub fn new(pattern: &str) -> Result<Pattern, PatternError> {
        RegexBuilder::new(pattern).size_limit(MOST_BYTES).build().map(Pattern).map_err(|error| {
            let text = error.to_string();
            let reason = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
            PatternError {
                pattern: pattern.to_owned(),
                reason: reason.trim_start_matches("error: ").trim().to_owned(),
            }
        })
    }

    /// Compiles an expression that must match a whole text.
    pub(crate) fn whole(pattern: &str) -> Result<Pattern, PatternError> {
        Pattern::new(&format!("^(?:{pattern})$"))
    }

    /// An expression that matches just `text`.
    pub fn escape(text: &str) -> String {
        regex::escape(text)
    }

    /// Whether it matches somewhere in `text`.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}
