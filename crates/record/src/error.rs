//! What can be wrong, and what to do.

use std::path::{Path, PathBuf};

/// Why nothing was recorded.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The recorder does not work here.
    #[error("{what}\n{advice}")]
    Refused {
        /// What is in the way.
        what: String,
        /// What to do about it.
        advice: String,
    },
    /// What was asked for makes no sense.
    #[error("{0}")]
    BadOptions(String),
    /// A file that people may edit is wrong.
    #[error("{}: {place}{what}", file.display())]
    Document {
        /// The file.
        file: PathBuf,
        /// Where in it: `experiments[0].runs[1].status: `; may be empty.
        place: String,
        /// What is wrong there.
        what: String,
    },
    /// A file could not be read or written.
    #[error("cannot {doing} {}: {error}", file.display())]
    File {
        /// `read` or `write`.
        doing: &'static str,
        /// The file.
        file: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A program could not be started.
    #[error("cannot start {program}: {error}")]
    Start {
        /// The program.
        program: String,
        /// Why.
        error: std::io::Error,
    },
    /// The command is not there: what shells answer with 127, or 126 where it cannot be run.
    #[error("{what}")]
    Command {
        /// What is wrong with it.
        what: String,
        /// 127 or 126.
        code: u8,
    },
    /// Somebody stopped it before anything ran.
    #[error("stopped")]
    Stopped,
}

impl Error {
    pub(crate) fn refused(what: impl Into<String>, advice: impl Into<String>) -> Error {
        Error::Refused { what: what.into(), advice: advice.into() }
    }

    pub(crate) fn reading(file: &Path) -> impl FnOnce(std::io::Error) -> Error {
        move |error| Error::File { doing: "read", file: file.to_owned(), error }
    }

    pub(crate) fn writing(file: &Path) -> impl FnOnce(std::io::Error) -> Error {
        move |error| Error::File { doing: "write", file: file.to_owned(), error }
    }
}
