//! `cargo xtask test`: every test there is, and one line that sums them up.

pub(crate) mod count;
mod left_out;
pub(crate) mod runner;

use std::path::Path;
use std::process::ExitCode;

use crate::setup::Tools;
use crate::{build, command, dist, setup, workspace};
use count::Dialect;
use left_out::LeftOut;
use runner::Runner;

/// Runs all tests, even after one has failed. The page and the editor are tested with the binary
/// that the Rust tests build, so that our code and its dependencies are compiled once.
pub(crate) fn run() -> anyhow::Result<ExitCode> {
    let tools = setup::everything()?;
    build::web()?;
    let left_out = LeftOut::start()?;
    let mut sum = left_out.told_by(rust(&tools)).run()?;
    let hotframe = workspace::target().join("debug/hotframe");
    let extension = dist::extension_of(&hotframe)?;
    for runner in others(&tools, &hotframe, &extension) {
        sum += left_out.told_by(runner).run()?;
    }
    println!();
    if let Some(line) = left_out.line()? {
        println!("{line}");
    }
    println!("{} passed, {} failed", sum.passed, sum.failed);
    Ok(if sum.is_success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn rust(tools: &Tools) -> Runner {
    let mut command = command::cargo(&["test", "--workspace", "--no-fail-fast"]);
    command
        .env("HOTFRAME_PPROF", &tools.pprof)
        .env("HOTFRAME_GOROOT", &tools.go)
        .env("HOTFRAME_MYPY", &tools.mypy)
        .env("HOTFRAME_NVIM", &tools.neovim);
    Runner { name: "Rust", command, dialect: Dialect::Cargo }
}

fn others(tools: &Tools, hotframe: &Path, extension: &Path) -> [Runner; 6] {
    let in_browser = |script| {
        let arguments = ["run", "--silent", script, "--workspace", "web/tests"];
        let mut tests = command::in_root("npm", &arguments);
        tests.env("HOTFRAME_BIN", hotframe).env("CHROMIUM_BIN", &tools.chromium);
        tests
    };
    let mut editor = in_browser("test:editor");
    editor
        .env("HOTFRAME_VSIX", extension)
        .env("HOTFRAME_VSCODE", &tools.vscode)
        .env("HOTFRAME_VSCODE_NODE", &tools.node);
    // Without the default features libFuzzer itself, which is C++, is not built.
    let fuzz = workspace::root().join("fuzz/Cargo.toml");
    let mut fuzz_targets = command::cargo(&["check", "--no-default-features", "--manifest-path"]);
    fuzz_targets.arg(fuzz);
    [
        Runner { name: "web engine", command: npm_test("web/engine"), dialect: Dialect::Vitest },
        Runner { name: "web UI", command: npm_test("web/ui"), dialect: Dialect::Vitest },
        Runner {
            name: "VS Code extension",
            command: npm_test("web/vscode"),
            dialect: Dialect::Vitest,
        },
        Runner { name: "browser", command: in_browser("test"), dialect: Dialect::Node },
        Runner { name: "editor", command: editor, dialect: Dialect::Node },
        Runner { name: "fuzz targets", command: fuzz_targets, dialect: Dialect::ExitCode },
    ]
}

fn npm_test(workspace: &str) -> std::process::Command {
    command::in_root("npm", &["test", "--silent", "--workspace", workspace])
}
