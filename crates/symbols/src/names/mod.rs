//! Functions, files and lines of addresses in a binary.

mod binary;
mod debug;
mod debug_file;
mod extent;
mod frame;
mod functions;
mod lines;
mod split;
mod symbol_table;
mod unit_ranges;
mod variables;

pub use binary::{Names, Sources};
pub use frame::Frame;
pub use variables::{Variable, Variables};
