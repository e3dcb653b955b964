//! What can be wrong, and what to do.

use std::path::{Path, PathBuf};

/// Why an experiment, or a run of it, was not made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What was asked for makes no sense, or does not work here.
    #[error("{what}\n{advice}")]
    Refused {
        /// What is in the way.
        what: String,
        /// What to do about it.
        advice: String,
    },
    /// A plan is wrong.
    #[error("{}{place}: {what}", file.display())]
    Plan {
        /// The file.
        file: PathBuf,
        /// Where in it: ` line 3, matrix.interpreter`; may be empty.
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
    /// A program that is used did not do what it was to.
    #[error("{what}: {}\n{program} failed: {output}", first(output))]
    Tool {
        /// What cannot be done.
        what: String,
        /// The program with its arguments.
        program: String,
        /// What it said.
        output: String,
    },
    /// A recorder's trouble.
    #[error(transparent)]
    Record(#[from] record::Error),
    /// The queue's trouble.
    #[error(transparent)]
    Jobs(#[from] jobs::Error),
    /// How a command ended was not told.
    #[error("it is not known how the command ended: the sampler that held it got its exit status")]
    Untold,
    /// Somebody stopped it; what ended by then is kept.
    #[error("stopped: what has ended is kept, and the same command goes on")]
    Stopped,
}

/// The line of what a program said that tells most: its first error, or else the last line.
fn first(output: &str) -> &str {
    let lines = || output.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_error =
        |line: &&str| ["error", "ERROR", "fatal", "  × "].iter().any(|word| line.contains(word));
    lines().find(is_error).or(lines().next_back()).unwrap_or("it said nothing")
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
