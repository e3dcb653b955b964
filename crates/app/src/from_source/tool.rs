//! Tools that are run on files.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};

/// The file as it is named by others, wherever they run.
pub(super) fn absolute(path: &Path) -> Result<PathBuf> {
    path.canonicalize().with_context(|| format!("cannot open {}", path.display()))
}

pub(super) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// What a tool said, if it came to a good end; else why not.
pub(super) fn run(command: &mut Command, what: &str) -> Result<Output> {
    let output = command.output().with_context(|| format!("cannot start {what}"))?;
    if output.status.success() {
        return Ok(output);
    }
    /// Compilers say much more than anybody reads.
    const MOST_LINES: usize = 12;
    let said = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<_> = said.lines().take(MOST_LINES).map(session::visible).collect();
    bail!("{what} failed ({}):\n{}", output.status, lines.join("\n"))
}
