//! The files that tests read: `testdata` of this repository, and the corpus, real files of other
//! projects that stand beside it on some machines.
//!
//! Every test proves something with `testdata` alone. What it checks besides where the corpus is
//! goes through [`corpus`], so that what was left out is told and counted.

#![allow(clippy::print_stderr, reason = "a check that is left out says so")]

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The variable that names the folder of the corpus; `../shared/corpus` otherwise.
const CORPUS: &str = "HOTFRAME_CORPUS";

/// The variable that names a file: it gets a line for each check that is left out.
/// `cargo xtask test` counts them, for runners keep what passing tests print to themselves.
const LEFT_OUT: &str = "HOTFRAME_LEFT_OUT";

/// The variable that has tests try all their cases.
const LONG: &str = "HOTFRAME_LONG";

/// A path below `testdata`.
pub fn testdata(path: impl AsRef<Path>) -> PathBuf {
    root().join("testdata").join(path)
}

/// A file or folder of the corpus; none, which is told, where it is absent.
pub fn corpus(path: &str) -> Option<PathBuf> {
    present(path, corpus_folder().join(path))
}

/// One of the small cases that stand beside the corpus; none, which is told, where it is absent.
pub fn case(path: &str) -> Option<PathBuf> {
    present(path, corpus_folder().join("../cases").join(path))
}

fn corpus_folder() -> PathBuf {
    let folder = std::env::var_os(CORPUS).map(PathBuf::from);
    folder.unwrap_or_else(|| root().join("../shared/corpus"))
}

fn present(path: &str, found: PathBuf) -> Option<PathBuf> {
    if found.exists() {
        return Some(found);
    }
    let thread = std::thread::current();
    let line = left_out(thread.name().unwrap_or("a test"), path);
    eprintln!("{line}");
    if let Some(file) = std::env::var_os(LEFT_OUT) {
        let file = OpenOptions::new().create(true).append(true).open(file);
        // One write a line: tests run side by side.
        let written = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
        written.expect("the file that HOTFRAME_LEFT_OUT names can be written");
    }
    None
}

/// The bytes of a file of the corpus.
pub fn corpus_bytes(path: &str) -> Option<Vec<u8>> {
    corpus(path).map(|path| {
        std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    })
}

/// How many random cases a property is tried with: `few`, or `all` in `cargo xtask test --long`.
pub fn cases(few: u32, all: u32) -> u32 {
    if std::env::var_os(LONG).is_some() { all } else { few }
}

/// A folder of `testdata`, and that of the same name in the corpus where it is.
pub fn both(folder: &str) -> impl Iterator<Item = PathBuf> {
    std::iter::once(testdata(folder)).chain(corpus(folder))
}

fn left_out(test: &str, path: &str) -> String {
    let path = if path.is_empty() { "all files" } else { path };
    format!("left out: {test} on {path} (no corpus)")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_what_is_absent() {
        assert!(testdata("units.tsv").is_file());
        assert_eq!(left_out("x::y", "pprof/a"), "left out: x::y on pprof/a (no corpus)");
    }
}
