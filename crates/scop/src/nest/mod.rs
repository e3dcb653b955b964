//! Statements at given sizes as loops around accesses.

mod arrays;
mod bounds;
mod nested;
mod pieces;
mod scan;
mod statements;
mod values;

pub use nested::{Nested, Origin};
