//! All rules, one after the other.

use std::collections::HashSet;
use std::fs;

use anyhow::bail;

use super::files::{crate_of, files_under};
use super::{circles, dependencies, links, names, old_words, sources, web};
use crate::workspace;

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
        let crate_folder = match crate_of(file) {
            Some(folder) => folder,
            None if file.starts_with("xtask") && sources::is_production_source(file) => "xtask",
            None => continue,
        };
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
