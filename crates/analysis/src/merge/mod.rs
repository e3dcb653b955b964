//! Many profiles as one.
//!
//! ```text
//! input --- strings, code, threads, labels: each once ---+
//!   +------ contexts: one tree of all -------------------+--> Profile, the inputs its members
//!   +------ points: kept by input, with its metrics -----+
//!                                 +-- metrics reconciled at the end, when all units are known
//! ```
//! An input may be dropped once it is added. What stays of it is a row for each point that
//! measured something; its contexts cost nothing beyond the union.

mod again;
mod code;
mod merged;
mod metrics;
mod notes;
mod origin;
mod timeline;
mod tools;
mod totals;
mod union;

pub use merged::{Merge, Merged};
pub use notes::MergeNote;
