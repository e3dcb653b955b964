//! Trees that somebody hostile may be writing to: no link is followed, no other mount entered.

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
#[derive(Debug)]
pub struct Entry<'a> {
    /// From the root of the walk on, as bytes: names are anything.
    pub path: &'a [u8],
    /// What kind of file it is; links are links.
    pub kind: FileType,
    /// What it is, without following it.
    pub stat: &'a Stat,
}

/// Shows all entries below a folder, folders before what is in them, and stops after `most`.
/// Returns whether that was all: folders may be closed, or too deep to be named. What goes away
/// meanwhile is left out.
///
/// # Errors
/// A folder cannot be read.
pub fn walk(root: BorrowedFd<'_>, most: u64, mut see: impl FnMut(&Entry<'_>)) -> io::Result<bool> {
    let (mut left, mut is_all) = (most, true);
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
        let is_whole = entries(&opened, &folder, &mut left, |entry| {
            see(entry);
            if entry.kind == FileType::Directory {
                folders.push_back(entry.path.to_vec());
            }
        })?;
        if !is_whole {
            return Ok(false);
        }
    }
    Ok(is_all)
}

/// Shows the entries directly in a folder, and stops after `most`. Returns whether that was all.
///
/// # Errors
/// The folder cannot be read.
pub fn list(folder: BorrowedFd<'_>, most: u64, see: impl FnMut(&Entry<'_>)) -> io::Result<bool> {
    let mut left = most;
    entries(&open_folder(folder, b"")?, b"", &mut left, see)
}

fn entries(
    folder: &OwnedFd,
    path: &[u8],
    left: &mut u64,
    mut see: impl FnMut(&Entry<'_>),
) -> io::Result<bool> {
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let stat = match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => stat,
            Err(Errno::NOENT) => continue,
            Err(error) => return Err(error.into()),
        };
        let Some(rest) = left.checked_sub(1) else { return Ok(false) };
        *left = rest;
        let mut path = path.to_vec();
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(name.to_bytes());
        let kind = FileType::from_raw_mode(stat.st_mode);
        see(&Entry { path: &path, kind, stat: &stat });
    }
    Ok(true)
}

fn open_folder(root: BorrowedFd<'_>, path: &[u8]) -> rustix::io::Result<OwnedFd> {
    let path = if path.is_empty() { b"." } else { path };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    openat2(root, path, flags, Mode::empty(), BENEATH)
}

/// Opens a file for reading; a pipe does not hold it up.
///
/// # Errors
/// It is a link or behind one, or cannot be opened.
pub fn open_file(root: BorrowedFd<'_>, path: &[u8]) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(openat2(root, path, flags, Mode::empty(), BENEATH)?)
}

/// Makes a file that must not be there yet, and the folders that lead to it.
///
/// # Errors
/// Something is there, or a link leads there.
pub fn make_file(root: BorrowedFd<'_>, path: &[u8], mode: Mode) -> io::Result<OwnedFd> {
    for (slash, _) in path.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
        make_folder(root, &path[..slash])?;
    }
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    Ok(openat2(root, path, flags, mode, BENEATH)?)
}

/// Makes a folder where there is none; what leads to it is there.
///
/// # Errors
/// It cannot be made, or a link leads there.
pub fn make_folder(root: BorrowedFd<'_>, path: &[u8]) -> io::Result<()> {
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
