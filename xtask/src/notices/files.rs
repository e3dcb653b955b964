//! The texts that a package brings, or the standard text of its licence.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, anyhow};
use spdx::{Expression, LicenseItem, ParseMode};

use super::package::Text;

/// How names of files with licences begin.
const BEGINNINGS: [&str; 6] = ["license", "licence", "notice", "copying", "copyright", "unlicense"];

/// Folders that are not in what is handed out.
const SKIPPED: [&str; 6] = ["node_modules", "tests", "benches", "examples", "testdata", ".git"];

/// The texts of a package: those in its folder, or else the usual ones of its licence.
pub(super) fn of_package(
    folder: &Path,
    named: Option<&Path>,
    license: &str,
    authors: &[String],
) -> anyhow::Result<Vec<Text>> {
    let mut texts = in_folder(folder, named)?;
    // Sources that it took over may have been offered under that, too.
    texts.retain(|text| license.contains("GPL") || !text.text.trim_start().starts_with("GNU "));
    let unwritten = "its authors".to_owned();
    let authors = if authors.is_empty() { &[unwritten] } else { authors };
    if texts.is_empty() { standard(license, &authors.join(", ")) } else { Ok(texts) }
}

/// The licences in a package's folder and below: code that it took over has its own beside it.
fn in_folder(folder: &Path, named: Option<&Path>) -> anyhow::Result<Vec<Text>> {
    let mut texts = vec![];
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        let entries =
            fs::read_dir(&next).with_context(|| format!("cannot read {}", next.display()))?;
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type()?.is_dir() {
                if !SKIPPED.contains(&name.as_str()) {
                    folders.push(entry.path());
                }
            } else if is_license(&name)
                || named.is_some_and(|file| folder.join(file) == entry.path())
            {
                let from = entry.path().strip_prefix(folder)?.display().to_string();
                let bytes = fs::read(entry.path())?;
                texts.push(Text { from, text: String::from_utf8_lossy(&bytes).into_owned() });
            }
        }
    }
    texts.sort();
    Ok(texts)
}

/// `LICENSE-MIT`, `License.md` and the like, and no source of that name.
fn is_license(name: &str) -> bool {
    let name = name.to_lowercase();
    let is_code = [".rs", ".js", ".ts", ".mjs", ".py", ".c", ".h", ".json", ".html"];
    BEGINNINGS.iter().any(|begin| name.starts_with(begin))
        && !is_code.iter().any(|end| name.ends_with(end))
}

/// The texts that SPDX has for a licence, for packages that bring none.
pub(super) fn standard(license: &str, by: &str) -> anyhow::Result<Vec<Text>> {
    let expression = Expression::parse_mode(license, ParseMode::LAX)
        .map_err(|error| anyhow!("{license:?} is not a licence: {}", error.reason))?;
    let ids = expression.requirements().filter_map(|required| match &required.req.license {
        LicenseItem::Spdx { id, .. } => Some(id),
        LicenseItem::Other { .. } => None,
    });
    let text = |id: &spdx::LicenseId| Text {
        from: format!("by {by}; the package brings no text, this is the usual one of {}", id.name),
        text: id.text().to_owned(),
    };
    Ok(ids.map(text).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_licences_are_known_by_name() {
        for name in ["LICENSE", "License.md", "LICENSE.httprouter", "COPYING", "NOTICE.txt"] {
            assert!(is_license(name), "{name}");
        }
        for name in ["license.rs", "README.md", "licenses.json"] {
            assert!(!is_license(name), "{name}");
        }
    }

    #[test]
    fn licences_have_standard_texts() {
        let texts = standard("MIT/Apache-2.0", "Ada").unwrap();
        assert_eq!(texts.len(), 2);
        assert!(texts[0].from.starts_with("by Ada") && texts[0].from.ends_with("MIT"));
        assert!(texts[0].text.contains("Permission is hereby granted"));
        assert!(standard("none", "").is_err());
    }
}
