//! Runs the tests and sums them up.

use std::io;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::anyhow;

use super::changed::{self, Selection};
use super::lanes::{lanes, prepare};
use super::left_out::LeftOut;
use super::results::{Outcome, Test};
use super::runner::Runner;
use super::{durations, once};
use crate::command;

/// Lines of a failure that are printed again at the end.
const REASON: usize = 12;

/// The options of the command.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run only the tests that changes can affect: those since a revision, or else what is not
    /// committed (the last commit, where everything is).
    #[arg(
        long,
        value_name = "REVISION",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = ""
    )]
    changed: Option<String>,
    /// Also run what takes minutes: all interpreters, all files, and every test of the page without a
    /// server.
    #[arg(long)]
    long: bool,
}

/// Runs the tests, even after one has failed. They run the program that `cargo xtask demo` starts.
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    let selection = match &options.changed {
        Some(since) => changed::since(since)?,
        None => Selection::all(),
    };
    println!("{selection}");
    let (prepared, seconds) = match prepare(&selection) {
        Ok(prepared) => (prepared, started.elapsed().as_secs()),
        Err(error) => {
            println!("{error:#}\n0 passed, 1 failed");
            return Ok(ExitCode::FAILURE);
        }
    };
    println!("tools, pages and the program: {seconds} s");
    let left_out = LeftOut::start()?;
    let [rust, page] = lanes(&prepared, &selection, options.long)?;
    let tests = thread::scope(|scope| {
        let beside = scope.spawn(|| one_after_the_other(page, &left_out));
        let mut tests = one_after_the_other(rust, &left_out)?;
        tests.extend(beside.join().map_err(|_| anyhow!("the thread of the page's tests died"))??);
        anyhow::Ok(tests)
    })?;
    println!("\n{}", durations::table(&tests));
    if options.changed.is_none() && !options.long {
        print!("{}", durations::keep(&tests)?);
    }
    if let Some(line) = left_out.line()? {
        println!("{line}");
    }
    if command::is_ci()
        && let Some(line) = once::line()?
    {
        println!("{line}");
    }
    println!("all together: {} s", started.elapsed().as_secs());
    Ok(sum_up(&tests))
}

/// Says which tests failed, and how many did; the last line counts both.
fn sum_up(tests: &[Test]) -> ExitCode {
    let of = |outcome: Outcome| tests.iter().filter(move |test| test.outcome == outcome);
    let reason = |test: &Test| {
        let lines = test.message.lines().filter(|line| !line.trim().is_empty());
        lines.take(REASON).for_each(|line| println!("    {line}"));
    };
    for (what, outcome) in [
        ("skipped", Outcome::Skipped),
        ("unstable, failed and then passed", Outcome::Flaky),
        ("failed", Outcome::Failed),
    ] {
        for test in of(outcome) {
            println!("{what}: {}: {}", test.suite, test.name);
            reason(test);
        }
    }
    let failed = of(Outcome::Failed).count();
    let passed = of(Outcome::Passed).count() + of(Outcome::Flaky).count();
    println!("{passed} passed, {failed} failed");
    if failed == 0 && passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn one_after_the_other(runners: Vec<Runner>, left_out: &LeftOut) -> anyhow::Result<Vec<Test>> {
    let mut tests = vec![];
    for runner in runners {
        tests.extend(left_out.reporting(runner).run(&mut io::stdout())?);
    }
    Ok(tests)
}
