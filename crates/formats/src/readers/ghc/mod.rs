//! Profiles of programs that GHC compiled with `-prof`: time and allocation by cost centre.

mod format;
mod json;
mod text;

pub(crate) use format::FORMAT;
