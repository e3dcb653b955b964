//! The JSON beside recordings: what was asked for, what ran, what came of it.
//!
//! The shape is stable and documented in `docs/recording.md`. People may edit it: drop runs and
//! events, change names. It is read back strictly.
#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

mod check;
mod merge;
mod recording;

pub use recording::{
    Count, Course, Event, Events, Experiment, Holds, Manifest, NotSupported, Run, RunKind,
    Sampling, Status, Tool, Warmup,
};
