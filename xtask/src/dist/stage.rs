//! Folders where packages are laid out, and what is in them.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::Context as _;
use zip::ZipArchive;

use crate::{command, workspace};

/// Whether packages are only tried out: then they do not take the place of those that are handed out.
static IS_TRIAL: OnceLock<bool> = OnceLock::new();

/// Says that this process only tries packages out.
pub(super) fn for_trial() {
    let _ = IS_TRIAL.set(true);
}

/// Where packages come.
pub(super) fn folder() -> PathBuf {
    let name = if IS_TRIAL.get().is_some() { "dist-trial" } else { "dist" };
    workspace::target().join(name)
}

/// An empty folder of that name where packages are laid out.
pub(super) fn fresh_folder(name: &str) -> anyhow::Result<PathBuf> {
    let folder = folder().join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

pub(super) fn license() -> anyhow::Result<String> {
    let root = workspace::root();
    Ok(format!(
        "Hotframe may be used under either of these licences, at your option.\n\n{}\n\n{}",
        fs::read_to_string(root.join("LICENSE-MIT"))?,
        fs::read_to_string(root.join("LICENSE-APACHE"))?
    ))
}

/// The text in an archive whose name ends so.
pub(super) fn unpacked(archive: &Path, end: &str) -> anyhow::Result<String> {
    let mut files = ZipArchive::new(File::open(archive)?)?;
    let name = files.file_names().flatten().find(|name| name.ends_with(end));
    let name =
        name.with_context(|| format!("{} has no file {end}", archive.display()))?.into_owned();
    let mut text = String::new();
    files.by_name(&name)?.read_to_string(&mut text)?;
    Ok(text)
}

/// The text of a file in a `.tgz`.
pub(super) fn unpacked_tar(archive: &Path, name: &str) -> anyhow::Result<String> {
    command::output(Command::new("tar").arg("-xzOf").arg(archive).arg(name))
}

/// Copies a file, or a folder with all that is in it; the right to execute stays.
pub(super) fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    if !from.is_dir() {
        fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
        return Ok(());
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "for people")]
pub(super) fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
