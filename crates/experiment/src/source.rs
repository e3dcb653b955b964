//! The files that a command needs, as one archive that is always the same for the same files.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::fs::{self, File};
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use tar::{Archive, Builder, EntryType, Header};

use crate::Error;
use crate::interpreter::bounded_output;
use crate::plan::SourceOptions;
use crate::revision;

/// Most bytes of all files, and most files.
const MOST_BYTES: u64 = 256 << 20;
const MOST_FILES: usize = 20_000;

/// Writes the archive of the files.
pub(crate) fn pack(asked: &SourceOptions, to: &mut dyn Write) -> Result<(), Error> {
    let is_here = asked.folder.as_os_str().is_empty();
    let folder = if is_here { Path::new(".") } else { &asked.folder };
    let mut archive = Builder::new(to);
    let mut bytes = 0;
    let files = files(asked, folder)?;
    if files.len() > MOST_FILES {
        return Err(too_much(folder, &format!("{} files", files.len())));
    }
    for name in files {
        let path = folder.join(&name);
        let Ok(found) = fs::symlink_metadata(&path) else { continue };
        let mut header = Header::new_gnu();
        header.set_mtime(0);
        let written = if found.is_symlink() {
            let target = fs::read_link(&path).map_err(Error::reading(&path))?;
            header.set_entry_type(EntryType::Symlink);
            header.set_size(0);
            header.set_mode(0o777);
            archive.append_link(&mut header, &name, target)
        } else if found.is_file() {
            bytes += found.len();
            if bytes > MOST_BYTES {
                return Err(too_much(folder, "more than 256 MiB"));
            }
            use std::os::unix::fs::PermissionsExt as _;
            let may_run = found.permissions().mode() & 0o100 != 0;
            header.set_entry_type(EntryType::Regular);
            header.set_mode(if may_run { 0o755 } else { 0o644 });
            // What grows meanwhile is taken as it was, and what shrinks is an error.
            let content = fs::read(&path).map_err(Error::reading(&path))?;
            header.set_size(content.len() as u64);
            archive.append_data(&mut header, &name, content.as_slice())
        } else {
            continue;
        };
        written.map_err(Error::reading(&path))?;
    }
    archive.finish().map_err(Error::reading(folder))
}

fn too_much(folder: &Path, what: &str) -> Error {
    Error::refused(
        format!("{} has {what}, too much to be kept with each experiment", folder.display()),
        "name what the command needs: [source] files = [\"p.py\"]; or run it where it is: in_place = true",
    )
}

/// Names of files below the folder, in order.
fn files(asked: &SourceOptions, folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = vec![];
    for name in &asked.files {
        let is_inside = name.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_inside || fs::symlink_metadata(folder.join(name)).is_err() {
            return Err(Error::refused(
                format!("there is no {} in {}", name.display(), folder.display()),
                "files of a source are named from its folder, and lie in it",
            ));
        }
        walk(folder, name, &mut found)?;
    }
    if asked.files.is_empty() {
        match tracked(folder) {
            Some(names) => found = names,
            None => walk(folder, Path::new(""), &mut found)?,
        }
        // What experiments make is not a part of them.
        let is_made = |name: &PathBuf| {
            let text = name.file_name().unwrap_or_default().to_string_lossy();
            text.ends_with(".hotframe") || text.starts_with('.') && text.contains(".hotframe.")
        };
        found.retain(|name| !is_made(name) && asked.plan.as_ref() != Some(name));
    }
    found.sort();
    found.dedup();
    Ok(found)
}

impl SourceOptions {
    /// Whether all files of its folder are run, because nobody says which and git does not know it.
    pub fn takes_everything(&self) -> bool {
        self.files.is_empty() && !self.in_place && tracked(&self.folder).is_none()
    }
}

/// What git tracks or would track; none where it knows nothing of the folder, or is told to ignore it.
fn tracked(folder: &Path) -> Option<Vec<PathBuf>> {
    let mut ignored = revision::command(folder);
    ignored.args(["check-ignore", "-q", "."]);
    if bounded_output(&mut ignored, Duration::from_secs(60)).is_ok() {
        return None;
    }
    let mut command = revision::command(folder);
    command.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let names = bounded_output(&mut command, Duration::from_secs(60)).ok()?;
    let names = names.split(|&byte| byte == 0).filter(|name| !name.is_empty());
    use std::os::unix::ffi::OsStrExt as _;
    Some(names.map(|name| PathBuf::from(std::ffi::OsStr::from_bytes(name))).collect())
}

/// Everything at and below a name, without what is hidden and what interpreters leave.
fn walk(folder: &Path, name: &Path, found: &mut Vec<PathBuf>) -> Result<(), Error> {
    let mut names = vec![name.to_owned()];
    while let Some(name) = names.pop() {
        let path = folder.join(&name);
        let kind = fs::symlink_metadata(&path).map_err(Error::reading(&path))?;
        if !kind.is_dir() {
            found.push(name);
            if found.len() > MOST_FILES {
                return Err(too_much(folder, "more than 20,000 files"));
            }
            continue;
        }
        for entry in fs::read_dir(&path).map_err(Error::reading(&path))? {
            let entry = entry.map_err(Error::reading(&path))?.file_name();
            let text = entry.to_string_lossy();
            if !text.starts_with('.') && text != "__pycache__" && text != "node_modules" {
                names.push(name.join(entry));
            }
        }
    }
    Ok(())
}

/// Unpacks an archive into a folder that is there. Nothing of it lands anywhere else.
pub(crate) fn unpack(archive: &Path, folder: &Path) -> Result<(), Error> {
    let open = File::open(archive).map_err(Error::reading(archive))?;
    let mut archive_of = Archive::new(open);
    archive_of.set_preserve_mtime(false);
    archive_of.set_preserve_permissions(true);
    archive_of.unpack(folder).map_err(Error::reading(archive))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_files_are_the_same_archive() {
        let folder = tempfile::tempdir().unwrap();
        let one = folder.path().join("one");
        fs::create_dir_all(one.join("data/.hidden")).unwrap();
        fs::create_dir_all(one.join("__pycache__")).unwrap();
        for (name, text) in [
            ("p.py", "print(1)"),
            ("data/a", "x"),
            ("data/.hidden/b", "y"),
            ("__pycache__/p.pyc", "z"),
            ("p.hotframe", "result"),
        ] {
            fs::write(one.join(name), text).unwrap();
        }
        std::os::unix::fs::symlink("p.py", one.join("link.py")).unwrap();
        let packed = |files: &[&str]| {
            let files = files.iter().map(PathBuf::from).collect();
            let asked = SourceOptions { folder: one.clone(), files, in_place: false, plan: None };
            let mut bytes = vec![];
            pack(&asked, &mut bytes).map(|()| bytes)
        };
        let all = packed(&[]).unwrap();
        assert_eq!(packed(&[]).unwrap(), all);
        let archive = folder.path().join("a.tar");
        fs::write(&archive, &all).unwrap();
        let other = folder.path().join("other");
        fs::create_dir(&other).unwrap();
        unpack(&archive, &other).unwrap();
        let mut found = vec![];
        walk(&other, Path::new(""), &mut found).unwrap();
        found.sort();
        assert_eq!(found, ["data/a", "link.py", "p.py"].map(PathBuf::from));
        assert_eq!(fs::read_to_string(other.join("link.py")).unwrap(), "print(1)");
        let few = packed(&["p.py"]).unwrap();
        assert!(few.len() < all.len());
        assert!(packed(&["q.py"]).unwrap_err().to_string().contains("there is no q.py"));
        assert!(packed(&["../x"]).is_err());
    }
}
