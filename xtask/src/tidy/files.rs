//! Which files there are.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::{sources, web};
use crate::build::BUILT;
use crate::workspace;

/// Sources of the program and of the page, tests aside.
pub(crate) fn production_sources() -> anyhow::Result<Vec<PathBuf>> {
    let is_source = |file: &PathBuf| {
        let is_test = file.to_string_lossy().contains(".test.");
        crate_of(file).is_some() && sources::is_production_source(file)
            || web::is_source(file) && !is_test
    };
    Ok(files_under(workspace::root())?.into_iter().filter(is_source).collect())
}

/// `formats` for a file in `crates/formats`.
pub(super) fn crate_of(file: &Path) -> Option<&str> {
    file.strip_prefix("crates").ok()?.components().next()?.as_os_str().to_str()
}

/// Folders that hold no sources of ours.
const SKIPPED: [&str; 3] = ["target", "testdata", "corpus"];

fn is_skipped(folder: &str) -> bool {
    SKIPPED.contains(&folder) || BUILT.contains(&folder)
}

/// All files, relative to `root`, in order.
pub(super) fn files_under(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder)
            .with_context(|| format!("cannot read the folder {}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if !entry.file_type()?.is_dir() {
                files.push(entry.path().strip_prefix(root)?.to_path_buf());
            } else if !name.starts_with('.') && !is_skipped(&name) {
                folders.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}
