//! What can be wrong, and what to do.

use std::path::{Path, PathBuf};

use crate::Key;

/// Why a queue did not do it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The job is no longer this worker's.
    #[error(
        "attempt {attempt} of job {key} is over: its lease ended and another attempt took over, or \
         the job has ended\nnothing of it is kept; claim another job"
    )]
    Fenced {
        /// The job.
        key: Key,
        /// The attempt that was refused.
        attempt: u32,
    },
    /// The server did not answer in time.
    #[error(
        "{place} cannot be reached: {what}\nnothing was changed, or it is not known; try again"
    )]
    Unreachable {
        /// The server.
        place: String,
        /// Why.
        what: String,
    },
    /// There is no space left.
    #[error("no space left at {place}: {what}\nmake space and try again; nothing is half written")]
    Full {
        /// The folder or server.
        place: String,
        /// What the system said.
        what: String,
    },
    /// Something is larger than it may be.
    #[error("{what} has {bytes} bytes, and may have {most}\nput it into a blob and name that")]
    TooLarge {
        /// What it is.
        what: String,
        /// Its size.
        bytes: u64,
        /// The largest size.
        most: u64,
    },
    /// The store is of another version.
    #[error("{place} has version {found}, and {wanted} is needed\n{advice}")]
    Version {
        /// The file or server.
        place: String,
        /// Its version.
        found: String,
        /// The versions that are known.
        wanted: String,
        /// What to do.
        advice: String,
    },
    /// There is no such job or blob.
    #[error("there is no {what} in {place}")]
    Missing {
        /// What was looked for: `job 5f…`.
        what: String,
        /// The store.
        place: String,
    },
    /// What is kept is not what was written.
    #[error("{what} in {place} is damaged\ndelete it and run again what made it")]
    Damaged {
        /// What it is: `blob 5f…`.
        what: String,
        /// The store, or the file in it.
        place: String,
    },
    /// What was asked for makes no sense, or is not allowed.
    #[error("{0}")]
    Asked(String),
    /// A file of the store could not be read or written.
    #[error("cannot {doing} {}: {error}", file.display())]
    File {
        /// `read`, `write` and the like.
        doing: &'static str,
        /// The file.
        file: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The stream that was to be kept failed.
    #[error("cannot read what is to be kept: {0}")]
    Read(std::io::Error),
    /// The receiver of a blob failed.
    #[error("cannot write the blob where it was wanted: {0}")]
    Write(std::io::Error),
    /// Anything else.
    #[error("{place}: {what}")]
    Other {
        /// The store.
        place: String,
        /// What is wrong.
        what: String,
    },
}

impl Error {
    /// What to say of a file; a full disk is told apart.
    pub(crate) fn file(doing: &'static str, file: &Path) -> impl FnOnce(std::io::Error) -> Error {
        move |error| match error.kind() {
            std::io::ErrorKind::StorageFull
            | std::io::ErrorKind::QuotaExceeded
            | std::io::ErrorKind::FileTooLarge => {
                Error::Full { place: file.display().to_string(), what: error.to_string() }
            }
            _ => Error::File { doing, file: file.to_owned(), error },
        }
    }
}
