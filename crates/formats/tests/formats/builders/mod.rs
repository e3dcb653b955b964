//! The data builders: the same calls in every language write the same bytes, what goes wrong is
//! refused at the call, and what their READMEs show works.

mod examples;
mod languages;
mod own;
mod packages;
mod uses;

use std::path::{Path, PathBuf};

use crate::measured::profile;
use formats::format_named;

/// The bytes of a builder's file, and those of the same profile as we would write it.
fn written(path: &Path) -> (Vec<u8>, Vec<u8>) {
    let bytes = std::fs::read(path).unwrap();
    let mut canonical = vec![];
    format_named("hotframe").unwrap().write(&profile(&bytes), &mut canonical).unwrap();
    (bytes, canonical)
}

/// A folder of its own below Cargo's folder for tests, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
