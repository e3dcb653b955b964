//! VisPerf: what it makes of `perf script`, run by run, and what its page shows.
//!
//! ```text
//! config.json        which experiments and runs there are, with the files of each
//!   1.csv            a row a sample                                          samples
//!   tids-1.txt       names of threads                                        calls
//! experiments.json   counts by event, second, processor and thread           summary
//! ```
//! A folder with the first is one profile with a member for each run. The last stands for itself.

mod calls;
mod format;
mod samples;
mod summary;

pub(crate) use format::FORMAT;
