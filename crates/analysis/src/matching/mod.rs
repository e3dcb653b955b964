//! Which function of a base is which of a new profile.
//!
//! ```text
//! base: parse  word_count  sort<int>  old          matched: parse       exact
//!         |        \           \        \                   count_words renamed
//! new:  parse  count_words  sort<long>  fresh               sort<long>  template
//! ```
//! Rules are asked one after the other, each for the functions that none before it matched. A
//! function is a name at a place: its source file, or its module where no file is known. Nothing
//! here depends on which profile is the base: swapped profiles have swapped matches.

mod compiled_names;
mod functions;
mod generic_names;
mod matches;
mod renamed;
mod rewrite;
mod rule;
mod values;

pub use compiled_names::source_name;
pub(crate) use matches::Matching;
pub use matches::{Match, MatchedFunction};
pub use rule::{Rule, Rules};
