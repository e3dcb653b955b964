//! What can be wrong with a file as a whole.

use std::io;

/// Why a recording cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The bytes cannot be had.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// These are not bytes of a recording, or damaged ones.
    #[error("at byte {offset}: {reason}")]
    Malformed {
        /// Where, counted from the start of the file.
        offset: u64,
        /// What is wrong.
        reason: String,
    },
    /// A recording of a kind that is not read.
    #[error("{found} is not read; {instead}")]
    Unsupported {
        /// What was found.
        found: &'static str,
        /// What to do instead.
        instead: &'static str,
    },
}

impl Error {
    pub(crate) fn malformed(offset: u64, reason: impl Into<String>) -> Self {
        Error::Malformed { offset, reason: reason.into() }
    }
}
