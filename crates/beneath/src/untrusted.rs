//! A folder that an untrusted program can write into.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, OFlags, Stat, fstat, open, openat};

use crate::tree;

/// An open folder that an untrusted program can write into.
///
/// The program can replace each entry at any time by a link, a pipe, a folder or another file. Only
/// regular files with one name are opened, and opening never waits.
#[derive(Debug)]
pub struct Untrusted {
    folder: OwnedFd,
    path: PathBuf,
}

/// A regular file of such a folder, as it was when the folder was listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name, which is UTF-8.
    pub name: String,
    /// Its length in bytes.
    pub length: u64,
}

impl Untrusted {
    /// Opens a folder before anybody untrusted can write into it. The last part of the path must not be
    /// a link.
    ///
    /// # Errors
    /// It is not a folder, or cannot be opened.
    pub fn open(path: &Path) -> io::Result<Untrusted> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = open(path, flags, Mode::empty())?;
        Ok(Untrusted { folder, path: path.to_owned() })
    }

    /// Where it was when it was opened, for messages and for programs that write into it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The regular files directly in it, by name, and how many other entries it has: links, pipes,
    /// sockets, devices, folders, files with a second name, and files whose name is not UTF-8.
    ///
    /// # Errors
    /// The folder cannot be read, or has more than `most` entries.
    pub fn files(&self, most: u64) -> io::Result<(Vec<Entry>, u64)> {
        let (mut files, mut others) = (vec![], 0);
        let is_all = tree::list(self.folder.as_fd(), most, |entry| {
            match (std::str::from_utf8(entry.path), u64::try_from(entry.stat.st_size)) {
                (Ok(name), Ok(length)) if is_plain(entry.stat) => {
                    files.push(Entry { name: name.to_owned(), length });
                }
                _ => others += 1,
            }
        })?;
        if !is_all {
            return Err(io::Error::other(format!("it has more than {most} files")));
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok((files, others))
    }

    /// Opens a regular file directly in it for reading.
    ///
    /// # Errors
    /// There is none of this name, or it is a link or anything else than a regular file with one name.
    pub fn open_file(&self, name: &str) -> io::Result<File> {
        if name.contains('/') || matches!(name, "" | "." | "..") {
            return Err(io::Error::other("not the name of a file"));
        }
        plain(openat(&self.folder, name, READ, Mode::empty())?)
    }

    /// Reads a small file whole.
    ///
    /// # Errors
    /// As [`Untrusted::open_file`]; or it has more than `most` bytes.
    pub fn read(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        use std::io::Read as _;
        let mut bytes = vec![];
        self.open_file(name)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(io::Error::other(format!("it has more than {most} bytes")));
        }
        Ok(bytes)
    }
}

/// Opening a pipe for reading would wait for a writer without `NONBLOCK`.
const READ: OFlags =
    OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

/// Opens a regular file that a program left at a path, if the path's last part is not a link.
///
/// # Errors
/// There is none, or it is a link or anything else than a regular file with one name.
pub fn open_regular(path: &Path) -> io::Result<File> {
    plain(openat(CWD, path, READ, Mode::empty())?)
}

/// The file, if it is a regular one.
fn plain(file: OwnedFd) -> io::Result<File> {
    let stat = fstat(&file)?;
    if is_plain(&stat) {
        return Ok(file.into());
    }
    Err(io::Error::other(match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => "it has a second name (a hard link)",
        _ => "it is not a regular file",
    }))
}

/// A second name of a file would let it be counted twice, or be somebody else's.
fn is_plain(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile && stat.st_nlink == 1
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use super::*;

    /// A folder with everything that a program may leave under the name that is asked for.
    #[test]
    fn opens_regular_files_with_one_name_alone() {
        let place = tempfile::tempdir().unwrap();
        let outside = place.path().join("victim");
        fs::write(&outside, "victim").unwrap();
        let folder = place.path().join("parts");
        fs::create_dir(&folder).unwrap();
        let untrusted = Untrusted::open(&folder).unwrap();
        fs::write(folder.join("good"), "good").unwrap();
        symlink(&outside, folder.join("link")).unwrap();
        symlink(place.path(), folder.join("link to a folder")).unwrap();
        symlink("nowhere", folder.join("dangling")).unwrap();
        symlink("good", folder.join("link to a sibling")).unwrap();
        fs::create_dir(folder.join("folder")).unwrap();
        fs::hard_link(&outside, folder.join("hard link")).unwrap();
        let _socket = UnixListener::bind(folder.join("socket")).unwrap();
        let pipe = folder.join("pipe");
        rustix::fs::mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let (files, others) = untrusted.files(100).unwrap();
        assert_eq!(files, [Entry { name: "good".to_owned(), length: 4 }]);
        assert_eq!(others, 8);
        assert_eq!(untrusted.read("good", 4).unwrap(), b"good");
        assert!(untrusted.read("good", 3).unwrap_err().to_string().contains("more than 3"));
        assert!(untrusted.files(2).unwrap_err().to_string().contains("more than 2"));
        for name in [
            "link",
            "link to a folder",
            "dangling",
            "link to a sibling",
            "folder",
            "hard link",
            "socket",
            "pipe",
            "none",
            "",
            ".",
            "..",
            "../victim",
            "link to a folder/victim",
        ] {
            assert!(untrusted.open_file(name).is_err(), "{name}");
            assert!(
                name.len() < 3 || open_regular(&folder.join(name)).is_err() || name.contains('/')
            );
        }
        assert!(open_regular(&folder.join("good")).is_ok());
    }

    #[test]
    fn stays_the_same_folder() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("parts");
        fs::create_dir(&folder).unwrap();
        let untrusted = Untrusted::open(&folder).unwrap();
        fs::rename(&folder, place.path().join("moved")).unwrap();
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("other"), "").unwrap();
        assert_eq!(untrusted.files(10).unwrap(), (vec![], 0));
        fs::remove_dir_all(&folder).unwrap();
        symlink(place.path(), &folder).unwrap();
        assert!(Untrusted::open(&folder).is_err(), "a link is not opened");
    }
}
