//! Stacks and names from binaries and their debug information.
//!
//! A recording holds addresses, registers and copies of stacks. [`Unwinder`] makes call stacks of the
//! latter two, [`Names`] makes functions, files and lines of addresses in binaries, and [`kernel`],
//! [`perf_map`] and [`jitdump`] read what a kernel and just-in-time compilers say of their code.
//!
//! Nothing here opens a file: bytes come from [`Files`], which whoever holds the recording implements.
//! Binaries are hostile input: whatever they say of sizes and depths is held against the bytes that are
//! there, nothing recurses, and what would take too long ends with an error ([`budget`]).

pub mod jitdump;
pub mod kernel;
pub mod names;
pub mod perf_map;
pub mod running;
pub mod unwind;

mod budget;
mod debug_files;
mod decompress;
mod elf;
mod fields;
mod files;
mod maps;
mod missing;
mod stored;
mod text;

pub use debug_files::Binary;
pub use files::{FileBytes, Files};
pub use missing::Missing;
pub use names::{Frame, Names, Sources, Variable, Variables};
pub use unwind::{Architecture, End, Mapping, Registers, Unwinder, Walked};
