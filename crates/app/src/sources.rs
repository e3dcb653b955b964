//! Which file of this machine a source file of a profile is, and whether it may be read.
//!
//! ```text
//! /build/7/app/src/io.c     as the profile names it
//!          app/src/io.c     the longest end that is a file below a folder which may be read
//!              src/io.c     is the file
//! ```
//!
//! Folders that may be read are those of the command line, else the current one. What leads out of
//! them, upwards or by a symbolic link, is not read.

use std::fs::Metadata;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result};
use beneath::Root;
use protocol::{ErrorCode, ProtocolError};
use session::{SourceFile, WantedSource, visible};

use crate::access;
use crate::path_parts::Parts;

/// Longer files are not sources that people wrote, and are not sent to a page.
const MOST_BYTES: u64 = 8 << 20;

/// Folders in which sources may be read.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    roots: Vec<Root>,
}

/// A file below a folder that may be read.
struct Found {
    path: PathBuf,
    /// Of the whole path.
    parts: Parts,
}

/// What an end of a path is below a folder.
enum Place {
    /// No file.
    Nothing,
    File(PathBuf),
    /// A file elsewhere, which a symbolic link leads to.
    Outside(PathBuf),
}

impl Sources {
    /// Those of the command line, else the current folder, if it is there.
    pub(crate) fn of(folders: &[PathBuf]) -> Result<Sources> {
        if folders.is_empty() {
            let here = std::env::current_dir().and_then(|here| Root::open(&here));
            return Ok(Sources { roots: here.into_iter().collect() });
        }
        let root = |folder: &PathBuf| {
            let name = visible(&folder.to_string_lossy()).into_owned();
            anyhow::ensure!(!folder.is_file(), "--source {name} is not a folder");
            Root::open(folder).with_context(|| format!("--source {name} cannot be opened"))
        };
        Ok(Sources { roots: folders.iter().map(root).collect::<Result<_>>()? })
    }

    /// The file that a document means, if it may be read.
    pub(crate) fn read(&self, wanted: &WantedSource<'_>) -> Result<SourceFile, ProtocolError> {
        let parts = Parts::new(wanted.file);
        let found = self.find(wanted.file, &parts)?;
        let shared = parts.shared_end(&found.parts);
        if let Some(rival) = rival(&parts, shared, &found, wanted) {
            let message = format!(
                "{} may be {} or {}, which is named, too",
                shown(&found.path),
                visible(wanted.file),
                visible(rival)
            );
            return Err(refused(message).with_hint(
                "Start Hotframe with --source and a folder that has more of this path, so that more than the file name matches.",
            ));
        }
        let doubt = match shared {
            1 if parts.count() > 1 => {
                format!("Only the name of this file is that of {}.", visible(wanted.file))
            }
            _ => String::new(),
        };
        let (bytes, metadata) = self.bytes(&found.path)?;
        let written = metadata.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        Ok(SourceFile {
            path: found.path.to_string_lossy().into_owned(),
            bytes,
            written_s: written.map(|since| since.as_secs_f64()),
            doubt,
        })
    }

    fn find(&self, file: &str, parts: &Parts) -> Result<Found, ProtocolError> {
        let mut outside = None;
        // The path itself, if it is below a folder.
        let itself = parts.is_absolute().then(|| parts.text());
        for end in itself.into_iter().chain(parts.ends()) {
            let mut found = vec![];
            for root in &self.roots {
                match self.place(&root.path().join(&end)) {
                    Place::Nothing => {}
                    Place::File(path) if found.contains(&path) => {}
                    Place::File(path) => found.push(path),
                    Place::Outside(path) => {
                        outside = outside.or(Some((root.path().join(&end), path)))
                    }
                }
            }
            match &found[..] {
                [] => {}
                [path] => {
                    let parts = Parts::new(&path.to_string_lossy());
                    return Ok(Found { path: path.clone(), parts });
                }
                [one, other, ..] => {
                    let message =
                        format!("{} may be {} or {}", visible(file), shown(one), shown(other));
                    return Err(refused(message)
                        .with_hint("Start Hotframe with --source and the right one's folder."));
                }
            }
        }
        Err(match outside {
            Some((link, path)) => refused(format!(
                "{} is a link to {}, which is outside of the source folders",
                shown(&link),
                shown(&path)
            ))
            .with_hint("Start Hotframe with --source and the folder where it leads to."),
            None => refused(format!("{} is not below {}", visible(file), self.message()))
                .with_hint("Start Hotframe with --source and a folder that has it."),
        })
    }

    /// What is at a path.
    fn place(&self, path: &Path) -> Place {
        // An absolute path that is in no folder tells nothing, not even whether it is there.
        if !self.roots.iter().any(|root| path.starts_with(root.path())) {
            return Place::Nothing;
        }
        let Ok(path) = path.canonicalize() else { return Place::Nothing };
        match path.is_file() {
            false => Place::Nothing,
            true if self.roots.iter().any(|root| path.starts_with(root.path())) => {
                Place::File(path)
            }
            true => Place::Outside(path),
        }
    }

    /// The file's bytes, if it is still below a folder that may be read.
    fn bytes(&self, path: &Path) -> Result<(Vec<u8>, Metadata), ProtocolError> {
        let failed =
            |error: std::io::Error| refused(format!("cannot read {}: {error}", shown(path)));
        let file = access::open_below(&self.roots, path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        let mut bytes = vec![];
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > MOST_BYTES {
            let message = format!("{} is larger than {} MiB", shown(path), MOST_BYTES >> 20);
            return Err(refused(message).with_hint("Open it in an editor."));
        }
        Ok((bytes, metadata))
    }

    fn message(&self) -> String {
        let roots: Vec<String> = self.roots.iter().map(|root| shown(root.path())).collect();
        roots.join(" or ")
    }
}

/// Another file that the document names and that the found one is as much, or more.
fn rival<'a>(
    parts: &Parts,
    shared: usize,
    found: &Found,
    wanted: &WantedSource<'a>,
) -> Option<&'a str> {
    let is_rival = |other: &&String| {
        let other = Parts::new(other);
        // One path may be the end of another: a file that is named in two ways.
        let is_same = parts.shared_end(&other) == parts.count().min(other.count());
        !is_same && other.shared_end(&found.parts) >= shared
    };
    wanted.named.iter().find(is_rival).map(String::as_str)
}

fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

fn refused(message: String) -> ProtocolError {
    ProtocolError::new(ErrorCode::NoSource, message)
}
