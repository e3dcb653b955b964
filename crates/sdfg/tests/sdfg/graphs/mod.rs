//! Graphs that DaCe wrote: those of `testdata`, and those of the corpus where it is.

use std::path::{Path, PathBuf};

use sdfg::model::Program;
use sdfg::{Limits, read};

/// The folders with graphs, each with the same folders inside.
pub(crate) fn folders() -> Vec<PathBuf> {
    samples::both("sdfg").collect()
}

/// Reads a graph, packed or not.
pub(crate) fn open(folder: &Path, name: &str) -> Program {
    let plain = folder.join(format!("{name}.sdfg"));
    let packed = folder.join(format!("{name}.sdfgz"));
    let path = if plain.exists() { plain } else { packed };
    let file = std::fs::File::open(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    read(file, &Limits::default()).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reads a graph of `testdata`.
pub(crate) fn ours(name: &str) -> Program {
    open(&samples::testdata("sdfg"), name)
}

/// Reads graphs of `testdata`, and of the corpus where it is.
pub(crate) fn all<'a>(
    ours: &'a [&'a str],
    corpus: &'a [&'a str],
) -> impl Iterator<Item = (&'a str, Program)> {
    folders()
        .into_iter()
        .zip([ours, corpus])
        .flat_map(|(folder, names)| names.iter().map(move |&name| (name, open(&folder, name))))
}

/// Every file with a graph, with the name of its folder before its own.
pub(crate) fn files() -> Vec<(String, PathBuf)> {
    let mut found = vec![];
    for folder in folders() {
        for inside in std::fs::read_dir(&folder).expect("a folder") {
            let inside = inside.expect("an entry").path();
            for entry in std::fs::read_dir(&inside).into_iter().flatten() {
                let path = entry.expect("an entry").path();
                if path.extension().is_some_and(|end| end == "sdfg" || end == "sdfgz") {
                    let name = path.strip_prefix(&folder).expect("it is inside");
                    found.push((name.display().to_string(), path.clone()));
                }
            }
        }
    }
    found.sort();
    assert!(found.len() > 50, "graphs are missing");
    found
}

/// The JSON of every file with a graph that is not too long to run step by step.
pub(crate) fn texts() -> Vec<(String, Vec<u8>)> {
    const LONGEST: usize = 700_000;
    let mut found = vec![];
    for (name, path) in files() {
        let bytes = std::fs::read(&path).expect("a file");
        let text = if bytes.starts_with(b"\x1f\x8b") {
            let mut text = vec![];
            std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&bytes[..]), &mut text)
                .expect("a gzip");
            text
        } else {
            bytes
        };
        if text.len() <= LONGEST {
            found.push((name, text));
        }
    }
    found
}
