//! Begins and ends of spans as they are read, before they are put in order: about 5 bytes each, and what a
//! length or arguments take where there are any.
//!
//! They lie in runs, so that what was taken is given back as one goes on. Where they come out of order, runs
//! are short and each is put in order; then they are read side by side.

mod records;
mod runs;

pub(crate) use records::{Begin, Begins, Records, sort};
