//! `cargo xtask setup`: installs what the other commands need.
//!
//! Every step looks first whether its work is done, so the others call it freely.

mod debian;
mod deny;
mod editor;
mod go;
mod nats;
mod nextest;
mod pprof;
mod python;
pub(crate) mod wasm;
mod web;

use std::path::PathBuf;

use crate::command;
use debian::Program;

/// What the tests need besides cargo.
pub(crate) struct Tools {
    /// A Chromium that Playwright can drive.
    pub(crate) chromium: PathBuf,
    /// The newest `go tool pprof`, the oracle of the reader tests.
    pub(crate) pprof: PathBuf,
    /// Root of a Go toolchain, for the Go builder.
    pub(crate) go: PathBuf,
    pub(crate) python: PythonTools,
    /// The Node.js that VS Code wants.
    pub(crate) node: PathBuf,
    /// VS Code for the browser, to be run in that Node.js.
    pub(crate) vscode: PathBuf,
    /// Linux' perf, which records what the tests of recording compare with.
    pub(crate) perf: PathBuf,
    /// The runner of Rust's tests.
    pub(crate) nextest: PathBuf,
    /// A NATS server, on which tests keep their queues.
    pub(crate) nats_server: PathBuf,
    /// An editor that speaks the Language Server Protocol without anyone looking.
    pub(crate) neovim: PathBuf,
}

/// What tests of Python need.
pub(crate) struct PythonTools {
    /// The type checker for the Python builder.
    pub(crate) mypy: PathBuf,
    /// An installer of packages.
    pub(crate) uv: PathBuf,
    /// A Python with the client of the Model Context Protocol.
    pub(crate) with_mcp: PathBuf,
    /// A Python with NumPy, Arrow, pandas, Polars and what notebooks need.
    pub(crate) with_science: PathBuf,
}

/// Installs everything.
pub(crate) fn everything() -> anyhow::Result<Tools> {
    debian::programs(&[&CPP_COMPILER, &VALGRIND, &BUBBLEWRAP, &PERF, &NEOVIM, &CHROMIUM])?;
    polly()?;
    web()?;
    deny()?;
    Ok(Tools {
        chromium: CHROMIUM.path()?,
        pprof: pprof()?,
        go: go::root()?,
        python: PythonTools {
            mypy: python::mypy()?,
            uv: python::uv()?,
            with_mcp: python::mcp()?,
            with_science: python::science()?,
        },
        node: editor::node()?,
        vscode: editor::vscode()?,
        neovim: NEOVIM.path()?,
        perf: PERF.path()?,
        nextest: nextest::install()?,
        nats_server: nats::server()?,
    })
}

/// What libFuzzer and the C++ builder need.
const CPP_COMPILER: Program =
    Program { title: "A C++ compiler", names: &["c++", "g++", "clang++"], packages: &["g++"] };
/// Records accesses and counts misses that tests compare with.
const VALGRIND: Program =
    Program { title: "valgrind", names: &["valgrind"], packages: &["valgrind"] };
/// Isolates programs.
const BUBBLEWRAP: Program =
    Program { title: "bwrap", names: &["bwrap"], packages: &["bubblewrap"] };
/// Linux' perf.
const PERF: Program = Program { title: "perf", names: &["perf"], packages: &["linux-perf"] };
/// An editor for the tests of the language server.
const NEOVIM: Program = Program { title: "Neovim", names: &["nvim"], packages: &["neovim"] };
/// The browser that the UI tests drive.
const CHROMIUM: Program = Program {
    title: "Chromium",
    // The shell has no windows of its own to draw, and takes two thirds of the time.
    names: &[
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome-stable",
        "google-chrome",
    ],
    packages: &["chromium-headless-shell"],
};

/// Installs the npm packages of the web folders.
pub(crate) fn web() -> anyhow::Result<()> {
    web::install()
}

/// Installs the Node.js that VS Code and its tools want, and gives its path.
pub(crate) fn node() -> anyhow::Result<PathBuf> {
    editor::node()
}

/// Installs cargo-deny, and gives its path.
pub(crate) fn deny() -> anyhow::Result<PathBuf> {
    deny::install()
}

/// Installs maturin, which builds wheels, and gives its path.
pub(crate) fn maturin() -> anyhow::Result<PathBuf> {
    python::maturin()
}

/// Builds pprof.
pub(crate) fn pprof() -> anyhow::Result<PathBuf> {
    pprof::build()
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
    debian::programs(&[&CPP_COMPILER])
}
