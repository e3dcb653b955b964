//! speedscope in Chromium, as a peer that also runs in a browser.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, bail};

use super::measure::Cost;
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
    /// Opens `profile` once. The browser does not tell the system what its processes
    /// cost in a way that their parent sees, so the script asks and prints it.
    pub(super) fn measure(&self, profile: &Path) -> anyhow::Result<Cost> {
        let script = workspace::root().join("xtask/src/bench/speedscope.mjs");
        let mut command = command::in_root("node", &[]);
        command.arg(script).args([&self.folder, &self.chromium]).arg(profile);
        let output = command.stderr(Stdio::null()).output().context("cannot start node")?;
        let numbers = String::from_utf8_lossy(&output.stdout);
        let mut numbers = numbers.split_whitespace().map_while(|number| number.parse().ok());
        match (numbers.next(), numbers.next(), numbers.next()) {
            (Some(cpu_s), Some(wall_s), Some(peak_megabytes)) => {
                Ok(Cost { cpu_s, wall_s, peak_megabytes })
            }
            _ => bail!("did not open it"),
        }
    }
}
