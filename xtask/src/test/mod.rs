//! `cargo xtask test`: every test there is, and one line that sums them up.

mod changed;
mod durations;
mod lanes;
mod left_out;
mod once;
pub(crate) mod results;
mod run;
pub(crate) mod runner;

pub(crate) use run::{Options, run};
