//! Folders that somebody hostile may be writing to: nothing in them is followed.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::fs::{
    AtFlags, Dir, FileType, Mode, OFlags, ResolveFlags, Stat, mkdirat, openat2, statat,
};
use rustix::io::Errno;

/// No link is followed, no other mount entered, and nothing above is reached.
const BENEATH: ResolveFlags = ResolveFlags::BENEATH
    .union(ResolveFlags::NO_SYMLINKS)
    .union(ResolveFlags::NO_MAGICLINKS)
    .union(ResolveFlags::NO_XDEV);

/// What stands in a folder.
pub(crate) struct Entry<'a> {
    /// From the root of the walk on, as bytes: names are anything.
    pub(crate) path: &'a [u8],
    pub(crate) kind: FileType,
    /// What it is, without following it.
    pub(crate) stat: &'a Stat,
}

/// Shows all entries below a folder, folders before what is in them, and stops after `most`.
/// Returns whether that was all: folders may be closed, or too deep to be named. What goes away
/// meanwhile is left out.
pub(crate) fn walk(
    root: BorrowedFd<'_>,
    most: u64,
    mut see: impl FnMut(&Entry<'_>),
) -> io::Result<bool> {
    let (mut seen, mut is_all) = (0, true);
    let mut folders = VecDeque::from([vec![]]);
    while let Some(folder) = folders.pop_front() {
        let opened = match open_folder(root, &folder) {
            Ok(opened) => opened,
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => continue,
            Err(Errno::ACCESS | Errno::NAMETOOLONG | Errno::XDEV) => {
                is_all = false;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        for entry in Dir::read_from(&opened)? {
            let entry = entry?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let stat = match statat(&opened, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => stat,
                Err(Errno::NOENT) => continue,
                Err(error) => return Err(error.into()),
            };
            seen += 1;
            if seen > most {
                return Ok(false);
            }
            let mut path = folder.clone();
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(name.to_bytes());
            let kind = FileType::from_raw_mode(stat.st_mode);
            see(&Entry { path: &path, kind, stat: &stat });
            if kind == FileType::Directory {
                folders.push_back(path);
            }
        }
    }
    Ok(is_all)
}

fn open_folder(root: BorrowedFd<'_>, path: &[u8]) -> rustix::io::Result<OwnedFd> {
    let path = if path.is_empty() { b"." } else { path };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    openat2(root, path, flags, Mode::empty(), BENEATH)
}

/// Opens a file for reading; a pipe does not hold it up.
pub(crate) fn open_file(root: BorrowedFd<'_>, path: &[u8]) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(openat2(root, path, flags, Mode::empty(), BENEATH)?)
}

/// Makes a file that must not be there yet, and the folders that lead to it.
pub(crate) fn make_file(root: BorrowedFd<'_>, path: &[u8], mode: Mode) -> io::Result<OwnedFd> {
    for (slash, _) in path.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
        make_folder(root, &path[..slash])?;
    }
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    Ok(openat2(root, path, flags, mode, BENEATH)?)
}

/// Makes a folder where there is none; what leads to it is there.
pub(crate) fn make_folder(root: BorrowedFd<'_>, path: &[u8]) -> io::Result<()> {
    let (above, name) = match path.iter().rposition(|byte| *byte == b'/') {
        None => (&b"."[..], path),
        Some(slash) => (&path[..slash], &path[slash + 1..]),
    };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let above = openat2(root, above, flags, Mode::empty(), BENEATH)?;
    match mkdirat(&above, name, Mode::from_raw_mode(0o755)) {
        Err(Errno::EXIST) => Ok(()),
        made => Ok(made?),
    }
}
