//! `cargo xtask tidy`: the invariants of ARCHITECTURE.md that a text search can hold.

mod circles;
mod dependencies;
mod files;
mod finding;
mod links;
mod names;
mod old_words;
mod rules;
mod sources;
mod web;

pub(crate) use files::production_sources;
pub(crate) use rules::run;
