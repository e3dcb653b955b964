//! Reading `.sdfg` and `.sdfgz`, of DaCe 0.14 to 2.0.
//!
//! The extension says nothing reliable: a gzip is known by its first bytes, and so is one written as
//! base64. Attributes that a file leaves out have DaCe's defaults.

mod containers;
mod file;
mod lower;
mod raw;
mod scopes;

pub use file::{Limits, ReadError, is_sdfg, read};
pub(crate) use file::{beginning, read_text};
