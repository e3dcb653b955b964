//! `cargo xtask tidy`: the invariants of ARCHITECTURE.md that a text search can hold.

mod circles;
mod dependencies;
mod links;
mod names;
mod old_words;
mod sources;
mod web;

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::workspace;

/// Something that breaks a rule.
#[derive(Debug)]
struct Finding {
    file: PathBuf,
    /// From 1; 0 if it is about the whole file.
    line: usize,
    /// What is wrong and what to do instead.
    message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file.display(), self.message),
            line => write!(f, "{}:{line}: {}", self.file.display(), self.message),
        }
    }
}

/// Sources of the program and of the page, tests aside.
pub(crate) fn production_sources() -> anyhow::Result<Vec<PathBuf>> {
    let is_source = |file: &PathBuf| {
        let is_test = file.to_string_lossy().contains(".test.");
        crate_of(file).is_some() && sources::is_production_source(file)
            || web::is_source(file) && !is_test
    };
    Ok(files_under(workspace::root())?.into_iter().filter(is_source).collect())
}

/// Looks at every rule and names all findings.
pub(crate) fn run() -> anyhow::Result<()> {
    let root = workspace::root();
    let files = files_under(root)?;
    let mut findings = names::check(&files);
    let mut test_modules = HashSet::new();
    let mut sources = Vec::new();
    let mut texts = Vec::new();
    for file in &files {
        let read = || fs::read_to_string(root.join(file));
        if web::is_source(file) {
            findings.extend(web::check(file, &read()?));
        }
        if file.extension().is_some_and(|end| end == "md") {
            texts.push((file.clone(), read()?));
        }
        let Some(crate_folder) = crate_of(file) else { continue };
        if file.ends_with("Cargo.toml") {
            findings.extend(dependencies::check(crate_folder, file, &read()?));
        } else if sources::is_production_source(file) {
            let source = read()?;
            test_modules.extend(sources::test_modules(file, &source));
            sources.push((crate_folder, file, source));
        }
    }
    for (crate_folder, file, source) in &sources {
        if !test_modules.contains(*file) {
            findings.extend(sources::check(crate_folder, file, source));
        }
    }
    let rust = files.iter().filter(|file| file.extension().is_some_and(|end| end == "rs"));
    let rust: Vec<String> = rust
        .filter(|file| !file.ends_with("old_words.rs"))
        .map(|file| fs::read_to_string(root.join(file)))
        .collect::<Result<_, _>>()?;
    findings.extend(old_words::check(rust.iter().map(String::as_str)));
    findings.extend(links::check(&texts, |path| root.join(path).exists()));
    let production = sources.iter().filter(|(_, file, _)| !test_modules.contains(*file));
    let production: Vec<_> =
        production.map(|(name, file, source)| (*name, *file, source.as_str())).collect();
    findings.extend(circles::check(&production));
    for finding in &findings {
        eprintln!("{finding}");
    }
    if !findings.is_empty() {
        bail!("tidy: {} findings", findings.len());
    }
    println!("tidy: {} files, no findings", files.len());
    Ok(())
}

/// `formats` for a file in `crates/formats`.
fn crate_of(file: &Path) -> Option<&str> {
    file.strip_prefix("crates").ok()?.components().next()?.as_os_str().to_str()
}

/// Folders that hold no sources of ours.
const SKIPPED: [&str; 7] =
    ["target", "node_modules", "dist", "dist-page", "dist-python", "testdata", "corpus"];

/// All files, relative to `root`, in order.
fn files_under(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
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
            } else if !name.starts_with('.') && !SKIPPED.contains(&name.as_ref()) {
                folders.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}
