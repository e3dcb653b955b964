//! `cargo xtask test`: every test there is, and one line that sums them up.

mod changed;
mod durations;
mod left_out;
mod once;
pub(crate) mod results;
pub(crate) mod runner;

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread;
use std::time::Instant;

use anyhow::anyhow;

use crate::page::Page;
use crate::setup::Tools;
use crate::{build, command, dist, setup, workspace};
use changed::Selection;
use left_out::LeftOut;
use results::{Outcome, Test};
use runner::Runner;

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

/// What the tests need.
struct Prepared {
    tools: Tools,
    hotframe: PathBuf,
    page: Page,
    /// The extension for this machine, and the one for VS Code in a browser; none where no test of the
    /// editor runs.
    extensions: Option<[PathBuf; 2]>,
}

/// Installs and builds everything but Rust's tests, which nextest compiles while those of the page run.
/// Tools come from a network while compilers keep the processors busy.
fn prepare(selection: &Selection) -> anyhow::Result<Prepared> {
    setup::web()?;
    thread::scope(|scope| {
        let tools = scope.spawn(setup::everything);
        let (page, hotframe) = build::program()?;
        if command::is_ci() {
            // No test compiles benches, which are linted while they are compiled.
            command::run(&mut command::cargo(&["build", "--workspace", "--bench", "*"]))?;
        }
        let tools = tools.join().map_err(|_| anyhow!("the thread of the tools died"))??;
        let extensions = if selection.editor() {
            Some([dist::extension_of(&hotframe)?, dist::web_extension()?])
        } else {
            None
        };
        Ok(Prepared { tools, hotframe, page, extensions })
    })
}

/// The runners of the tests that are chosen. Those of a lane run one after the other, both lanes beside
/// each other.
fn lanes(
    prepared: &Prepared,
    selection: &Selection,
    long: bool,
) -> anyhow::Result<[Vec<Runner>; 2]> {
    let reports = workspace::target().join("test-results");
    std::fs::create_dir_all(&reports)?;
    let report = |name: &str| std::path::absolute(reports.join(name).with_extension("xml"));
    let Prepared { tools, hotframe, page, extensions } = prepared;
    let mut rust = vec![];
    if let Some(packages) = selection.rust() {
        let mut command = nextest(tools, page);
        match packages {
            [] => command.arg("--workspace"),
            packages => command.args(packages.iter().flat_map(|name| ["--package", name])),
        };
        command.envs(long.then_some(("HOTFRAME_LONG", "1")));
        rust.push(Runner {
            name: "Rust",
            command,
            report: workspace::target().join("nextest/default/junit.xml"),
            may_be_empty: false,
        });
    }
    let in_browser = |name: &'static str, project: &str, files: &[String]| {
        let report = report(project)?;
        let mut command =
            command::in_root("npx", &["playwright", "test", &format!("--project={project}")]);
        command.args(files).current_dir(workspace::root().join("web/tests"));
        command
            .env("HOTFRAME_RESULTS", &report)
            .env("HOTFRAME_BIN", hotframe)
            .env("CHROMIUM_BIN", &tools.chromium)
            .env("HOTFRAME_PAGE", &page.folder);
        if !files.is_empty() {
            command.arg("--pass-with-no-tests");
        }
        anyhow::Ok(Runner { name, command, report, may_be_empty: !files.is_empty() })
    };
    let mut web = vec![];
    for (name, folder) in
        [("web engine", "web/engine"), ("web UI", "web/ui"), ("VS Code extension", "web/vscode")]
    {
        let Some(options) = selection.unit(folder) else { continue };
        let report = report(name)?;
        let mut command = command::in_root("npx", &["vitest", "run", "--testTimeout=30000"]);
        command.args(["--reporter=default", "--reporter=junit"]).args(options);
        command.arg(format!("--outputFile.junit={}", report.display()));
        command.current_dir(workspace::root().join(folder));
        web.push(Runner { name, command, report, may_be_empty: !options.is_empty() });
    }
    if let Some(files) = selection.page() {
        web.push(in_browser("page", "page", files)?);
    }
    if let Some([extension, for_browsers]) = extensions {
        let mut runner = in_browser("editor", "editor", &[])?;
        runner
            .command
            .env("HOTFRAME_VSIX", extension)
            .env("HOTFRAME_WEB_VSIX", for_browsers)
            .env("HOTFRAME_VSCODE", &tools.vscode)
            .env("HOTFRAME_VSCODE_NODE", &tools.node);
        web.push(runner);
    }
    if let Some(files) = selection.page() {
        let mut runner = in_browser("page without a server", "static", files)?;
        runner.command.env("HOTFRAME_HOST", "static");
        runner.command.envs(long.then_some(("HOTFRAME_LONG", "1")));
        web.push(runner);
    }
    Ok([rust, web])
}

/// The runner of Rust's tests; `.config/nextest.toml` says how.
fn nextest(tools: &Tools, page: &Page) -> Command {
    let nextest = tools.nextest.display().to_string();
    let mut command = command::compiling(&nextest, &["nextest", "run"]);
    command
        .env("HOTFRAME_WASM", &page.module)
        .env("HOTFRAME_WASM_FIRST", &page.first_module)
        .env("HOTFRAME_PPROF", &tools.pprof)
        .env("HOTFRAME_GOROOT", &tools.go)
        .env("HOTFRAME_MYPY", &tools.python.mypy)
        .env("HOTFRAME_UV", &tools.python.uv)
        .env("HOTFRAME_MCP_PYTHON", &tools.python.with_mcp)
        .env("HOTFRAME_SCIENCE_PYTHON", &tools.python.with_science)
        .env("HOTFRAME_NVIM", &tools.neovim)
        .env("HOTFRAME_PERF", &tools.perf)
        .env("HOTFRAME_NATS_SERVER", &tools.nats_server)
        // Everybody's random cases are the same here; `cargo test` alone draws new ones.
        .env("PROPTEST_RNG_SEED", std::env::var("PROPTEST_RNG_SEED").unwrap_or("1".to_owned()))
        .env("GOCACHE", workspace::target().join("tools/go-cache"));
    command
}

/// The folder of a file that is named from the root, if it is one of a workspace's parts.
fn part_of<'a>(file: &'a Path, folder: &str) -> Option<&'a str> {
    file.strip_prefix(folder).ok()?.iter().next()?.to_str()
}
