//! What records tell: of recordings that are made, against what was put into them, and of recordings
//! of perf, against what perf itself prints.

#![allow(clippy::unwrap_used, missing_docs, reason = "tests")]

mod made;
mod mutants;
mod truth;
