//! Call stacks from registers and copies of stacks.

mod cfi;
mod module;
mod registers;
mod rule;
mod unwinder;
mod walk;

pub use cfi::CodeUnwind;
pub use module::ModuleId;
pub use registers::{Architecture, Registers};
pub use unwinder::{Mapping, Unwinder};
pub use walk::{End, Walked};
