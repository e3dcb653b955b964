//! One command a file.

mod convert;
mod diff;
mod draw;
mod export;
mod formats;
mod info;
mod machine;
mod merge;
mod open;
mod pairs;
mod sdfg;
mod show;

pub(crate) use convert::convert;
pub(crate) use diff::diff;
pub(crate) use export::export;
pub(crate) use formats::formats;
pub(crate) use info::info;
pub(crate) use machine::machine;
pub(crate) use merge::merge;
pub(crate) use open::open;
pub(crate) use sdfg::sdfg;
pub(crate) use show::show;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};

/// A warning with how often it came up.
fn counted(message: String, count: u64) -> String {
    match count {
        1 => message,
        count => format!("{message} ({} times)", crate::text::count(count)),
    }
}

/// Tells on standard error what readers repaired or skipped and what a merge left out.
fn tell_warnings(document: &session::Document) -> Result<()> {
    let mut out = std::io::stderr().lock();
    for (message, count) in document.warnings() {
        writeln!(out, "hotframe: {}", counted(message, count))?;
    }
    Ok(())
}

/// The same as a list, for JSON.
fn warnings(document: &session::Document) -> Vec<String> {
    document.warnings().into_iter().map(|(message, count)| counted(message, count)).collect()
}

/// Writes a file as a whole or not at all; `-` is standard output.
fn write_output(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    if path.as_os_str() == "-" {
        let mut out = BufWriter::new(std::io::stdout().lock());
        write(&mut out)?;
        return Ok(out.flush()?);
    }
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = Path::new(&partial);
    let file = File::create(partial).with_context(|| format!("cannot write {}", path.display()))?;
    let mut out = BufWriter::new(file);
    let result = write(&mut out).and_then(|()| Ok(out.flush()?)).and_then(|()| {
        std::fs::rename(partial, path).with_context(|| format!("cannot write {}", path.display()))
    });
    if result.is_err() {
        // The error to report is the first one.
        let _ = std::fs::remove_file(partial);
    }
    result
}
