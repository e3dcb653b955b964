//! Samples, in the order of fields in which the kernel's `perf_output_sample` writes them.

mod branches;
mod chain;
mod fields;
mod id;
mod read;
mod registers;

pub use branches::{Branch, Branches};
pub use chain::{CallChain, Link, Mode};
pub use fields::{Sample, Thread};
pub(crate) use id::Places;
pub use id::SampleId;
pub use read::{Counter, Read};
pub use registers::Registers;
