//! Graphs of Python, by the DaCe that the user's Python has.

use std::fs;
use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::made::Made;
use super::tool::{absolute, run, stem};

/// Runs a file and saves the graph of each of its programs: file, folder.
const SCRIPT: &str = "\
import os, runpy, sys
path, folder = sys.argv[1:3]
sys.argv = [path]
sys.path.insert(0, os.path.dirname(path))
import dace
from dace.frontend.python.parser import DaceProgram
names = runpy.run_path(path, run_name='hotframe')
found = {name: one for name, one in names.items() if isinstance(one, (DaceProgram, dace.SDFG))}
for name, one in found.items():
    graph = one if isinstance(one, dace.SDFG) else one.to_sdfg()
    graph.save(os.path.join(folder, name + '.sdfg'))
";

/// The graphs of the programs of a file, each a `.sdfg`. The file is run for that.
pub(super) fn graphs(path: &Path, may_run: bool) -> Result<Made> {
    let source = absolute(path)?;
    let shown = session::visible(&path.to_string_lossy()).into_owned();
    if !may_run && !is_allowed(&shown)? {
        bail!(
            "{shown} is a program: its graphs are known once Python has run it; --run-python allows that"
        );
    }
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let made = folder.path().join(stem(path));
    fs::create_dir(&made)?;
    run(
        Command::new("python3")
            .args(["-c", SCRIPT])
            .arg(&source)
            .arg(&made)
            .current_dir(folder.path()),
        &format!("python3 with DaCe on {shown}"),
    )?;
    let mut files: Vec<_> =
        fs::read_dir(&made)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    if files.is_empty() {
        bail!(
            "{shown} has no program of DaCe at its top: a function with @dace.program whose arguments have \
             types, or a graph"
        );
    }
    Ok(Made { _folder: folder, files, notes: vec![] })
}

/// Asks who sits at the terminal.
fn is_allowed(shown: &str) -> Result<bool> {
    if !(std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
        return Ok(false);
    }
    let mut out = std::io::stderr().lock();
    write!(out, "Run {shown} with python3, to get its graphs? [y/N] ")?;
    out.flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
