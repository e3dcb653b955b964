//! The tracer of Python, as the module `hotframe._native`: what is called for each call of a function, and
//! what writes that down; beside it [`memory`], which watches allocations. The package `hotframe` in `python/` is what people use.
//!
//! ```text
//! sys.monitoring, from 3.12 on ------+                                              +--> Writer --> file
//!                                    +--> Tracer --> Block a thread --> Follower ---+    (columns, zstd)
//! PyEval_SetProfile, 3.8 to 3.11 ----+    (functions, activations)     (a thread)   +--> Counting --> file
//!                                                                                        (sums, in the end)
//! ```
//! It keeps to the stable interface of Python 3.8, so one file is right for every later version; what is
//! beyond it is looked up when it is used (`profiling`).

mod blocks;
mod clock;
mod counting;
mod endings;
mod follower;
mod functions;
mod logging;
mod memory;
mod module;
mod monitoring;
mod probe;
mod profiling;
mod sites;
mod tasks;
mod tracer;
mod writer;

pub use module::PyInit__native;
