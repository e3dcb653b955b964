//! Interpreters of Python in other processes: where they keep what, and running something in them.

mod layout;
mod memory;
mod run;

pub(crate) use layout::Layout;
pub(crate) use memory::Memory;
pub(crate) use run::{Interpreter, Refused, Threads};
