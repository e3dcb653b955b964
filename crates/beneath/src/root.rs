//! A folder below which files may be read.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// An open folder below which files may be read.
#[derive(Debug)]
pub struct Root {
    /// Without symbolic links.
    path: PathBuf,
    #[cfg(target_os = "linux")]
    folder: rustix::fd::OwnedFd,
}

impl Root {
    /// Opens a folder.
    ///
    /// # Errors
    /// It is not a folder, or cannot be opened.
    pub fn open(folder: &Path) -> io::Result<Root> {
        let path = folder.canonicalize()?;
        if !path.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{Mode, OFlags};
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let folder = rustix::fs::open(&path, flags, Mode::empty())?;
            Ok(Root { path, folder })
        }
        #[cfg(not(target_os = "linux"))]
        Ok(Root { path })
    }

    /// The folder, without symbolic links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file or folder, without symbolic links, if it is below this folder.
    #[must_use]
    pub fn admits(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok().filter(|path| path.starts_with(&self.path))
    }

    /// Opens a file or folder below this one for reading; links that lead out of it are refused. `path`
    /// is absolute, or relative to this folder.
    ///
    /// # Errors
    /// It is not below this folder (`PermissionDenied`), or cannot be opened.
    pub fn read(&self, path: &Path) -> io::Result<File> {
        let found = self.path.join(path).canonicalize()?;
        let below = found.strip_prefix(&self.path).map_err(|_| self.refusal())?;
        self.read_below(below)
    }

    /// Nothing of the path is a link by now: one that comes meanwhile is refused.
    #[cfg(target_os = "linux")]
    fn read_below(&self, below: &Path) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
        let below = if below.as_os_str().is_empty() { Path::new(".") } else { below };
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        // A pipe is not waited for.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        match openat2(&self.folder, below, flags, Mode::empty(), resolve) {
            Ok(file) => Ok(file.into()),
            Err(rustix::io::Errno::XDEV | rustix::io::Errno::LOOP) => Err(self.refusal()),
            Err(error) => Err(error.into()),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn read_below(&self, below: &Path) -> io::Result<File> {
        File::open(self.path.join(below))
    }

    fn refusal(&self) -> io::Error {
        let told = format!("it is not below {}", self.path.display());
        io::Error::new(io::ErrorKind::PermissionDenied, told)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::io::Read as _;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn reads_what_is_below_alone() {
        let place = tempfile::tempdir().unwrap();
        let (inside, outside) = (place.path().join("in"), place.path().join("out"));
        for folder in [&inside, &outside] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("a"), "a").unwrap();
        }
        symlink(outside.join("a"), inside.join("out")).unwrap();
        symlink(&outside, inside.join("folder")).unwrap();
        symlink("a", inside.join("relative")).unwrap();
        symlink(inside.join("a"), inside.join("absolute")).unwrap();
        let root = Root::open(&inside).unwrap();
        for name in ["a", "relative", "absolute", "./a", "../in/a"] {
            let mut text = String::new();
            root.read(Path::new(name)).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "a", "{name}");
        }
        assert!(root.read(Path::new(".")).unwrap().metadata().unwrap().is_dir());
        assert!(root.read(&inside.join("a")).is_ok());
        for name in ["out", "folder/a", "../out/a", "/etc/passwd"] {
            let error = root.read(Path::new(name)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{name}: {error}");
            assert_eq!(root.admits(&inside.join(name)), None);
        }
        assert_eq!(root.read(Path::new("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(
            Root::open(&inside.join("a")).is_err() && Root::open(&inside.join("none")).is_err()
        );
    }

    /// Who can write into the root may exchange a folder while its path is looked at.
    #[cfg(target_os = "linux")]
    #[test]
    fn refuses_a_link_that_comes_after_the_look() {
        let place = tempfile::tempdir().unwrap();
        let (inside, outside) = (place.path().join("in"), place.path().join("out"));
        for folder in [&inside, &outside] {
            fs::create_dir_all(folder.join("sub")).unwrap();
            fs::write(folder.join("sub/a"), "a").unwrap();
        }
        let root = Root::open(&inside).unwrap();
        assert!(root.read_below(Path::new("sub/a")).is_ok());
        fs::rename(inside.join("sub"), inside.join("old")).unwrap();
        symlink(outside.join("sub"), inside.join("sub")).unwrap();
        let error = root.read_below(Path::new("sub/a")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
    }
}
