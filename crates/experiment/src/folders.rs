//! Where experiments keep what they use more than once.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};

use crate::Error;

/// A folder of the user with everything that is kept between experiments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    root: PathBuf,
}

impl Folders {
    /// Everything below a folder, which is made if it is not there.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn at(root: &Path) -> Result<Folders, Error> {
        fs::create_dir_all(root).map_err(Error::writing(root))?;
        let root = root.canonicalize().map_err(Error::reading(root))?;
        Ok(Folders { root })
    }

    /// The user's own: `$HOTFRAME_STORE`, else `hotframe` in the user's folder for data.
    ///
    /// # Errors
    /// There is no such folder, or it cannot be made.
    pub fn of_user() -> Result<Folders, Error> {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let root = variable("HOTFRAME_STORE").map(PathBuf::from);
        let root =
            root.or_else(|| Some(PathBuf::from(variable("XDG_DATA_HOME")?).join("hotframe")));
        let root =
            root.or_else(|| Some(PathBuf::from(variable("HOME")?).join(".local/share/hotframe")));
        let Some(root) = root else {
            return Err(Error::refused(
                "there is no folder to keep environments and results in",
                "name one: --store FOLDER, or the variable HOTFRAME_STORE",
            ));
        };
        Folders::at(&root)
    }

    /// All of it.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The queue of this machine.
    pub fn queue(&self) -> PathBuf {
        self.root.join("queue")
    }

    /// Environments, each in a folder that is called by its key.
    pub fn environments(&self) -> PathBuf {
        self.root.join("environments")
    }

    /// Dependencies that were locked, by what was asked for.
    pub fn locks(&self) -> PathBuf {
        self.root.join("locks")
    }

    /// Locks of results that are being written.
    pub(crate) fn results(&self) -> PathBuf {
        self.root.join("results")
    }

    /// Programs that were sent by a page, each in a folder that is called by its id.
    pub fn uploads(&self) -> PathBuf {
        self.root.join("uploads")
    }

    /// Experiments that ran with this folder, by what the queue calls them.
    pub fn batches(&self) -> Vec<String> {
        let entries = fs::read_dir(self.root.join("experiments")).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    /// What the jobs of an experiment said, by key.
    pub(crate) fn bodies(&self, batch: &str) -> PathBuf {
        self.root.join("experiments").join(batch)
    }

    /// Where commands run.
    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }
}

/// A folder that is removed in the end.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// Makes a folder of a name below another.
    pub(crate) fn below(parent: &Path, name: &str) -> Result<Scratch, Error> {
        let path = parent.join(name);
        beneath::remove_folder(&path).map_err(Error::writing(&path))?;
        fs::create_dir_all(&path).map_err(Error::writing(&path))?;
        Ok(Scratch(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Removes it now.
    ///
    /// # Errors
    /// Something in it cannot be removed.
    pub(crate) fn remove(self) -> Result<(), Error> {
        beneath::remove_folder(&self.0).map_err(Error::writing(&self.0))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is seen where it lies.
        let _ = beneath::remove_folder(&self.0);
    }
}

/// The folder of a worker, which is removed in the end. It is locked: who is not there any more holds no
/// lock.
#[derive(Debug)]
pub(crate) struct Room {
    path: PathBuf,
    _held: File,
}

impl Room {
    /// Makes the folder of a worker below that of all, and removes folders that workers of this machine
    /// left when they were killed. Names of workers are `MACHINE-NUMBER`.
    ///
    /// # Errors
    /// It cannot be made, or a worker of the same name has it: one of another machine of the same name.
    pub(crate) fn take(work: &Path, name: &str) -> Result<Room, Error> {
        Room::take_within(work, name, LONGEST_SWEEP)
    }

    fn take_within(work: &Path, name: &str, patience: Duration) -> Result<Room, Error> {
        let path = work.join(name);
        let end = Instant::now() + patience;
        loop {
            fs::create_dir_all(&path).map_err(Error::writing(&path))?;
            let held = File::open(&path).map_err(Error::reading(&path))?;
            let is_locked = is_locked(&held);
            let identity = |file: std::io::Result<fs::Metadata>| file.ok().map(|file| file.ino());
            // Another worker may have removed it before it was locked.
            if is_locked && identity(held.metadata()) == identity(fs::symlink_metadata(&path)) {
                sweep(work, name);
                return Ok(Room { path, _held: held });
            }
            if Instant::now() >= end {
                let what = format!("a worker of the same name has {}", path.display());
                let advice = "give machines that share a store names of their own (`hostname`)";
                return Err(Error::refused(what, advice));
            }
            // Another worker is about to remove it.
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = beneath::remove_folder(&self.path);
    }
}

/// Removing what a killed worker left takes no longer.
const LONGEST_SWEEP: Duration = Duration::from_secs(150);

/// Whether nobody else had a folder, which is this process's from now on.
fn is_locked(folder: &File) -> bool {
    flock(folder, FlockOperation::NonBlockingLockExclusive).is_ok()
}

/// Removes folders of workers of the same machine that hold no lock.
fn sweep(work: &Path, name: &str) {
    let machine = name.rsplit_once('-').map_or(name, |(machine, _)| machine);
    for entry in fs::read_dir(work).into_iter().flatten().flatten() {
        let other = entry.file_name();
        let other = other.to_string_lossy();
        let number = other.strip_prefix(machine).and_then(|rest| rest.strip_prefix('-'));
        let is_a_worker = number.is_some_and(|n| n.bytes().all(|byte| byte.is_ascii_digit()));
        if !is_a_worker || other == name {
            continue;
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let held = open(entry.path(), flags, Mode::empty()).map(File::from);
        // It is held until it is removed.
        if held.as_ref().is_ok_and(is_locked) {
            let _ = beneath::remove_folder(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_killed_workers_are_removed_and_no_others() {
        let work = tempfile::tempdir().unwrap();
        let at = |name: &str| work.path().join(name);
        for name in ["here-2", "here-2/deep/er", "here-x", "there-2", "here-too-2"] {
            fs::create_dir_all(at(name)).unwrap();
        }
        let living = Room::take(work.path(), "here-3").unwrap();
        let own = Room::take(work.path(), "here-4").unwrap();
        let is_there = |name: &str| at(name).exists();
        assert!(!is_there("here-2"));
        assert!(["here-3", "here-4", "here-x", "there-2", "here-too-2"].into_iter().all(is_there));
        // One that is being removed is not taken.
        let taken = Room::take_within(work.path(), "here-3", Duration::ZERO);
        assert!(taken.unwrap_err().to_string().contains("a worker of the same name has"));
        drop(own);
        assert!(!is_there("here-4") && is_there("here-3"));
        drop(living);
    }
}
