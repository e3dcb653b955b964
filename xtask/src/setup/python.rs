//! Python packages, each in a folder of its own: the distribution's Python stays as it is.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use super::debian;
use crate::{command, workspace};

const MYPY: &str = "mypy==2.4.1";
/// Makes environments.
const UV: &str = "uv==0.13.9";
/// Builds wheels.
const MATURIN: &str = "maturin==1.16.0";
const MCP: &[&str] = &["mcp==2.3.0"];
/// What takes columns of profiles, and what runs notebooks.
const SCIENCE: &[&str] = &[
    "numpy==2.4.6",
    "pandas==3.1.1",
    "polars==2.1.0",
    "pyarrow==26.0.1",
    "anywidget==0.11.0",
    "ipykernel==7.4.0",
    "nbclient==0.11.0",
];

/// Installs the type checker for the Python builder if it is not there, and gives its path.
pub(super) fn mypy() -> anyhow::Result<PathBuf> {
    let packages = workspace::target().join("tools/mypy-venv");
    let mypy = packages.join("bin/mypy");
    if !mypy.exists() {
        install(&[MYPY], &packages)?;
    }
    Ok(mypy)
}

/// Installs uv if it is not there, and gives its path.
pub(super) fn uv() -> anyhow::Result<PathBuf> {
    environment("uv-venv", &[UV]).map(|python| python.with_file_name("uv"))
}

/// Installs maturin if it is not there, and gives its path.
pub(super) fn maturin() -> anyhow::Result<PathBuf> {
    environment("maturin-venv", &[MATURIN]).map(|python| python.with_file_name("maturin"))
}

/// Installs the client of the Model Context Protocol if it is not there, and gives the Python that has it.
pub(super) fn mcp() -> anyhow::Result<PathBuf> {
    environment("mcp-venv", MCP)
}

/// Installs NumPy and the like if they are not there, and gives the Python that has them.
pub(super) fn science() -> anyhow::Result<PathBuf> {
    environment("science-venv", SCIENCE)
}

/// The Python of an environment that has these packages and no others.
fn environment(name: &str, packages: &[&str]) -> anyhow::Result<PathBuf> {
    let folder = workspace::target().join("tools").join(name);
    let done = folder.join("done");
    let wanted = packages.join(" ");
    if fs::read_to_string(&done).ok().as_deref() != Some(&wanted) {
        install(packages, &folder)?;
        fs::write(&done, wanted).context("cannot write")?;
    }
    Ok(folder.join("bin/python"))
}

/// Installs packages into a new environment in `folder`.
pub(super) fn install(packages: &[&str], folder: &Path) -> anyhow::Result<()> {
    let python = folder.join("bin/python");
    if !make_venv(folder)? {
        debian::install("Python's venv module", &["python3-venv"])?;
        if !make_venv(folder)? {
            bail!("`python3 -m venv` fails: install Python 3 with its venv and pip modules");
        }
    }
    command::run(
        Command::new(python)
            .args(["-m", "pip", "install", "--quiet", "--no-compile"])
            .args(packages),
    )
}

/// False if the Python is there and cannot make one.
fn make_venv(folder: &Path) -> anyhow::Result<bool> {
    let output =
        Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder).output().context(
            "Python is missing: install Python 3, which brings Go and mypy for the tests",
        )?;
    Ok(output.status.success())
}
