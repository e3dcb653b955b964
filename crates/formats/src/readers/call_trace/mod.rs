//! Hotframe's own traces of calls, as the tracer of Python writes them (`crates/calltrace`), and recordings of
//! memory in files of the same form ([`memory`]).
//!
//! Sections are taken in first, events packed as they are: one or two bytes a call. Then each thread's are
//! unpacked chunk by chunk, so that its spans come in the order of time and are not moved again.

mod calls;
mod clock;
mod debts;
mod doubts;
mod estimate;
#[cfg(test)]
mod estimate_tests;
mod format;
mod functions;
mod logged;
mod lost;
mod memory;
mod process;
mod read;
mod samples;
mod shown;
mod tasks;
#[cfg(test)]
mod tests;

pub(crate) use format::FORMAT;
pub(crate) use memory::FORMAT as MEMORY;
