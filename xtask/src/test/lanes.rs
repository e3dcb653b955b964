//! What the tests need, and their runners.

use std::path::PathBuf;
use std::process::Command;
use std::thread;

use anyhow::anyhow;

use super::changed::Selection;
use super::runner::Runner;
use crate::page::Page;
use crate::setup::{self, Tools};
use crate::{build, command, dist, workspace};

/// What the tests need.
pub(super) struct Prepared {
    tools: Tools,
    hotframe: PathBuf,
    page: Page,
    /// The extension for this machine, and the one for VS Code in a browser; none where no test of the
    /// editor runs.
    extensions: Option<[PathBuf; 2]>,
}

/// Installs and builds everything but Rust's tests, which nextest compiles while those of the page run.
/// Tools come from a network while compilers keep the processors busy.
pub(super) fn prepare(selection: &Selection) -> anyhow::Result<Prepared> {
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
pub(super) fn lanes(
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
    if selection.packages() {
        let report = report("packages")?;
        let mut command = Command::new(command::own_program()?);
        command.arg("test-packages").arg("--program").arg(hotframe).arg("--report").arg(&report);
        command.current_dir(workspace::root());
        web.push(Runner { name: "packages", command, report, may_be_empty: false });
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
