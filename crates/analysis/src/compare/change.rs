//! How a value changed.

use super::comparison::measured;
use crate::NO_VALUE;

/// How a value changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Change {
    /// In the base.
    pub base: i64,
    /// In the new profile.
    pub new: i64,
}

/// What kind of change it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tag {
    /// Only the new profile has it.
    Added,
    /// Only the base has it.
    Deleted,
    /// More in the new profile.
    Larger,
    /// Less in the new profile.
    Smaller,
    /// The same, but for noise.
    Unchanged,
}

impl Tag {
    /// Its sign, which stands beside names.
    pub fn sign(self) -> &'static str {
        match self {
            Tag::Added => "[A]",
            Tag::Deleted => "[D]",
            Tag::Larger => "[+]",
            Tag::Smaller => "[-]",
            Tag::Unchanged => "[=]",
        }
    }

    /// The same of a change that several runs do not show.
    pub fn unsure_sign(self) -> &'static str {
        match self {
            Tag::Added => "[A?]",
            Tag::Deleted => "[D?]",
            Tag::Larger => "[+?]",
            Tag::Smaller => "[-?]",
            Tag::Unchanged => self.sign(),
        }
    }
}

impl Change {
    /// New less base; held at the limits of 64 bits.
    pub fn difference(self) -> i64 {
        measured(self.new).saturating_sub(measured(self.base))
    }

    /// Base and new together; held at the limits of 64 bits.
    pub fn both(self) -> i64 {
        measured(self.base).saturating_add(measured(self.new))
    }

    /// New over base; none if the base is 0, or a side has no value.
    pub fn ratio(self) -> Option<f64> {
        let has_both = self.base != NO_VALUE && self.new != NO_VALUE;
        (self.base != 0 && has_both).then(|| self.new as f64 / self.base as f64)
    }

    /// The kind of change. Differences up to `noise` of the larger value (0.01 is one percent) are
    /// none.
    pub fn tag(self, noise: f64) -> Tag {
        let (base, new) = (measured(self.base), measured(self.new));
        let larger = base.unsigned_abs().max(new.unsigned_abs()) as f64;
        match (base, new) {
            (base, new) if base == new => Tag::Unchanged,
            (0, _) => Tag::Added,
            (_, 0) => Tag::Deleted,
            (base, new) if base.abs_diff(new) as f64 <= noise * larger => Tag::Unchanged,
            (base, new) if new > base => Tag::Larger,
            _ => Tag::Smaller,
        }
    }
}
