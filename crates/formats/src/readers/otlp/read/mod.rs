//! The reader. Samples usually stand before the dictionary that explains them, so they are kept as
//! numbers until the end of the file.

mod dictionary;
mod file;
mod join;
mod raw;
mod resources;
mod value;

pub(super) use file::read;
