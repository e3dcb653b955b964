//! Spans, intervals and states of threads: what readers of timelines have in common.

pub(crate) mod intervals;
pub(crate) mod nesting;
pub(crate) mod schedule;
pub(crate) mod span_records;
pub(crate) mod span_tracks;
pub(crate) mod spans;
pub(crate) mod thread_states;
pub(crate) mod thread_tracks;
