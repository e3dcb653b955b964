//! speedscope in Chromium, as a peer that also runs in a browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{command, setup, workspace};

const PACKAGE: &str = "speedscope@1.25.0";

/// An installed speedscope and a browser for it.
pub(super) struct Page {
    folder: PathBuf,
    chromium: PathBuf,
}

/// Installs speedscope; it is only for the bench, so no package.json names it.
pub(super) fn install() -> anyhow::Result<Page> {
    let chromium = setup::everything()?.chromium;
    let prefix = workspace::target().join("tools/speedscope");
    let folder = prefix.join("node_modules/speedscope/dist/release");
    if !folder.exists() {
        let mut npm = command::in_root("npm", &["install", "--no-audit", "--no-fund", "--prefix"]);
        command::run(npm.arg(prefix).arg(PACKAGE))?;
    }
    Ok(Page { folder, chromium })
}

impl Page {
    /// A command that opens `profile` and ends when speedscope has read it.
    pub(super) fn open(&self, profile: &Path) -> Command {
        let script = workspace::root().join("xtask/src/bench/speedscope.mjs");
        let mut command = Command::new("node");
        command.arg(script).arg(&self.folder).arg(&self.chromium).arg(profile);
        command.current_dir(workspace::root());
        command
    }
}
