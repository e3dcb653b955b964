//! A system that has nothing of what we build with: packages are installed in copies of it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Context as _;

use super::debian::{self, Program};
use crate::{command, workspace};

const DEBOOTSTRAP: Program =
    Program { title: "debootstrap", names: &["debootstrap"], packages: &["debootstrap"] };

/// What people have who install a package: Python, a way to download and to unpack, and what Node links to.
const PACKAGES: &str = "python3-venv,curl,ca-certificates,xz-utils,libstdc++6";

/// Installs the system if it is not there, and gives its root. It is of the same distribution as this one.
pub(crate) fn bare_system() -> anyhow::Result<PathBuf> {
    let root = workspace::target().join("tools/bare");
    let done = workspace::target().join("tools/bare.done");
    if fs::read_to_string(&done).ok().as_deref() == Some(PACKAGES) {
        return Ok(root);
    }
    debian::programs(&[&DEBOOTSTRAP])?;
    if root.exists() {
        fs::remove_dir_all(&root)?;
    }
    let release = fs::read_to_string("/etc/os-release")?;
    let suite = release.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    let suite = suite.context("/etc/os-release has no VERSION_CODENAME")?;
    let sites = command::output(&mut command::in_root(
        "apt-get",
        &["indextargets", "--format", "$(SITE)"],
    ))?;
    // It fails in folders whose names have spaces.
    let work = command::output(Command::new("mktemp").arg("-d"))?;
    let work = PathBuf::from(work.trim());
    let mut install = Command::new("debootstrap");
    install.args(["--variant=minbase", "--include", PACKAGES, suite]).arg(work.join("bare"));
    if let Some(site) = sites.lines().next() {
        install.arg(site);
    }
    command::run(&mut install)?;
    fs::create_dir_all(root.parent().context("a path has a folder")?)?;
    command::run(Command::new("mv").arg(work.join("bare")).arg(&root))?;
    fs::remove_dir(work)?;
    fs::write(done, PACKAGES)?;
    Ok(root)
}
