//! `cargo xtask bench`: how much processor time and memory opening a profile takes,
//! side by side with other programs in one run.

pub(crate) mod compare;
pub(crate) mod formats;
mod measure;
mod opening;
pub(crate) mod python;
pub(crate) mod recordings;
mod speedscope;
pub(crate) mod time;

pub(crate) use opening::{Options, run};
