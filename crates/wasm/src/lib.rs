//! The engine inside a page: the same session, compiled to WebAssembly and run in a worker.
//!
//! ```text
//! page -- frames --> worker -- take --> Engine -- Session
//!                      ^                   |         | Host
//!                      +---- Page::send ---+         +-- Page::read, slices of the files
//! ```
//! A page hands over files as numbers that it knows them by; their bytes are read in slices when they
//! are needed and never held whole. What the worker calls is in `abi`, the one file that deals in
//! addresses; everything else runs and is tested natively, too.

#[cfg(target_family = "wasm")]
mod abi;
mod call;
mod engine;
mod handed;
mod page;

pub use engine::Engine;
pub use handed::{Handed, HandedFile};
pub use page::Page;
