//! Where results are written: files as a whole or not at all, everything else as it comes.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Writes to what a path names. A regular file, also behind a link, is replaced as a whole or not
/// at all and keeps its mode; pipes, devices and what this process has open already, such as
/// `/dev/stdout`, are written into. `-` is standard output.
pub(super) fn write_output(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    match kind_of(path).with_context(cannot)? {
        Kind::StandardOutput => into(std::io::stdout().lock(), write),
        Kind::StandardError => into(std::io::stderr().lock(), write),
        Kind::Stream => {
            // Opened at its end: what a shell redirected into a file stays there.
            let file = OpenOptions::new().append(true).open(path).with_context(cannot)?;
            into(file, write)
        }
        Kind::File(target, replaced) => replace(&target, replaced.as_ref(), write, &cannot),
    }
}

/// Whether a path names a file that is replaced, and not a stream.
pub(super) fn is_file(path: &Path) -> bool {
    matches!(kind_of(path), Ok(Kind::File(..)))
}

enum Kind {
    StandardOutput,
    StandardError,
    /// A pipe, a device, a socket, a file that is open already.
    Stream,
    /// A regular file, or one that is to be made: behind all links, with what is known of it.
    File(PathBuf, Option<Metadata>),
}

fn kind_of(path: &Path) -> std::io::Result<Kind> {
    match path.to_str() {
        Some("-" | "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1") => {
            return Ok(Kind::StandardOutput);
        }
        Some("/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2") => return Ok(Kind::StandardError),
        _ => {}
    }
    let target = behind_links(path)?;
    let is_open = ["/dev/fd", "/proc"].iter().any(|folder| path.starts_with(folder));
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(std::io::ErrorKind::IsADirectory.into()),
        Ok(found) if found.is_file() && !is_open => Ok(Kind::File(target, Some(found))),
        Ok(found) if is_socket(&found) => Err(std::io::Error::other("it is a socket")),
        Ok(_) => Ok(Kind::Stream),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Kind::File(target, None)),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn is_socket(found: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;

    found.file_type().is_socket()
}

#[cfg(not(unix))]
fn is_socket(_: &Metadata) -> bool {
    false
}

/// Gives a file the owner of the one that it replaces; only who may give files away can.
#[cfg(unix)]
fn keep_owner(partial: &Path, replaced: &Metadata) {
    use std::os::unix::fs::{MetadataExt as _, chown};

    // Who may not keeps the file as its own.
    let _ = chown(partial, Some(replaced.uid()), Some(replaced.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &Metadata) {}

/// What a link leads to, also where that does not exist yet.
fn behind_links(path: &Path) -> std::io::Result<PathBuf> {
    /// As many as Linux follows.
    const MOST_LINKS: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        match std::fs::read_link(&target) {
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(std::io::Error::other("too many links lead on from it"))
}

fn into(out: impl Write, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let mut out = BufWriter::new(out);
    write(&mut out)?;
    Ok(out.flush()?)
}

/// Writes a file beside the target and gives it its name once it is whole.
fn replace(
    target: &Path,
    replaced: Option<&Metadata>,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
    cannot: &dyn Fn() -> String,
) -> Result<()> {
    let (partial, file) = beside(target).with_context(cannot)?;
    let result = into(&file, write).and_then(|()| {
        if let Some(replaced) = replaced {
            keep_owner(&partial, replaced);
            file.set_permissions(replaced.permissions()).with_context(cannot)?;
        }
        std::fs::rename(&partial, target).with_context(cannot)
    });
    if result.is_err() {
        // The error to report is the first one.
        let _ = std::fs::remove_file(&partial);
    }
    result
}

/// A new file beside another, under a name that nothing has.
fn beside(target: &Path) -> Result<(PathBuf, File)> {
    let Some(name) = target.file_name() else { bail!("it names no file") };
    for number in 0..100 {
        let mut own = name.to_owned();
        own.push(format!(".{}-{number}.partial", std::process::id()));
        let partial = target.with_file_name(own);
        match OpenOptions::new().write(true).create_new(true).open(&partial) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            opened => return Ok((partial, opened?)),
        }
    }
    bail!("files of this name are in the way")
}
