//! Advice on functions: rules that somebody wrote down, and where in a profile they fit.
//!
//! A rule chooses functions by name, file and module, and of those the occurrences that it is about: below
//! some caller, in a loop, or inside themselves. What such occurrences take of the whole program decides
//! whether it is worth a word, and a formula over the function's own values may ask for more. What the notes of a profile say
//! stands beside that.

mod fit;
mod found;
mod noted;
mod rule;
mod shipped;

pub use fit::advice;
pub use found::{Advice, AllAdvice, FieldError, LeftOutRule};
pub use noted::{Noted, Noticed, noted};
pub use rule::{AdviceRule, AdviceRuleError, OfValue, RuleUnit};
pub use shipped::shipped;
