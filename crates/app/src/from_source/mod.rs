//! Loops and graphs that other tools make of source code: clang and Polly of C, the user's DaCe of Python.

mod c;
mod made;
mod python;
mod tool;

pub(crate) use made::{all_made, made};
