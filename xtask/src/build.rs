//! Builds of what people use.

use std::path::PathBuf;

use crate::{command, setup, workspace};

/// Builds the web UI, which the binary carries inside.
pub(crate) fn web() -> anyhow::Result<()> {
    setup::web()?;
    command::run(&mut command::in_root("npm", &["run", "--silent", "build"]))
}

/// Builds the web UI and then the binary; gives the binary's path.
pub(crate) fn hotframe() -> anyhow::Result<PathBuf> {
    web()?;
    command::run(&mut command::cargo(&["build", "--release", "--package", "hotframe"]))?;
    Ok(workspace::target().join("release/hotframe"))
}
