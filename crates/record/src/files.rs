//! Files that are there as a whole or not at all.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::process::{Pid, getuid, test_kill_process};

use crate::Error;

/// A file that is written beside the one that it becomes.
#[derive(Debug)]
pub(crate) struct Partial {
    target: PathBuf,
    path: PathBuf,
}

impl Partial {
    /// # Errors
    /// What is there is no regular file, or the folder cannot be written into.
    pub(crate) fn beside(target: &Path) -> Result<Partial, Error> {
        let target = behind_links(target).map_err(Error::writing(target))?;
        let (Some(name), writing) = (target.file_name(), Error::writing(&target)) else {
            return Err(Error::writing(&target)(io::Error::other("it names no file")));
        };
        match fs::metadata(&target) {
            Ok(found) if !found.is_file() => {
                return Err(writing(io::Error::other("it is no regular file")));
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(writing(error)),
            _ => {}
        }
        sweep(&target, name);
        let mut own = name.to_owned();
        own.push(format!(".{}.partial", std::process::id()));
        let path = target.with_file_name(own);
        // Says now what would be wrong later; perf opens it again.
        // Only for its user, as perf's own files are: stacks may hold secrets.
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path).map_err(writing)?;
        Ok(Partial { target, path })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives it its name.
    pub(crate) fn keep(self) -> Result<(), Error> {
        fs::rename(&self.path, &self.target).map_err(Error::writing(&self.target))
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // After `keep` there is nothing of this name.
        let _ = fs::remove_file(&self.path);
    }
}

/// Removes what recordings into this file left that were killed: files of this user whose process is gone.
fn sweep(target: &Path, name: &OsStr) {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new(".")));
    for entry in entries.into_iter().flatten().flatten() {
        let own = entry.file_name();
        let rest = own.as_bytes().strip_prefix(name.as_bytes()).and_then(|own| {
            std::str::from_utf8(own.strip_prefix(b".")?.strip_suffix(b".partial")?).ok()
        });
        let process = rest.and_then(|rest| rest.parse::<i32>().ok()).and_then(Pid::from_raw);
        let is_gone = process.is_some_and(|process| test_kill_process(process).is_err());
        let is_ours =
            entry.metadata().is_ok_and(|found| found.is_file() && found.uid() == getuid().as_raw());
        if is_gone && is_ours {
            // What cannot be removed is seen where it lies.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A folder for what is thrown away, which nobody else may look or write into.
#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
}

impl Scratch {
    pub(crate) fn new() -> Result<Scratch, Error> {
        let temporary = std::env::temp_dir();
        for number in 0..100 {
            let path = temporary.join(format!("hotframe-record-{}-{number}", std::process::id()));
            // Nothing that is there already is used: it may be somebody else's.
            match DirBuilder::new().mode(0o700).create(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| Scratch { path }).map_err(Error::writing(&temporary)),
            }
        }
        Err(Error::writing(&temporary)(io::ErrorKind::AlreadyExists.into()))
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = beneath::remove_folder(&self.path);
    }
}

/// Replaces a file, or makes it.
pub(crate) fn write(target: &Path, bytes: &[u8]) -> Result<(), Error> {
    let partial = Partial::beside(target)?;
    let mut file = File::create(partial.path()).map_err(Error::writing(target))?;
    file.write_all(bytes).map_err(Error::writing(target))?;
    partial.keep()
}

/// What a link leads to, also where that does not exist yet.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MOST_LINKS: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&target) {
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many links lead on from it"))
}

/// `name.ending`, or `name.2.ending` and so on where that is taken.
pub fn free_name(folder: &Path, name: &str, ending: &str) -> PathBuf {
    let first = folder.join(format!("{name}.{ending}"));
    let others = (2..).map(|number: u32| folder.join(format!("{name}.{number}.{ending}")));
    let is_free = |path: &PathBuf| fs::symlink_metadata(path).is_err();
    std::iter::once(first).chain(others).find(is_free).unwrap_or_default()
}

/// A path as a file in `folder` names it: relative to it where it is below it.
pub fn kept_in(folder: &Path, path: &Path) -> PathBuf {
    let whole = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path));
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    match (whole(folder), whole(path)) {
        (Ok(folder), Ok(path)) => match path.strip_prefix(folder) {
            Ok(below) => below.to_owned(),
            Err(_) => path,
        },
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a");
        fs::write(&target, "before").unwrap();
        drop(Partial::beside(&target).unwrap());
        assert_eq!(fs::read_to_string(&target).unwrap(), "before");
        std::os::unix::fs::symlink("a", folder.path().join("link")).unwrap();
        write(&folder.path().join("link"), b"after").unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "after");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        assert!(write(folder.path(), b"").unwrap_err().to_string().contains("no regular file"));
    }

    #[test]
    fn what_a_killed_process_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let mut gone = std::process::Command::new("true").spawn().unwrap();
        gone.wait().unwrap();
        let left = folder.path().join(format!("a.{}.partial", gone.id()));
        let other = folder.path().join(format!("b.{}.partial", gone.id()));
        let alive = folder.path().join("a.1.partial");
        for file in [&left, &other, &alive] {
            fs::write(file, "half").unwrap();
        }
        write(&folder.path().join("a"), b"whole").unwrap();
        assert!(!left.exists() && other.exists() && alive.exists());
    }

    #[test]
    fn names_are_free_and_paths_short() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert_eq!(free_name(path, "x", "perf.data"), path.join("x.perf.data"));
        fs::write(path.join("x.perf.data"), "").unwrap();
        assert_eq!(free_name(path, "x", "perf.data"), path.join("x.2.perf.data"));
        assert_eq!(kept_in(path, &path.join("x.perf.data")), Path::new("x.perf.data"));
        assert_eq!(kept_in(path, Path::new("/")), Path::new("/"));
    }
}
