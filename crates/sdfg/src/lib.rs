//! DaCe's dataflow graphs: what moves and what computes, for any problem size, without running
//! anything.
//!
//! An SDFG is a program as states and control flow; a state is a graph of containers, maps and
//! tasklets whose edges say what data moves (Ben-Nun et al., SC 2019). Sizes are symbolic, so every
//! cost is an [`expr::Expr`].

pub mod compare;
pub mod cost;
pub mod expr;
pub mod fusion;
pub mod lower;
pub mod memory;
pub mod model;
pub mod network;
pub mod outline;
mod read;
pub mod report;

pub use read::{Limits, ReadError, is_sdfg, read};
