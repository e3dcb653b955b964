//! The chores of this repository: `cargo xtask --help` lists them.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool prints")]

mod bench_data;
mod workspace;

use clap::Parser;

/// The chores of this repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Chore {
    /// Write the pprof files that `bench` measures with into target/bench-data.
    BenchData(bench_data::Options),
}

fn main() -> anyhow::Result<()> {
    match Chore::parse() {
        Chore::BenchData(options) => bench_data::run(&options),
    }
}
