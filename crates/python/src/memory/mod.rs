//! What a program holds in memory, by the stacks of Python that it got it with.
//!
//! ```text
//! PyMem_RawMalloc, PyMem_Malloc, PyObject_Malloc --> hooks --> Walk --> Ledger <-- Writer --> file
//!                                      every block:  a countdown of bytes
//!                                        a sample:   frames, then sums by context; the writer takes them
//! ```
//! What is allocated past these functions (memory that libraries get from the system by themselves) is not seen.

mod filter;
mod guarded;
mod hooks;
mod recording;
mod stack;
mod writer;

pub(crate) use recording::{forget, is_running, name_thread, pause, start, stop};
