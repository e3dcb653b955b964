//! Linux' `perf.data`, as `perf record` writes it: a file, what came out of a pipe, or the folder of
//! `perf record --threads`. The records are read by the crate `perfdata`; here they become a profile.
//!
//! Addresses of files are offsets in them, so that the same code is the same place in every process
//! and every run; those of the kernel and of generated code are as they were. An address to which a
//! call returns stands for the call: it is one less.

mod events;
mod figures;
mod finish;
mod format;
mod labels;
mod machine;
mod processors;
mod reading;
mod spaces;
mod stacks;
mod stats;
mod switches;
mod tasks;
mod traces;
mod walking;

pub(crate) use format::FORMAT;
