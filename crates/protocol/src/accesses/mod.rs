//! Methods on accesses: of a part of a dataflow graph, of loops of C, or recorded ones.

mod elements;
mod program;
mod run;
mod search;
mod sizes;

pub use elements::*;
pub use program::*;
pub use run::*;
pub use search::*;
pub use sizes::*;
