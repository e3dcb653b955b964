//! Files that are made of source code.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use tempfile::TempDir;

use super::{c, python};

/// Files that were made; they are gone with this.
pub(crate) struct Made {
    pub(super) _folder: TempDir,
    /// In the order of their names.
    pub(crate) files: Vec<PathBuf>,
    /// What is to be told of them.
    pub(super) notes: Vec<String>,
}

/// What is made of source code; none of other files. Python is run only if that is allowed, or whoever sits at
/// the terminal says so.
pub(crate) fn made(path: &Path, may_run: bool) -> Option<Result<Made>> {
    let made = match path.extension()?.to_str()? {
        "c" => c::loops(path),
        "py" => python::graphs(path, may_run),
        _ => return None,
    };
    if let Ok(made) = &made {
        for note in &made.notes {
            // If nobody listens, there is nothing to be done.
            let _ = writeln!(std::io::stderr(), "hotframe: {}", session::visible(note));
        }
    }
    Some(made)
}

/// The same for all of some files, others as they are; what was made has to be kept.
pub(crate) fn all_made(paths: &[PathBuf], may_run: bool) -> Result<(Vec<PathBuf>, Vec<Made>)> {
    let mut files = vec![];
    let mut kept = vec![];
    for path in paths {
        match made(path, may_run) {
            Some(own) => {
                let own = own?;
                files.extend(own.files.iter().cloned());
                kept.push(own);
            }
            None => files.push(path.clone()),
        }
    }
    Ok((files, kept))
}
