//! How to read, and how much a reader may take.

use crate::Format;

/// How to read: limits that keep hostile files from filling memory (their errors name the
/// command-line option that lifts them), and the format where it is not to be recognised.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// Most bytes after decompression.
    pub max_size: u64,
    /// Most bytes of memory that the growing tables may hold.
    pub max_memory: usize,
    /// The format that the file is in, whatever it looks like.
    pub from: Option<&'static Format>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { max_size: 4 << 30, max_memory: 4 << 30, from: None }
    }
}

impl ReadOptions {
    /// Refuses to go on with `held` bytes of tables.
    pub(crate) fn check_memory(&self, held: usize) -> Result<(), crate::ReadError> {
        if held > self.max_memory {
            return Err(crate::ReadError::Limit {
                what: "tables in memory",
                limit: self.max_memory as u64,
                option: "--max-memory",
            });
        }
        Ok(())
    }
}
