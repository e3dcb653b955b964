//! What the program has inside and is large, as archives: the engines of the page, and the interpreter of Python.
//! As tar and xz they take two thirds of what gzip leaves: both engines are of the same code.

use std::fs;
use std::io::{Cursor, Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use lzma_rust2::{XzOptions, XzWriter};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::Page;
use crate::build::modified;
use crate::workspace;

/// Where the program takes archives from.
const FOLDER: &str = "web/ui/dist-archives";

/// How hard to compress.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// In a second or two.
    Little,
    /// For packages: in half a minute.
    Most,
}

/// Writes both archives, unless they are newer than what they are made of.
pub(crate) fn write(page: &Page, effort: Effort) -> anyhow::Result<()> {
    let engines = [
        ("hotframe-engine", page.first_module.clone()),
        ("hotframe-whole-engine", page.module.clone()),
    ];
    let read = |file: &Path| Ok(fs::read(file)?);
    archive("engines", &engines, effort, read)?;
    let python = workspace::root().join("web/ui/dist-interpreter");
    let interpreter = ["interpreter.wasm", "library.zip"].map(|name| (name, python.join(name)));
    archive("python", &interpreter, effort, |file| {
        let bytes = read(file)?;
        if file.extension().is_some_and(|end| end == "zip") { stored(bytes) } else { Ok(bytes) }
    })
}

fn archive(
    name: &str,
    files: &[(&str, PathBuf)],
    effort: Effort,
    read: impl Fn(&Path) -> anyhow::Result<Vec<u8>>,
) -> anyhow::Result<()> {
    let out = workspace::root().join(FOLDER).join(format!("{name}.tar.xz"));
    let written = modified(&out)?;
    let mut is_fresh = effort == Effort::Little && written.is_some();
    for (_, file) in files {
        is_fresh &= modified(file)? <= written;
    }
    if is_fresh {
        return Ok(());
    }
    let preset = if effort == Effort::Most { 9 } else { 0 };
    let mut tar = tar::Builder::new(XzWriter::new(vec![], XzOptions::with_preset(preset))?);
    for (name, file) in files {
        let bytes = read(file).with_context(|| format!("cannot pack {}", file.display()))?;
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, &*bytes)?;
    }
    let packed = tar.into_inner()?.finish()?;
    // A new file links the binary again.
    if effort == Effort::Most && fs::read(&out).is_ok_and(|old| old == packed) {
        return Ok(());
    }
    println!("{name}.tar.xz: {:.2} MB", packed.len() as f64 / 1e6);
    fs::create_dir_all(out.parent().context("a file has a folder")?)?;
    fs::write(&out, packed).with_context(|| format!("cannot write {}", out.display()))
}

/// The same archive with its files as they are: the one around it compresses them better.
fn stored(zip: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    let mut from = ZipArchive::new(Cursor::new(zip))?;
    let mut to = ZipWriter::new(Cursor::new(vec![]));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for at in 0..from.len() {
        let mut file = from.by_index(at)?;
        let mut bytes = vec![];
        file.read_to_end(&mut bytes)?;
        to.start_file(file.name()?, options)?;
        to.write_all(&bytes)?;
    }
    Ok(to.finish()?.into_inner())
}
