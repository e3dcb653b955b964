//! Marks with a margin as people write them: `GC=5ms`.

use std::collections::HashSet;

use profile::{Profile, StringId};

use super::TimeRangeError;
use super::range::time;
use crate::{Pattern, PatternError};

/// Marks of some kinds, and the time before and after each.
#[derive(Debug, Clone)]
pub struct Around {
    /// What the kind of a mark has to match.
    pub kinds: Pattern,
    /// So many nanoseconds before and after, more than 0.
    pub margin: i64,
}

/// Why marks with a margin cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AroundError {
    /// There is no `=` in it, or nothing before it.
    #[error("'{0}' names no marks with a margin: write a pattern and a time, such as GC=5ms")]
    NoMargin(String),
    /// What is behind the `=` is not a time.
    #[error(transparent)]
    NoTime(#[from] TimeRangeError),
    /// The margin is 0 or less.
    #[error("the margin in '{0}' must be more than 0")]
    NotPositive(String),
    /// The pattern cannot be used.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

impl Around {
    /// Reads `REGEX=MARGIN`; the last `=` counts, so that a pattern may have others.
    ///
    /// # Errors
    /// If one of the two is missing or cannot be understood.
    pub fn new(text: &str) -> Result<Around, AroundError> {
        let no_margin = || AroundError::NoMargin(text.to_owned());
        let (pattern, margin) = text.rsplit_once('=').ok_or_else(no_margin)?;
        if pattern.is_empty() {
            return Err(no_margin());
        }
        let margin = time(margin.trim(), None)?;
        if margin <= 0 {
            return Err(AroundError::NotPositive(text.to_owned()));
        }
        Ok(Around { kinds: Pattern::typed(pattern)?, margin })
    }

    /// The kinds of marks of a profile that match.
    pub fn kinds_of(&self, profile: &Profile) -> HashSet<StringId> {
        let mut all: HashSet<StringId> = profile.timeline.marks.kinds().collect();
        all.retain(|kind| self.kinds.is_match(profile.text(*kind)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_stands_behind_the_last_equals_sign() {
        let around = Around::new("gc|a=b=1.5ms").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(around.margin, 1_500_000);
        assert!(around.kinds.is_match("a=b") && around.kinds.is_match("GC"));
        for (text, expected) in [
            ("GC", "'GC' names no marks with a margin: write a pattern and a time, such as GC=5ms"),
            (
                "=5ms",
                "'=5ms' names no marks with a margin: write a pattern and a time, such as GC=5ms",
            ),
            ("GC=", "'' is not a time: write a number with ns, us, ms, s, m or h, such as 1.2s"),
            ("GC=5", "'5' is not a time: write a number with ns, us, ms, s, m or h, such as 1.2s"),
            ("GC=0ms", "the margin in 'GC=0ms' must be more than 0"),
            ("GC=-1ms", "the margin in 'GC=-1ms' must be more than 0"),
        ] {
            let told = Around::new(text).err().map(|error| error.to_string());
            assert_eq!(told.as_deref(), Some(expected), "{text}");
        }
        assert!(matches!(Around::new(r"(\w{1000}){1000}=1s"), Err(AroundError::Pattern(_))));
    }
}
