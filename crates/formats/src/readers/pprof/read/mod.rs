//! The reader: one pass over the stream, sample by sample; tables that refer to each other are
//! joined at the end.

mod file;
mod join;
mod messages;
mod raw;
mod snapshots;

pub(super) use file::read;
