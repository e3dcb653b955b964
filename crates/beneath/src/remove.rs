//! Removing what a program left, however deep its folders are.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{
    AtFlags, CWD, Dir, Mode, OFlags, ResolveFlags, chmod, fchmod, openat2, renameat, unlinkat,
};
use rustix::io::Errno;
use rustix::path::Arg;

/// Removes a folder and all that is in it. Links are removed and not followed, other mounts are not entered.
/// It takes the same few open files however deep its folders are: what is in a folder below is moved up
/// before it is removed. Nothing is done where there is no such folder.
///
/// # Errors
/// The path leads to something else, something in it cannot be removed, or another process still writes into it.
/// What was found before that is removed.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    let top = match open(CWD, path, ResolveFlags::empty()) {
        Ok(top) => top,
        Err(Errno::NOENT) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let mut removal = Removal { top, moved: 0, end: Instant::now() + LONGEST };
    while let Some(names) = removal.names(None)? {
        for name in names {
            removal.remove(&name)?;
        }
    }
    Ok(unlinkat(CWD, path, AtFlags::REMOVEDIR)?)
}

/// So many names of a folder are read at once.
const AT_ONCE: usize = 10_000;

/// Nobody leaves so much that removing it takes longer.
const LONGEST: Duration = Duration::from_secs(120);

struct Removal {
    top: OwnedFd,
    /// Folders that were moved into the top.
    moved: u64,
    end: Instant,
}

impl Removal {
    /// Removes what has a name in the top. Folders that are in it stand in the top afterwards.
    fn remove(&mut self, name: &CString) -> io::Result<()> {
        if is_removed(self.top.as_fd(), name)? {
            return Ok(());
        }
        let folder = open(self.top.as_fd(), name, INSIDE)?;
        while let Some(names) = self.names(Some(folder.as_fd()))? {
            for one in names {
                if !is_removed(folder.as_fd(), &one)? {
                    // One that may not be written to cannot be moved either: its `..` changes.
                    open(folder.as_fd(), &one, INSIDE)?;
                    self.move_up(folder.as_fd(), &one)?;
                }
            }
        }
        Ok(unlinkat(&self.top, name, AtFlags::REMOVEDIR)?)
    }

    fn move_up(&mut self, folder: BorrowedFd<'_>, name: &CString) -> io::Result<()> {
        loop {
            self.moved += 1;
            match renameat(folder, name, &self.top, format!(".removed-{}", self.moved)) {
                // Something there is called so.
                Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => {}
                moved => return Ok(moved?),
            }
        }
    }

    /// The first names in a folder, or in the top; none where there is nothing.
    fn names(&self, folder: Option<BorrowedFd<'_>>) -> io::Result<Option<Vec<CString>>> {
        if Instant::now() >= self.end {
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "another process still writes into it",
            ));
        }
        let mut names = vec![];
        for entry in Dir::read_from(folder.unwrap_or(self.top.as_fd()))? {
            let entry = entry?;
            if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
                names.push(entry.file_name().to_owned());
            }
            if names.len() >= AT_ONCE {
                break;
            }
        }
        Ok((!names.is_empty()).then_some(names))
    }
}

const INSIDE: ResolveFlags =
    ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS).union(ResolveFlags::NO_XDEV);

/// Whether something could be removed at once, or was gone; not so is a folder with something in it.
fn is_removed(folder: BorrowedFd<'_>, name: &CString) -> io::Result<bool> {
    match unlinkat(folder, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => return Ok(true),
        // File systems differ in how they say that it is a folder.
        Err(Errno::ISDIR | Errno::PERM) => {}
        Err(error) => return Err(error.into()),
    }
    match unlinkat(folder, name, AtFlags::REMOVEDIR) {
        Ok(()) => Ok(true),
        Err(Errno::NOTEMPTY | Errno::EXIST | Errno::ACCESS) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Opens a folder that is not a link, and lets its owner read and write it.
fn open(above: BorrowedFd<'_>, name: impl Arg, how: ResolveFlags) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let named = openat2(above, name, flags | OFlags::PATH, Mode::empty(), how)?;
    // A name of the open folder, whatever stands at its path by now.
    let path = format!("/proc/self/fd/{}", named.as_raw_fd());
    let folder =
        match openat2(&named, c".", OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty(), how) {
            Err(Errno::ACCESS) => {
                chmod(path, Mode::RWXU)?;
                openat2(&named, c".", OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty(), how)?
            }
            opened => opened?,
        };
    fchmod(&folder, Mode::RWXU)?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use rustix::fs::{mkdirat, openat};

    use super::*;

    #[test]
    fn folders_are_removed_however_deep_they_are() {
        let place = tempfile::tempdir().unwrap();
        let top = place.path().join("top");
        fs::create_dir(&top).unwrap();
        let folder = |above: BorrowedFd<'_>, name: &Path| open(above, name, ResolveFlags::empty());
        let mut here = folder(CWD, &top).unwrap();
        // Paths end at 4,096 bytes and processes at some 1,000 open files.
        for depth in 0..3_000 {
            for name in ["a", "b"] {
                mkdirat(&here, name, Mode::RWXU).unwrap();
            }
            openat(&here, "file", OFlags::CREATE | OFlags::WRONLY, Mode::RUSR).unwrap();
            here = folder(here.as_fd(), Path::new(["a", "b"][depth % 2])).unwrap();
        }
        remove_folder(&top).unwrap();
        assert!(!top.exists());
        remove_folder(&top).unwrap();
    }

    #[test]
    fn nothing_else_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let (top, other) = (place.path().join("top"), place.path().join("other"));
        fs::create_dir_all(other.join("folder")).unwrap();
        fs::write(other.join("file"), "kept").unwrap();
        fs::create_dir_all(top.join("folder/inner/innermost")).unwrap();
        fs::create_dir_all(top.join(".removed-1/x/y")).unwrap();
        fs::write(top.join(".removed-2"), "").unwrap();
        for folder in [&top, &top.join("folder"), &top.join("folder/inner")] {
            symlink(&other, folder.join("link")).unwrap();
            fs::hard_link(other.join("file"), folder.join("hard link")).unwrap();
        }
        let mode = |path: &str, mode| {
            fs::set_permissions(top.join(path), fs::Permissions::from_mode(mode)).unwrap();
        };
        mode("folder/inner/innermost", 0o000);
        mode("folder/inner", 0o500);
        mode("folder", 0o000);
        assert!(remove_folder(&top.join("link")).is_err() && other.join("file").exists());
        // A link in the place of the folder is not followed.
        let link = place.path().join("link");
        symlink(&other, &link).unwrap();
        assert!(remove_folder(&link).is_err());
        remove_folder(&top).unwrap();
        assert!(!top.exists());
        assert_eq!(fs::read_to_string(other.join("file")).unwrap(), "kept");
        assert!(other.join("folder").exists());
    }
}
