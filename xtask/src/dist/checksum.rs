//! Hashes of packages.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};

use super::stage::folder;
use super::version;

/// The SHA-256 of a file, as hexadecimal digits.
pub(super) fn sha256(file: &Path) -> anyhow::Result<String> {
    let bytes = fs::read(file).with_context(|| format!("no {}", file.display()))?;
    Ok(hex(&sha256_of(&bytes)))
}

/// The SHA-256 of bytes.
pub(super) fn sha256_of(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes `SHA256SUMS`, as `sha256sum` does, of these files and those that it listed before and that are still
/// there: packages for several machines come one after the other.
pub(super) fn write(files: &[PathBuf]) -> anyhow::Result<PathBuf> {
    let list = folder().join("SHA256SUMS");
    let mut names: Vec<String> = fs::read_to_string(&list)
        .unwrap_or_default()
        .lines()
        .filter_map(|line| line.split_once("  ").map(|(_, name)| name.to_owned()))
        .chain(files.iter().filter_map(|file| Some(file.file_name()?.to_str()?.to_owned())))
        .filter(|name| folder().join(name).is_file() && is_of_this_version(name))
        .collect();
    names.sort();
    names.dedup();
    let mut text = String::new();
    for name in names {
        text += &format!("{}  {name}\n", sha256(&folder().join(&name))?);
    }
    fs::write(&list, text)?;
    Ok(list)
}

/// Whether a file is not a package of another version.
fn is_of_this_version(name: &str) -> bool {
    let has_version =
        name.split(['-', '_']).any(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    !has_version || name.contains(version())
}
