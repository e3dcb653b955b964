//! Loops and graphs that other tools make of source code: clang and Polly of C, the user's DaCe of Python.

mod c;
mod python;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

/// Files that were made; they are gone with this.
pub(crate) struct Made {
    _folder: TempDir,
    /// In the order of their names.
    pub(crate) files: Vec<PathBuf>,
    /// What is to be told of them.
    notes: Vec<String>,
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

/// The file as it is named by others, wherever they run.
fn absolute(path: &Path) -> Result<PathBuf> {
    path.canonicalize().with_context(|| format!("cannot open {}", path.display()))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// What a tool said, if it came to a good end; else why not.
fn run(command: &mut Command, what: &str) -> Result<Output> {
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
