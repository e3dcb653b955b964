//! All tools, and each by itself.

use std::path::PathBuf;

use super::programs::{
    BUBBLEWRAP, CHROMIUM, CMAKE, CPP_COMPILER, NEOVIM, PERF, PKG_CONFIG, VALGRIND, polly,
};
use super::{debian, editor, go, nats, nextest, python};

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
    debian::programs(&[
        &CPP_COMPILER,
        &CMAKE,
        &PKG_CONFIG,
        &VALGRIND,
        &BUBBLEWRAP,
        &PERF,
        &NEOVIM,
        &CHROMIUM,
    ])?;
    polly()?;
    super::bare_system()?;
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

/// Installs the npm packages of the web folders.
pub(crate) fn web() -> anyhow::Result<()> {
    super::web::install()
}

/// Installs the Node.js that VS Code and its tools want, and gives its path.
pub(crate) fn node() -> anyhow::Result<PathBuf> {
    editor::node()
}

/// Installs cargo-deny, and gives its path.
pub(crate) fn deny() -> anyhow::Result<PathBuf> {
    super::deny::install()
}

/// Installs maturin, which builds wheels, and gives its path.
pub(crate) fn maturin() -> anyhow::Result<PathBuf> {
    python::maturin()
}

/// Installs uv, which makes environments, and gives its path.
pub(crate) fn uv() -> anyhow::Result<PathBuf> {
    python::uv()
}

/// Builds pprof.
pub(crate) fn pprof() -> anyhow::Result<PathBuf> {
    super::pprof::build()
}
