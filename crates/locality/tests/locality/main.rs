//! What the simulators of caches must say, in one program so that it is linked once. `known` and
//! `nests` are the programs whose accesses they get.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod cachegrind;
mod caches;
mod changes;
mod distances;
mod known;
mod nests;
mod recordings;
mod schedules;
mod search;
mod traces;
mod written;
