//! Whether every library of ours was compiled once. Builds that ask for other features of a crate, or of what
//! it depends on, compile it again with all that stands on it, which takes minutes.

use std::collections::BTreeMap;
use std::fs;

use crate::workspace;

/// Says which were compiled more than once; of use where everything was compiled anew.
pub(super) fn line() -> anyhow::Result<Option<String>> {
    let mut ours = vec![];
    for folder in fs::read_dir(workspace::root().join("crates"))? {
        let manifest: toml::Table =
            fs::read_to_string(folder?.path().join("Cargo.toml"))?.parse()?;
        let name = manifest.get("package").and_then(|package| package.get("name"));
        ours.extend(name.and_then(|name| name.as_str()).map(|name| name.replace('-', "_")));
    }
    let mut files = vec![];
    for file in fs::read_dir(workspace::target().join("debug/deps"))? {
        files.push(file?.file_name().to_string_lossy().into_owned());
    }
    let twice = twice(&ours, &files);
    Ok((!twice.is_empty()).then(|| {
        let twice = twice.join(", ");
        format!("compiled more than once (`cargo tree --edges features` says why): {twice}")
    }))
}

/// Those of some crates of which there is more than one library.
fn twice(ours: &[String], files: &[String]) -> Vec<String> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for file in files {
        let name = file.strip_prefix("lib").and_then(|rest| rest.strip_suffix(".rlib"));
        let Some((name, _)) = name.and_then(|name| name.rsplit_once('-')) else { continue };
        *counts.entry(name).or_default() += 1;
    }
    let is_ours = |name: &str| ours.iter().any(|own| own == name);
    let many = counts.into_iter().filter(|(name, count)| *count > 1 && is_ours(name));
    many.map(|(name, _)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_of_ours_that_is_there_twice_is_found() {
        let ours = ["formats".to_owned(), "formats_tests".to_owned()];
        let files = [
            "libformats-0a.rlib",
            "libformats-0b.rlib",
            "libformats-0b.rmeta",
            "libformats_tests-0a.rlib",
            "libserde-0a.rlib",
            "libserde-0b.rlib",
            "formats-0c",
        ];
        assert_eq!(twice(&ours, &files.map(str::to_owned)), ["formats"]);
        assert_eq!(
            twice(&ours, &files[1..].iter().map(|f| f.to_string()).collect::<Vec<_>>()),
            [] as [&str; 0]
        );
    }
}
