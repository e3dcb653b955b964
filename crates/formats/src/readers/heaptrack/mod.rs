//! What heaptrack records of a program's allocations, as it is (raw) or after
//! `heaptrack_interpret`; versions 0 to 3.
//!
//! ```text
//! v 10400 3            heaptrack 1.4.0, version 3 of the format; numbers are hexadecimal
//! s 4 main             string 1
//! i 55d6dcab 1 4 5 5a  address: module, function, file, line; further triples hold it inlined
//! t 8 7                trace 1: address 8, called from trace 7
//! a 140 b              kind of allocation 0: size and trace
//! + 0                  allocated, and freed: - 0
//! ```
//! Raw files have `+ size trace pointer`, `- pointer`, `t address parent` and modules (`m`) in place
//! of names.

mod allocations;
mod format;
mod modules;
mod reading;
mod suppressions;

pub(crate) use format::FORMAT;
