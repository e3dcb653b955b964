//! memray's exports: the CSV of `memray transform` (stacks) and the JSON of `memray stats`
//! (totals and the locations that allocate most). The drawing that `transform gprof2dot` makes
//! is read by `call_chains`, what `transform speedscope` makes by `speedscope`.
#![allow(
    clippy::collapsible_match,
    reason = "a guard cannot borrow the reader that the key is borrowed from"
)]

mod format;
mod statistics;
mod table;

pub(crate) use format::FORMAT;
