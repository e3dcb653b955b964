//! Accesses: of loops that are open, of parts of dataflow graphs, and of recordings; one answer a method on
//! them.

mod document;
mod elements;
mod loops;
mod methods;
mod part;
mod recorded;
mod run;
mod search;
mod sizes;

pub(crate) use document::KIND;
pub use document::LoopsDocument;
pub use loops::{Accesses, Loops, LoopsError, Origin, Setting};
pub(crate) use methods::AccessesCall;
pub(crate) use recorded::KIND as RECORDED;
pub use recorded::{KnownArrays, KnownEntry, RecordedDocument, recorded_accesses, seen_notes};
pub(crate) use run::caches as caches_of;
