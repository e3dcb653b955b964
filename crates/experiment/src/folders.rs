//! Where experiments keep what they use more than once.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::fs;
use std::path::{Path, PathBuf};

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
        match fs::remove_dir_all(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::writing(&path)(error));
            }
            _ => {}
        }
        fs::create_dir_all(&path).map_err(Error::writing(&path))?;
        Ok(Scratch(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is seen where it lies.
        let _ = fs::remove_dir_all(&self.0);
    }
}
