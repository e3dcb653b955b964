//! Packages of the distribution.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use anyhow::bail;

use crate::command;

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
