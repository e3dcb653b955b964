//! The npm packages that package-lock.json names.

use std::fs;

use anyhow::{Context, bail};

use crate::{command, workspace};

/// Runs `npm ci`, unless the packages of this very lock file are installed.
pub(super) fn install() -> anyhow::Result<()> {
    check_node()?;
    let lock = fs::read(workspace::root().join("package-lock.json"))
        .context("cannot read package-lock.json")?;
    // The copy lies among the packages, so that it disappears with them.
    let installed = workspace::root().join("node_modules/.installed-package-lock.json");
    if fs::read(&installed).is_ok_and(|copy| copy == lock) {
        return Ok(());
    }
    command::run(&mut command::in_root("npm", &["ci", "--no-audit", "--no-fund"]))?;
    fs::write(&installed, lock).with_context(|| format!("cannot write {}", installed.display()))
}

const NEEDED: (u32, u32) = (20, 19);

fn check_node() -> anyhow::Result<()> {
    let (major, minor) = NEEDED;
    if command::installed(&["node"]).is_none() || command::installed(&["npm"]).is_none() {
        bail!("Node.js is missing: install Node.js {major}.{minor} or later with npm");
    }
    let output = command::in_root("node", &["--version"]).output().context("cannot start node")?;
    let version = String::from_utf8_lossy(&output.stdout);
    if parse_version(version.trim()).is_some_and(|version| version < NEEDED) {
        bail!("Node.js {} is too old: install {major}.{minor} or later", version.trim());
    }
    Ok(())
}

/// Major and minor number of `v20.19.2`.
fn parse_version(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.strip_prefix('v')?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    #[test]
    fn versions_compare_by_number() {
        assert_eq!(super::parse_version("v20.9.1"), Some((20, 9)));
        assert!(super::parse_version("v20.9.1") < Some(super::NEEDED));
        assert!(super::parse_version("v100.0.0") > Some(super::NEEDED));
    }
}
