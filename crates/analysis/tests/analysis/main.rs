//! What every analysis must do, in one program so that it is linked once: a module an analysis,
//! and `properties` for what holds of all trees.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod advice;
mod align;
mod call_graph;
mod calls;
mod combine;
mod correlate;
mod critical_path;
mod derived;
mod events;
mod experiment;
mod fewer_members;
mod flat;
mod formula;
mod identity;
mod longest_spans;
mod matching;
mod merge;
mod migrations;
mod notes;
mod places;
mod progress;
mod properties;
mod ranges;
mod runs;
mod shifts;
mod span_labels;
mod statistics;
mod timeline;
