//! What breaks a rule.

use std::fmt;
use std::path::PathBuf;

/// Something that breaks a rule.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) file: PathBuf,
    /// From 1; 0 if it is about the whole file.
    pub(super) line: usize,
    /// What is wrong and what to do instead.
    pub(super) message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file.display(), self.message),
            line => write!(f, "{}:{line}: {}", self.file.display(), self.message),
        }
    }
}
