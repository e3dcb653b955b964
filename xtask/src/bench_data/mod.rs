//! `cargo xtask bench-data`: pprof files to measure with.
//!
//! They have the shape of a busy server's profile and the layout of Go's runtime,
//! which writes the samples before the tables that explain them. The same command
//! writes the same bytes everywhere.

mod both;
mod files;
pub(crate) mod formats;
pub(crate) mod many;
mod names;
mod profile;
mod program;
mod protobuf;
mod random;
mod size;
mod stacks;
pub(crate) mod traces;

pub(crate) use files::{Options, files, run, write};
pub(crate) use size::{Size, Variant};
