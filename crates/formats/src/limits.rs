//! How to read, and how much a reader may take.

use crate::{Format, ReadError, StackWalkers};

/// How to read: limits that keep hostile files from filling memory (their errors name the
/// command-line option that lifts them), and the format where it is not to be recognised.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// Most bytes after decompression.
    pub max_size: u64,
    /// Most bytes of memory that the growing tables may hold.
    pub max_memory: usize,
    /// Bytes of [`max_memory`](ReadOptions::max_memory) that profiles read before hold.
    pub held: usize,
    /// How many archives the file is in.
    pub inside: u8,
    /// The format that the file is in, whatever it looks like.
    pub from: Option<&'static Format>,
    /// Who unwinds stacks that a recording copied; without, their innermost frames are told.
    pub walkers: Option<StackWalkers>,
}

/// 4 GiB, or three quarters of what can be addressed where that is less.
const MOST_MEMORY: usize =
    if usize::BITS > 32 { (4u64 << 30) as usize } else { usize::MAX / 4 * 3 };

/// What lifts the limits: options of the command line, or all of it where a page reads.
const LIFTS_MEMORY: &str =
    if cfg!(target_family = "wasm") { "`hotframe open FILE`" } else { "--max-memory" };
pub(crate) const LIFTS_SIZE: &str =
    if cfg!(target_family = "wasm") { "`hotframe open FILE`" } else { "--max-size" };

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            max_size: 4 << 30,
            max_memory: MOST_MEMORY,
            held: 0,
            inside: 0,
            from: None,
            walkers: None,
        }
    }
}

impl ReadOptions {
    /// Refuses to go on with `held` bytes of tables.
    pub(crate) fn check_memory(&self, held: usize) -> Result<(), ReadError> {
        if held.saturating_add(self.held) > self.max_memory {
            return Err(self.out_of_memory("tables in memory"));
        }
        Ok(())
    }

    /// How a file of an archive or folder is read.
    pub(crate) fn within(&self) -> ReadOptions {
        ReadOptions { inside: self.inside.saturating_add(1), ..self.clone() }
    }

    /// Refuses archives that are in one another without end.
    pub(crate) fn check_archive(&self) -> Result<(), ReadError> {
        const MOST: u8 = 5;
        if self.inside < MOST {
            return Ok(());
        }
        let found = format!("an archive in {MOST} others");
        Err(ReadError::Unsupported { found, instead: "unpack it before" })
    }

    /// The error for what is larger than files may be.
    pub fn too_large(&self, what: &'static str) -> ReadError {
        ReadError::Limit { what, limit: self.max_size, held: 0, option: LIFTS_SIZE }
    }

    /// The error for what does not fit into memory.
    pub fn out_of_memory(&self, what: &'static str) -> ReadError {
        ReadError::Limit {
            what,
            limit: self.max_memory as u64,
            held: self.held as u64,
            option: LIFTS_MEMORY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ReadOptions;

    #[test]
    fn reports_a_shared_limit_as_it_was_given() {
        let options = ReadOptions { max_memory: 3 << 20, held: 2 << 20, ..ReadOptions::default() };
        assert!(options.check_memory(1 << 20).is_ok());
        let error = options.check_memory((1 << 20) + 1).unwrap_err().to_string();
        assert!(error.contains("limit of 3.0 MiB"), "{error}");
        assert!(error.contains("other files hold 2.0 MiB"), "{error}");
        let alone = ReadOptions { held: 0, ..options };
        let error = alone.check_memory(4 << 20).unwrap_err().to_string();
        assert!(error.contains("limit of 3.0 MiB (--max-memory"), "{error}");
    }
}
