//! The chores of this repository: `cargo xtask --help` lists them.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool prints")]

mod bench;
mod bench_data;
mod build;
mod check;
mod codegen;
mod command;
mod demo;
mod dist;
mod fuzz;
mod licenses;
mod notices;
mod page;
mod setup;
mod strings;
mod test;
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

/// The chores of this repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Chore {
    /// Build Hotframe and open a sample profile, or yours.
    Demo(demo::Options),
    /// Run every test.
    Test(test::Options),
    /// Check formatting, lints, the repository's rules and generated code.
    Check,
    /// Check the repository's own rules: who depends on whom, what the engine must not do.
    Tidy,
    /// List the texts of the program and of the page in target/strings.tsv, for a review of their words.
    Strings,
    /// Write the TypeScript types of the protocol.
    Codegen,
    /// Take what is known of locked crates from a clone of the RustSec database.
    Advisories(licenses::advisories::Options),
    /// Install what the other commands need; they call it themselves.
    Setup,
    /// Print the licences of what others wrote in what is handed out, after it was built.
    Notices(notices::Options),
    /// Build the page that needs no server, with the engine as WebAssembly inside, into target/dist/page.
    Page,
    /// Make the packages that people install, into target/dist.
    Dist(dist::Options),
    /// Install the packages of target/dist with the README's commands, in bare systems, and use them.
    TestPackages(dist::installs::Options),
    /// Measure what opening profiles costs, side by side with other programs.
    Bench(bench::Options),
    /// Measure what reading each format costs, side by side with other programs.
    BenchFormats(bench::formats::Options),
    /// Measure what merging and comparing profiles costs, side by side with other programs.
    BenchCompare(bench::compare::Options),
    /// Measure what opening recordings in time order costs, side by side with other programs.
    BenchTime(bench::time::Options),
    /// Measure reading recordings of perf, side by side with perf and with hotspot's parser.
    BenchRecordings(bench::recordings::Options),
    /// Measure what recording programs of Python costs, side by side with other recorders.
    BenchPython(bench::python::Options),
    /// Throw made-up bytes at the readers; needs a nightly toolchain.
    Fuzz(fuzz::Options),
    /// Write the pprof files that `bench` measures with into target/bench-data.
    BenchData(bench_data::Options),
}

fn main() -> ExitCode {
    match run(Chore::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(chore: Chore) -> anyhow::Result<ExitCode> {
    match chore {
        Chore::Demo(options) => demo::run(options)?,
        Chore::Test(options) => return test::run(&options),
        Chore::Check => check::run()?,
        Chore::Tidy => tidy::run()?,
        Chore::Strings => strings::run()?,
        Chore::Codegen => codegen::run()?,
        Chore::Advisories(options) => licenses::advisories::run(&options)?,
        Chore::Setup => drop(setup::everything()?),
        Chore::Notices(options) => notices::run(&options)?,
        Chore::Page => page::run()?,
        Chore::Dist(options) => dist::run(&options)?,
        Chore::TestPackages(options) => dist::installs::run(&options)?,
        Chore::Bench(options) => bench::run(&options)?,
        Chore::BenchFormats(options) => bench::formats::run(&options)?,
        Chore::BenchCompare(options) => bench::compare::run(&options)?,
        Chore::BenchTime(options) => bench::time::run(&options)?,
        Chore::BenchRecordings(options) => bench::recordings::run(&options)?,
        Chore::BenchPython(options) => bench::python::run(&options)?,
        Chore::Fuzz(options) => fuzz::run(&options)?,
        Chore::BenchData(options) => bench_data::run(&options)?,
    }
    Ok(ExitCode::SUCCESS)
}
