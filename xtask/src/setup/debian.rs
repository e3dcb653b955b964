//! Packages of the distribution.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::command;

/// A program that a package of the distribution has.
pub(super) struct Program {
    /// What people call it.
    pub(super) title: &'static str,
    /// The names that it may have; any will do.
    pub(super) names: &'static [&'static str],
    pub(super) packages: &'static [&'static str],
}

impl Program {
    /// Where it is installed.
    pub(super) fn path(&self) -> anyhow::Result<PathBuf> {
        let path = command::installed(self.names);
        path.with_context(|| format!("{} was installed, but is not on the PATH", self.title))
    }
}

/// Installs those programs that are missing, all at once.
pub(super) fn programs(programs: &[&Program]) -> anyhow::Result<()> {
    let is_missing = |program: &&&Program| command::installed(program.names).is_none();
    let missing: Vec<&&Program> = programs.iter().filter(is_missing).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let titles: Vec<&str> = missing.iter().map(|program| program.title).collect();
    let packages: Vec<&str> =
        missing.iter().flat_map(|program| program.packages).copied().collect();
    install(&titles.join(", "), &packages)
}

/// Installs Debian packages; where that is impossible, says which program is missing.
pub(super) fn install(program: &str, packages: &[&str]) -> anyhow::Result<()> {
    let packages_line = packages.join(" ");
    if command::installed(&["apt-get"]).is_none() {
        bail!("{program} is missing: install it with your package manager");
    }
    if !is_root() {
        bail!("{program} is missing: run `sudo apt-get install {packages_line}`");
    }
    update()?;
    let arguments = [&["install", "-y", "-qq", "--no-install-recommends"], packages].concat();
    let mut install = command::in_root("apt-get", &arguments);
    command::run(install.env("DEBIAN_FRONTEND", "noninteractive"))
}

/// Brings the lists of packages up to date.
pub(super) fn update() -> anyhow::Result<()> {
    command::run(&mut command::in_root("apt-get", &["update", "-qq"]))
}

/// A process's own folder in /proc belongs to its user.
fn is_root() -> bool {
    Path::new("/proc/self").metadata().is_ok_and(|folder| folder.uid() == 0)
}
