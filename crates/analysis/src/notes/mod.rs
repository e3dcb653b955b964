//! What analyses have to say of a function, for people who look at its source.
//!
//! One analysis a file, in the list [`ANALYSES`]. An analysis says nothing unless it is of use.

mod hottest_path;
mod kept;
mod markdown;
mod note;
mod trend;

pub use markdown::escaped;
pub use note::{ANALYSES, Annotate, Function, Note, notes};
