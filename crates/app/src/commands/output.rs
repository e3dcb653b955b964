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
            into(file, write).map_err(
                |error| {
                    if is_io(&error) { error.context(cannot()) } else { error }
                },
            )
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

/// Whether the file itself could not be written, as on a full disk; other errors say what was wrong with
/// what was to be written.
fn is_io(error: &anyhow::Error) -> bool {
    error.root_cause().is::<std::io::Error>()
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
    sweep(target);
    let (partial, file) = beside(target).with_context(cannot)?;
    let result = into(&file, write)
        .map_err(|error| if is_io(&error) { error.context(cannot()) } else { error });
    let result = result.and_then(|()| {
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

/// Removes what processes left beside a file that were killed while they wrote it: files of this user whose
/// process is gone.
#[cfg(target_os = "linux")]
fn sweep(target: &Path) {
    use std::os::unix::fs::MetadataExt as _;

    let Some(name) = target.file_name().and_then(|name| name.to_str()) else { return };
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new(".")));
    for entry in entries.into_iter().flatten().flatten() {
        let own = entry.file_name();
        let own = own.to_str().and_then(|own| own.strip_prefix(name)?.strip_prefix('.'));
        let Some(rest) = own.and_then(|own| own.strip_suffix(".partial")) else { continue };
        let process = rest.split('-').next().and_then(|number| number.parse::<u32>().ok());
        let is_gone = process.is_some_and(|id| !Path::new("/proc").join(id.to_string()).exists());
        let is_ours = entry.metadata().is_ok_and(|found| {
            found.is_file() && found.uid() == rustix::process::getuid().as_raw()
        });
        if is_gone && is_ours {
            // What cannot be removed is seen where it lies.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn sweep(_: &Path) {}

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
