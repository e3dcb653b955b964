//! Callgrind's call graphs, as specified by valgrind's "Callgrind Format Specification"; xdebug,
//! yappi and others write it too.
//!
//! Cachegrind's files are the same without calls: every function is a root.
//!
//! Files hold costs by line, and calls with what they cost in all, but no call paths: those are
//! estimated (see `call_graph`). A file may hold several parts: dumps one after the other, which
//! become members, and threads.
//!
//! Met in the wild and read: names numbered or in full, all names before the first cost,
//! positions relative or absolute, fewer costs on a line than events, files without header lines,
//! xdebug's units in the names of events, files that are cut short.

mod costs;
mod event;
mod format;
mod names;
mod parts;
mod positions;
mod reading;
mod write;

pub(crate) use format::FORMAT;
