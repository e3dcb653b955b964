//! Stacks and names, held against what tools from elsewhere say of the same files.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

mod addr2line;
mod bombs;
mod built;
mod compilers;
mod disk;
mod mutants;
mod names;
mod recording;
mod rules;
mod stacks;
mod variables;
