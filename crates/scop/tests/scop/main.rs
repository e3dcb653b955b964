//! What the reader of static control parts must do, in one program so that it is linked once.
//! `oracle` and `walked` list the same accesses by other ways.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod cachegrind;
mod damaged;
mod oracle;
mod recorded;
mod scans;
mod walked;
