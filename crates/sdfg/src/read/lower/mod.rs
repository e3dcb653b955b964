//! From JSON to the model.

mod dataflow;
mod lowering;
mod memlet;

pub(super) use lowering::{Lowering, lower};
