//! pprof's `profile.proto`, as specified by `proto/profile.proto` of google/pprof.

mod format;
mod read;
mod schema;
mod sniff;
mod stack_thread;
mod stack_worker;
mod stacks;
mod write;

pub(crate) use format::FORMAT;
