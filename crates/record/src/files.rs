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

use rustix::fs::{FlockOperation, Mode, OFlags, flock};
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
                return Err(writing(io::Error::other("it is not a regular file")));
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
        let is_ours = entry.metadata().is_ok_and(|found| found.is_file() && is_of_user(&found));
        if rest.is_some_and(is_gone) && is_ours {
            // What cannot be removed is seen where it lies.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether there is no process of a number. One of another container that shares the folder is not seen.
fn is_gone(process: &str) -> bool {
    let process = process.parse::<i32>().ok().and_then(Pid::from_raw);
    process.is_some_and(|process| test_kill_process(process).is_err())
}

fn is_of_user(file: &fs::Metadata) -> bool {
    file.uid() == getuid().as_raw()
}

/// A folder for what is thrown away, which nobody else may look or write into.
#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
    /// Locked: who was killed holds no lock.
    _held: File,
}

/// Names of such folders begin with this; the process and a number follow.
const SCRATCH: &str = "hotframe-record-";

impl Scratch {
    /// Makes one in the folder for temporary files, and removes there what killed processes of this user left.
    pub(crate) fn new() -> Result<Scratch, Error> {
        Scratch::below(&std::env::temp_dir())
    }

    fn below(temporary: &Path) -> Result<Scratch, Error> {
        sweep_scratch(temporary);
        for number in 0..100 {
            let path = temporary.join(format!("{SCRATCH}{}-{number}", std::process::id()));
            // Nothing that is there already is used: it may be somebody else's.
            match DirBuilder::new().mode(0o700).create(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made.map_err(Error::writing(temporary))?,
            }
            let held = File::open(&path).map_err(Error::reading(&path))?;
            lock(&held).map_err(Error::writing(&path))?;
            return Ok(Scratch { path, _held: held });
        }
        Err(Error::writing(temporary)(io::ErrorKind::AlreadyExists.into()))
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

fn lock(folder: &File) -> io::Result<()> {
    Ok(flock(folder, FlockOperation::NonBlockingLockExclusive)?)
}

/// Removes the scratch folders of this user whose process is gone and holds no lock.
fn sweep_scratch(temporary: &Path) {
    for entry in fs::read_dir(temporary).into_iter().flatten().flatten() {
        let own = entry.file_name();
        let rest = own.to_str().and_then(|name| name.strip_prefix(SCRATCH)?.split_once('-'));
        // This does not follow links.
        let is_ours = entry.metadata().is_ok_and(|found| found.is_dir() && is_of_user(&found));
        if !rest.is_some_and(|(process, _)| is_gone(process)) || !is_ours {
            continue;
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let opened = rustix::fs::open(entry.path(), flags, Mode::empty());
        if opened.is_ok_and(|folder| lock(&File::from(folder)).is_ok()) {
            let _ = beneath::remove_folder(&entry.path());
        }
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
        assert!(write(folder.path(), b"").unwrap_err().to_string().contains("not a regular file"));
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
    fn scratch_folders_of_killed_processes_are_removed() {
        let temporary = tempfile::tempdir().unwrap();
        let mut gone = std::process::Command::new("true").spawn().unwrap();
        gone.wait().unwrap();
        let at = |name: &str| temporary.path().join(name);
        let [left, held, linked] =
            [0, 1, 2].map(|number| at(&format!("{SCRATCH}{}-{number}", gone.id())));
        let alive = at(&format!("{SCRATCH}1-0"));
        let other = at("hotframe-other-0");
        for folder in [&left, &held, &alive, &other] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("perf.data"), "half").unwrap();
        }
        std::os::unix::fs::symlink(&other, &linked).unwrap();
        // As of a process that is not seen from here.
        let holder = File::open(&held).unwrap();
        lock(&holder).unwrap();
        let own = Scratch::below(temporary.path()).unwrap();
        assert!(!left.exists());
        assert!([&held, &alive, &other, &linked].into_iter().all(|path| path.exists()));
        let second = Scratch::below(temporary.path()).unwrap();
        assert!(own.path != second.path && own.path.exists() && second.path.exists());
        let paths = [own.path.clone(), second.path.clone()];
        drop((own, second));
        assert!(!paths.iter().any(|path| path.exists()));
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
