//! Programs that must not get out, and programs that must run.
//!
//! Each attack is bounded by itself and by a second limit that is the test's own ([`run::outer`]),
//! so that one that succeeds hurts nothing but its test. Whatever is done in Python says what held
//! it: the name of the error.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods, reason = "tests")]

mod bringing;
mod ends;
mod files;
mod kernel;
mod network;
mod ordinary;
mod processes;
mod resources;
mod run;
