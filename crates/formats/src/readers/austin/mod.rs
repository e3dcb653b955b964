//! Samples of austin, the sampler of Python: its text (stacks with a head and up to three numbers)
//! and its binary MOJO, versions 1 to 4. Both hold the same and give the same metrics.

mod clocks;
mod format;
mod mojo;
mod text;

pub(crate) use format::FORMAT;
