//! Which files may be read.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use beneath::Root;

use crate::access;

/// Folders below which everything may be read.
#[derive(Debug)]
pub(super) struct Roots {
    folders: Vec<Root>,
}

impl Roots {
    /// The folders, or the current one where none is named.
    pub(super) fn new(folders: &[PathBuf]) -> Result<Roots> {
        let named = if folders.is_empty() { &[PathBuf::from(".")][..] } else { folders };
        let folders = named.iter().map(|folder| {
            Root::open(folder)
                .with_context(|| format!("--root {} cannot be read", folder.display()))
        });
        Ok(Roots { folders: folders.collect::<Result<_>>()? })
    }

    /// The first folder: relative names are told from it, and recordings are written into it.
    pub(super) fn first(&self) -> &Path {
        self.folders[0].path()
    }

    /// The same folders, opened once more.
    pub(super) fn again(&self) -> io::Result<Vec<Root>> {
        self.folders.iter().map(|folder| Root::open(folder.path())).collect()
    }

    /// Where a file is; what is wrong with it where it may not be read.
    pub(super) fn admit(&self, name: &str) -> Result<PathBuf, String> {
        let path = self.first().join(name);
        match access::open_below(&self.folders, &path) {
            Ok(_) => path.canonicalize().map_err(|error| format!("{name}: {error}")),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                Err(format!("{name}: {error}: start the server with --root FOLDER to allow it"))
            }
            Err(error) => Err(format!("{name}: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_below_a_root_is_read() {
        let place = tempfile::tempdir().unwrap();
        let (inside, outside) = (place.path().join("in"), place.path().join("out"));
        for folder in [&inside, &outside] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join("a"), "").unwrap();
        }
        std::os::unix::fs::symlink(outside.join("a"), inside.join("link")).unwrap();
        let roots = Roots::new(std::slice::from_ref(&inside)).unwrap();
        assert_eq!(roots.admit("a").unwrap(), inside.canonicalize().unwrap().join("a"));
        for name in ["../out/a", "link", outside.join("a").to_str().unwrap()] {
            let refused = roots.admit(name).unwrap_err();
            assert!(refused.contains("is not below"), "{refused}");
        }
        assert!(roots.admit("b").unwrap_err().starts_with("b: No such file"));
        let both = Roots::new(&[inside, outside]).unwrap();
        assert!(both.admit("../out/a").is_ok() && both.admit("link").is_ok());
        assert!(Roots::new(&[place.path().join("none")]).is_err());
    }
}
