//! `cargo xtask setup`: installs what the other commands need.
//!
//! Every step looks first whether its work is done, so the others call it freely.

mod bare;
mod debian;
mod deny;
mod editor;
mod go;
mod nats;
mod nextest;
mod pprof;
mod programs;
mod python;
mod tools;
pub(crate) mod wasm;
mod web;

pub(crate) use bare::bare_system;
pub(crate) use programs::cpp_compiler;
pub(crate) use tools::{Tools, deny, everything, maturin, node, pprof, uv, web};
