//! `hotframe sdfg`.

mod accesses;
mod compare;
mod cost;
mod draw;
mod elements;
mod files;
mod fusions;
mod info;
mod measured;
mod memory;
mod progress;
mod run;
mod search;
mod simulate;
mod simulated;
mod total_sides;
mod totals;
mod traced;
mod value;
mod verdict;

pub(crate) use run::sdfg;
