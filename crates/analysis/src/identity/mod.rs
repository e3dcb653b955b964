//! What makes two functions the same.
//!
//! One definition for grouping frames, comparing profiles and bringing together what was measured
//! elsewhere. A function is
//! - its name,
//! - its place: the source file relative to what it belongs to ([`PortableFile`]), or the file
//!   name of the module where no source file is known,
//! - and, where one file has several functions of that name, as JavaScript's anonymous ones, the
//!   line and column where it starts.

mod identities;
mod portable_file;

pub(crate) use identities::{Identities, Identity, Place, Start};
pub use portable_file::{BelongsTo, PortableFile};
