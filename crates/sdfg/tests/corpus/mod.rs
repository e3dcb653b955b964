//! DaCe's own files, which stand outside the repository: a test that misses them says so and passes.

#![allow(clippy::print_stderr, reason = "a test that is not run says so")]

use std::path::{Path, PathBuf};

use sdfg::model::Program;
use sdfg::{Limits, read};

/// The folder of samples; `HOTFRAME_CORPUS` names another.
pub(crate) fn folder() -> Option<PathBuf> {
    let corpus = std::env::var_os("HOTFRAME_CORPUS")
        .map(PathBuf::from)
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"));
    let folder = corpus.join("sdfg");
    let found = folder.is_dir();
    if !found {
        eprintln!("notice: no samples in {}; nothing is checked", folder.display());
    }
    found.then_some(folder)
}

/// Reads a sample, packed or not.
#[allow(dead_code, reason = "not every test opens one by name")]
pub(crate) fn open(folder: &Path, name: &str) -> Program {
    let plain = folder.join(format!("{name}.sdfg"));
    let packed = folder.join(format!("{name}.sdfgz"));
    let path = if plain.exists() { plain } else { packed };
    let file = std::fs::File::open(&path).expect(name);
    read(file, &Limits::default()).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
