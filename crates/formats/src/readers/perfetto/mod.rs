//! Perfetto's own traces: a stream of packets of many writers, each of which numbers its strings and
//! refers to what it told before.

mod format;
mod read;
mod schema;
mod write;

pub(crate) use format::{FORMAT, sniff};
