//! The text profiles: a head that says which kind it is, a line a stack, and mappings.

mod parser;
mod samples;
mod threads;

pub(super) use parser::{Section, is_comment, java_location, read};
