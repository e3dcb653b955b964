//! Java Flight Recorder's files, versions 1 and 2, from the JDK and from async-profiler.
//!
//! A file is a row of chunks that know nothing of each other. Each has a header, events, metadata
//! that say how its events are written (near its end), and checkpoints with constants: threads,
//! stacks, methods. There is no specification; `jdk.jfr.internal.consumer` of the JDK reads it.
//!
//! Every kind of event that can have a stack is a metric that counts it, with further metrics for
//! its duration and sizes. Other events are counted only.

mod chunk;
mod classes;
mod cursor;
mod events;
mod fields;
mod format;
mod happenings;
mod names;
mod points;
mod pools;
mod settings;
mod slot;
mod stacks;
mod timeline;

pub(crate) use format::FORMAT;
