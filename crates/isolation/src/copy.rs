//! What goes into the folder before a run, and what is brought out of it after.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};

use beneath::tree::{self, Entry};
use glob::{MatchOptions, Pattern};
use rustix::fs::{AtFlags, FileType, Mode, fstat, readlinkat, symlinkat, unlinkat};

use crate::end::Brought;
use crate::{Bring, Error};

/// `*` stays in its folder, `**` does not; names that begin with a dot are as others.
const MATCHING: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// So many refusals are told with their names.
const TOLD: usize = 20;

/// Reads the patterns.
pub(crate) fn patterns(bring: &Bring) -> Result<Vec<Pattern>, Error> {
    let read = |text: &String| {
        Pattern::new(text).map_err(|error| {
            Error::Asked(format!("`{text}` is not a pattern of files to bring out: {error}"))
        })
    };
    bring.patterns.iter().map(read).collect()
}

/// Copies files, folders and links; nobody writes to either side meanwhile.
pub(crate) fn copy_in(from: BorrowedFd<'_>, to: BorrowedFd<'_>, most: u64) -> io::Result<()> {
    let mut failed = None;
    let is_all = tree::walk(from, most, |entry| {
        if failed.is_none() {
            let named = |error| {
                let path = String::from_utf8_lossy(entry.path);
                io::Error::other(format!("{path}: {error}"))
            };
            failed = copy_one_in(from, to, entry).map_err(named).err();
        }
    })?;
    match failed {
        Some(error) => Err(error),
        None if !is_all => Err(io::Error::other(format!(
            "it has more than {most} files, or folders that are closed"
        ))),
        None => Ok(()),
    }
}

fn copy_one_in(from: BorrowedFd<'_>, to: BorrowedFd<'_>, entry: &Entry<'_>) -> io::Result<()> {
    match entry.kind {
        FileType::Directory => tree::make_folder(to, entry.path),
        FileType::RegularFile => {
            let mut source = File::from(tree::open_file(from, entry.path)?);
            let mode = Mode::from_raw_mode(entry.stat.st_mode & 0o777 | 0o600);
            let mut copy = File::from(tree::make_file(to, entry.path, mode)?);
            io::copy(&mut source, &mut copy).map(|_| ())
        }
        FileType::Symlink => {
            let target = readlinkat(from, entry.path, vec![])?;
            Ok(symlinkat(target, to, entry.path)?)
        }
        _ => Err(io::Error::other("it is neither a file nor a folder nor a link")),
    }
}

/// Copies what the patterns fit. No process of the run is left.
pub(crate) fn bring_out(
    from: BorrowedFd<'_>,
    to: BorrowedFd<'_>,
    bring: &Bring,
    most: u64,
) -> Result<Brought, Error> {
    let patterns = patterns(bring)?;
    let mut brought = Brought::default();
    let mut fitting = vec![];
    let walked = tree::walk(from, most, |entry| {
        let path = String::from_utf8_lossy(entry.path);
        if !patterns.iter().any(|pattern| pattern.matches_with(&path, MATCHING)) {
            return;
        }
        match entry.kind {
            FileType::Directory => {}
            FileType::RegularFile => match acceptable(entry.path) {
                Ok(path) => fitting.push(path.to_owned()),
                Err(why) => refuse(&mut brought, entry.path, why),
            },
            FileType::Symlink => refuse(&mut brought, entry.path, "a symbolic link"),
            _ => refuse(&mut brought, entry.path, "not a regular file"),
        }
    });
    if !walked.map_err(Error::step("looking for what the run left"))? {
        refuse(&mut brought, b"the folder", "not all of it could be examined");
    }
    fitting.sort_unstable();
    for path in fitting {
        if brought.files.len() as u64 == bring.files {
            refuse(&mut brought, path.as_bytes(), "more files than are brought out");
            continue;
        }
        match copy_one_out(from, to, &path, bring.bytes - brought.bytes) {
            Ok(bytes) => {
                brought.bytes += bytes;
                brought.files.push(path);
            }
            Err(error) => refuse(&mut brought, path.as_bytes(), &error.to_string()),
        }
    }
    Ok(brought)
}

fn copy_one_out(
    from: BorrowedFd<'_>,
    to: BorrowedFd<'_>,
    path: &str,
    room: u64,
) -> io::Result<u64> {
    let source: OwnedFd = tree::open_file(from, path.as_bytes())?;
    let stat = fstat(source.as_fd())?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(io::Error::other("not a regular file"));
    }
    let size = u64::try_from(stat.st_size).unwrap_or(u64::MAX);
    if size > room {
        return Err(io::Error::other(format!("{size} bytes, more than may still be brought out")));
    }
    let copy = tree::make_file(to, path.as_bytes(), Mode::from_raw_mode(0o644))?;
    let copied = io::copy(&mut File::from(source).take(size), &mut File::from(copy));
    if copied.is_err() {
        // Half a file looks like a whole one.
        let _ = unlinkat(to, path, AtFlags::empty());
    }
    copied
}

/// A path that is nothing but a path wherever it is written.
fn acceptable(path: &[u8]) -> Result<&str, &'static str> {
    let path = std::str::from_utf8(path).map_err(|_| "its name is not UTF-8")?;
    if path.chars().any(|letter| letter.is_control() || letter == '\\') {
        return Err("its name has control characters or backslashes");
    }
    Ok(path)
}

fn refuse(brought: &mut Brought, path: &[u8], why: &str) {
    brought.refusals += 1;
    if brought.refused.len() < TOLD {
        let path = String::from_utf8_lossy(path).escape_debug().to_string();
        brought.refused.push(format!("{path}: {why}"));
    }
}
