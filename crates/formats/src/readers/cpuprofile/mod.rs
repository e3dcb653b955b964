//! V8's CPU profiles, `Profiler.Profile` of the DevTools protocol, as Node, Chrome, Deno and Hermes
//! write them; also the form before 2016, a tree under `head` with absolute times.
//!
//! Met in the wild and read: nodes that name their children or their parent, times that go back,
//! no times, no samples (then the nodes' hits are the samples, by line where lines are counted).

mod format;
mod write;

pub(crate) use format::{CpuProfile, FORMAT, metrics};
