//! Profiles without what tells whose they are.
//!
//! Every use of a text gets its text anew by what it is used as, so that a label that reads like a function
//! stays a label, and what nothing uses is gone. Folders are replaced one by one: what two paths have in
//! common at their ends they still have, and functions are told apart, and found in other profiles, as before.

mod anonymiser;
mod names;
mod paths;

pub use anonymiser::{Anonymise, Anonymiser};
