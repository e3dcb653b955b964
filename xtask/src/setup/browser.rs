//! The browser that the UI tests drive.

use std::path::PathBuf;

use anyhow::Context;

use super::debian;
use crate::command;

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/// The path of an installed Chromium; installs it where that is possible.
pub(super) fn chromium() -> anyhow::Result<PathBuf> {
    if let Some(path) = command::installed(&NAMES) {
        return Ok(path);
    }
    debian::install("Chromium", &["chromium"])?;
    command::installed(&NAMES).context("Chromium was installed, but is not on the PATH")
}
