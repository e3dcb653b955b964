//! What is to be written in a program for a change: layouts and loops as text.
//!
//! Sizes are those that were simulated; whoever writes a program puts its own in their place. Texts compile and
//! run as they are: they have every layout and loop, and comments in the place of what is computed, which is
//! not known here.

mod c;
mod dace;
mod language;
mod names;
mod numpy;

pub use language::{Language, written};
