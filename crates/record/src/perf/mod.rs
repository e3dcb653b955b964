//! Linux perf.
//!
//! ```text
//! events asked for -- probe: each is opened --> those that work -- sets: counters are dealt out
//!   -- rehearsal: a recording of `true` --> runs -- limits --> Plan
//! ```
#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

mod added;
mod command_line;
mod counting;
mod counts;
mod events;
mod facts;
mod hints;
mod limits;
mod prepare;
mod probe;
mod recorder;
mod sets;
mod stacks;
mod tool;
mod verify;

pub use events::DEFAULT_EVENTS;
pub use probe::{EventProbe, probe_events};
pub(crate) use recorder::Perf;
