//! `cargo xtask setup`: installs what the other commands need.
//!
//! Every step looks first whether its work is done, so the others call it freely.

mod browser;
mod debian;
mod editor;
mod go;
mod nats;
mod pprof;
mod python;
pub(crate) mod wasm;
mod web;

use std::path::PathBuf;

use anyhow::Context;

use crate::command;

/// What the tests need besides cargo.
pub(crate) struct Tools {
    /// A Chromium that Playwright can drive.
    pub(crate) chromium: PathBuf,
    /// The newest `go tool pprof`, the oracle of the reader tests.
    pub(crate) pprof: PathBuf,
    /// Root of a Go toolchain, for the Go builder.
    pub(crate) go: PathBuf,
    /// The type checker for the Python builder.
    pub(crate) mypy: PathBuf,
    /// A Python with the client of the Model Context Protocol.
    pub(crate) mcp_python: PathBuf,
    /// A Python with NumPy, Arrow, pandas, Polars and what notebooks need.
    pub(crate) science_python: PathBuf,
    /// The Node.js that VS Code wants.
    pub(crate) node: PathBuf,
    /// VS Code for the browser, to be run in that Node.js.
    pub(crate) vscode: PathBuf,
    /// Linux' perf, which records what the tests of recording compare with.
    pub(crate) perf: PathBuf,
    /// A NATS server, on which tests keep their queues.
    pub(crate) nats_server: PathBuf,
    /// An editor that speaks the Language Server Protocol without anyone looking.
    pub(crate) neovim: PathBuf,
}

/// Installs everything.
pub(crate) fn everything() -> anyhow::Result<Tools> {
    web()?;
    cpp_compiler()?;
    valgrind()?;
    polly()?;
    bubblewrap()?;
    Ok(Tools {
        chromium: browser::chromium()?,
        pprof: pprof()?,
        go: go::root()?,
        mypy: python::mypy()?,
        mcp_python: python::mcp()?,
        science_python: python::science()?,
        node: editor::node()?,
        vscode: editor::vscode()?,
        neovim: editor::neovim()?,
        perf: perf()?,
        nats_server: nats::server()?,
    })
}

/// Installs the npm packages of the web folders.
pub(crate) fn web() -> anyhow::Result<()> {
    web::install()
}

/// Installs the Node.js that VS Code and its tools want, and gives its path.
pub(crate) fn node() -> anyhow::Result<PathBuf> {
    editor::node()
}

/// Builds pprof.
pub(crate) fn pprof() -> anyhow::Result<PathBuf> {
    pprof::build()
}

/// The path of an installed perf; installs it where that is possible.
fn perf() -> anyhow::Result<PathBuf> {
    if command::installed(&["perf"]).is_none() {
        debian::install("perf", &["linux-perf"])?;
    }
    command::installed(&["perf"]).context("perf was installed, but is not on the PATH")
}

/// Finds or installs valgrind, which records accesses and counts misses that tests compare with.
fn valgrind() -> anyhow::Result<()> {
    if command::installed(&["valgrind"]).is_some() {
        return Ok(());
    }
    debian::install("valgrind", &["valgrind"])
}

/// Finds or installs bubblewrap, which isolates programs.
fn bubblewrap() -> anyhow::Result<()> {
    if command::installed(&["bwrap"]).is_some() {
        return Ok(());
    }
    debian::install("bwrap", &["bubblewrap"])
}

/// Finds or installs clang and opt of LLVM 14, with Polly, which export loops of C.
fn polly() -> anyhow::Result<()> {
    let has = |version: &str| {
        let tools = ["clang", "opt"].map(|tool| format!("{tool}{version}"));
        tools.iter().all(|tool| command::installed(&[tool]).is_some())
    };
    if has("-14") || has("") {
        return Ok(());
    }
    debian::install("clang", &["clang-14", "llvm-14"])
}

/// Finds or installs a C++ compiler, which libFuzzer and the C++ builder need.
pub(crate) fn cpp_compiler() -> anyhow::Result<()> {
    if command::installed(&["c++", "g++", "clang++"]).is_some() {
        return Ok(());
    }
    debian::install("A C++ compiler", &["g++"])
}
