//! What a session answers, in one program so that it is linked once: a module a kind of question.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod accesses;
mod binaries;
mod charts;
mod event_counts;
mod event_frames;
mod event_machines;
mod events;
mod experiment;
mod functions;
mod graphs;
mod hosts;
mod kinds;
mod opening;
mod stopping;
mod timelines;
