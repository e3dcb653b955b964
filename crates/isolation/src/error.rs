//! What can be wrong, and what to do.

use std::path::{Path, PathBuf};

/// Why a program was not isolated, and so not run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Isolation does not work on this machine.
    #[error("{what}\n{advice}")]
    Refused {
        /// What is in the way.
        what: String,
        /// What to do about it.
        advice: String,
    },
    /// What was asked for makes no sense.
    #[error("{0}")]
    Asked(String),
    /// A file could not be read, written or made.
    #[error("cannot {doing} {}: {error}", file.display())]
    File {
        /// `read`, `write` or `make`.
        doing: &'static str,
        /// The file.
        file: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A step of isolating failed. The program did not run.
    #[error("cannot isolate the program: {step}: {error}")]
    Step {
        /// Which one.
        step: &'static str,
        /// Why.
        error: std::io::Error,
    },
    /// The program could not be started: not there (127) or not to be executed (126).
    #[error("cannot start {program} in isolation: {error}")]
    Start {
        /// The program.
        program: String,
        /// Why.
        error: std::io::Error,
    },
}

impl Error {
    pub(crate) fn refused(what: impl Into<String>, advice: impl Into<String>) -> Error {
        Error::Refused { what: what.into(), advice: advice.into() }
    }

    pub(crate) fn file(
        doing: &'static str,
        file: impl AsRef<Path>,
    ) -> impl FnOnce(std::io::Error) -> Error {
        move |error| Error::File { doing, file: file.as_ref().to_owned(), error }
    }

    pub(crate) fn step<E: Into<std::io::Error>>(step: &'static str) -> impl FnOnce(E) -> Error {
        move |error| Error::Step { step, error: error.into() }
    }
}
