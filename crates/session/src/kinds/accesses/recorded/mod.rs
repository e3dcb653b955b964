//! Accesses that were recorded, of which there are no loops: a document of its own.

mod arrays;
mod document;
mod result;
mod run;

pub use arrays::{KnownArrays, KnownEntry};
pub(crate) use document::KIND;
pub(super) use document::NO_LOOPS;
pub use document::RecordedDocument;
pub use result::{recorded_accesses, seen_notes};
