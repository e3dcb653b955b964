//! `cargo xtask test`: every test there is, and one line that sums them up.

mod again;
pub(crate) mod count;
mod left_out;
pub(crate) mod runner;

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread;
use std::time::Instant;

use anyhow::anyhow;

use crate::page::Page;
use crate::setup::Tools;
use crate::{build, command, dist, page, setup, workspace};
use count::Dialect;
use left_out::LeftOut;
use runner::{Failed, Outcome, Runner};

/// All tests of Rust, with what is left out of ordinary builds.
const TESTS: [&str; 4] = ["test", "--workspace", "--features", "jobs/nats"];

/// The runner of the page's tests.
const BROWSER: &str = "browser";

/// The runner of the extension's tests in VS Code.
const EDITOR: &str = "editor";

/// The runner of the same tests on the page that needs no server.
const STATIC: &str = "browser without a server";

/// Runs all tests, even after one has failed. Everything is compiled once: the page and the editor
/// are tested with the binary that the Rust tests build, beside those.
pub(crate) fn run() -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    let tools = setup::everything()?;
    build::web()?;
    // The binary carries both pages inside.
    let page = page::build()?;
    println!("tools and pages: {} s", started.elapsed().as_secs());
    let left_out = LeftOut::start()?;
    if let Err(error) =
        command::run(&mut compiled()?).and_then(|()| command::run(&mut python_extension()?))
    {
        println!("{error:#}\n0 passed, 1 failed");
        return Ok(ExitCode::FAILURE);
    }
    let hotframe = workspace::target().join("debug/hotframe");
    let extensions = [dist::extension_of(&hotframe)?, dist::web_extension()?];
    let compiled = started.elapsed().as_secs();
    let mut sum = thread::scope(|scope| {
        let others =
            others(&tools, &hotframe, &extensions, &page).map(|runner| left_out.told_by(runner));
        // What takes longest comes after the Rust tests, beside which all others run.
        let without_server = in_browser(&tools, &hotframe, &page, "test:static");
        let without_server =
            Runner { name: STATIC, command: without_server, dialect: Dialect::Node };
        let others = scope.spawn(move || {
            let mut sum = Outcome::default();
            for runner in others {
                // Lines of two runners come in between each other.
                let label = format!("{}: ", runner.name);
                sum.add(runner.run(&label, &mut io::stdout())?);
            }
            anyhow::Ok(sum)
        });
        let mut sum = left_out.told_by(rust(&tools, &page)?).run("", &mut io::stdout())?;
        let label = format!("{STATIC}: ");
        sum.add(left_out.told_by(without_server).run(&label, &mut io::stdout())?);
        sum.add(others.join().map_err(|_| anyhow!("the thread of the page's tests died"))??);
        anyhow::Ok(sum)
    })?;
    sum.took.insert(0, ("tools, pages and compiling", compiled));
    for (runner, host) in [(BROWSER, None), (STATIC, Some("static")), (EDITOR, None)] {
        again::alone(&mut sum, runner, |file, pattern| {
            let mut tests = command::in_root("node", &["--import", "tsx", "--test"]);
            tests.args(["--test-timeout=600000", "--test-force-exit", "--test-name-pattern"]);
            tests.args([pattern, file]).current_dir(workspace::root().join("web/tests"));
            with_browser(&mut tests, &tools, &hotframe, &page);
            with_editor(&mut tests, &tools, &extensions);
            tests.envs(host.map(|host| ("HOTFRAME_HOST", host)));
            tests
        })?;
    }
    println!();
    if let Some(line) = left_out.line()? {
        println!("{line}");
    }
    let Outcome { count: sum, failed, unstable, took } = sum;
    for (what, seconds) in took {
        println!("{seconds:5} s  {what}");
    }
    let tell = |what: &str, tests: &[Failed]| {
        for Failed { runner, test, reason } in tests {
            println!("{what}: {runner}: {test}");
            reason.iter().for_each(|line| println!("    {line}"));
        }
    };
    tell("unstable, passed alone", &unstable);
    tell("failed", &failed);
    println!("{} passed, {} failed", sum.passed, sum.failed);
    Ok(if sum.is_success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Compiles the tests, and with them our own packages under clippy.
pub(crate) fn compiled() -> anyhow::Result<Command> {
    command::linting_cargo(&[&TESTS[..], &["--no-run", "--quiet"]].concat())
}

/// Builds what no test links: the compiled part of the Python package, which tests load into interpreters.
fn python_extension() -> anyhow::Result<Command> {
    command::linting_cargo(&["build", "--package", "hotframe-python", "--quiet"])
}

fn rust(tools: &Tools, page: &Page) -> anyhow::Result<Runner> {
    let mut command = command::linting_cargo(&[&TESTS[..], &["--no-fail-fast"]].concat())?;
    command
        .env("HOTFRAME_WASM", &page.module)
        .env("HOTFRAME_WASM_FIRST", &page.first_module)
        .env("HOTFRAME_PPROF", &tools.pprof)
        .env("HOTFRAME_GOROOT", &tools.go)
        .env("HOTFRAME_MYPY", &tools.mypy)
        .env("HOTFRAME_MCP_PYTHON", &tools.mcp_python)
        .env("HOTFRAME_SCIENCE_PYTHON", &tools.science_python)
        .env("HOTFRAME_NVIM", &tools.neovim)
        .env("HOTFRAME_PERF", &tools.perf)
        .env("HOTFRAME_NATS_SERVER", &tools.nats_server)
        // Everybody's random cases are the same here; `cargo test` alone draws new ones.
        .env("PROPTEST_RNG_SEED", std::env::var("PROPTEST_RNG_SEED").unwrap_or("1".to_owned()))
        .env("GOCACHE", workspace::target().join("tools/go-cache"));
    Ok(Runner { name: "Rust", command, dialect: Dialect::Cargo })
}

fn others(tools: &Tools, hotframe: &Path, extensions: &[PathBuf; 2], page: &Page) -> [Runner; 5] {
    let mut editor = in_browser(tools, hotframe, page, "test:editor");
    with_editor(&mut editor, tools, extensions);
    [
        Runner { name: "web engine", command: npm_test("web/engine"), dialect: Dialect::Vitest },
        Runner { name: "web UI", command: npm_test("web/ui"), dialect: Dialect::Vitest },
        Runner {
            name: "VS Code extension",
            command: npm_test("web/vscode"),
            dialect: Dialect::Vitest,
        },
        Runner {
            name: BROWSER,
            command: in_browser(tools, hotframe, page, "test"),
            dialect: Dialect::Node,
        },
        Runner { name: EDITOR, command: editor, dialect: Dialect::Node },
    ]
}

/// A script of the tests that a browser runs.
fn in_browser(tools: &Tools, hotframe: &Path, page: &Page, script: &str) -> Command {
    let arguments = ["run", "--silent", script, "--workspace", "web/tests"];
    let mut tests = command::in_root("npm", &arguments);
    with_browser(&mut tests, tools, hotframe, page);
    tests
}

fn with_browser(tests: &mut Command, tools: &Tools, hotframe: &Path, page: &Page) {
    tests
        .env("HOTFRAME_BIN", hotframe)
        .env("CHROMIUM_BIN", &tools.chromium)
        .env("HOTFRAME_PAGE", &page.folder);
}

fn with_editor(tests: &mut Command, tools: &Tools, [extension, for_browsers]: &[PathBuf; 2]) {
    tests
        .env("HOTFRAME_VSIX", extension)
        .env("HOTFRAME_WEB_VSIX", for_browsers)
        .env("HOTFRAME_VSCODE", &tools.vscode)
        .env("HOTFRAME_VSCODE_NODE", &tools.node);
}

fn npm_test(workspace: &str) -> Command {
    command::in_root("npm", &["test", "--silent", "--workspace", workspace])
}
