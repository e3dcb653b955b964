//! Profiles of Firefox: the form that its Profiler saves ("processed", also written by samply,
//! Tachyon and others), and the form that Firefox itself writes ("gecko").
//!
//! Met in the wild and read: tables by thread and shared tables, stacks that name their parent by
//! row or by distance, times and deltas of times, libraries by thread or by file, processes inside
//! processes, the developer tools' envelope, tables of numbers outside of the JSON (`.jslb`).

mod causes;
mod counters;
mod format;
mod frames;
mod gecko;
mod libs;
mod marker_table;
mod markers;
mod meta;
mod places;
mod processed;
mod samples;
mod slabs;
mod table;
mod thread_names;
mod timeline;
mod write;

pub(crate) use format::{FORMAT, GECKO};
