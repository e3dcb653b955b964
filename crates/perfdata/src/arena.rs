//! Bytes that arrive in pieces and are kept until nobody needs them.

use std::io::{self, Read};

/// A window over bytes that are numbered from the start of their file.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    bytes: Vec<u8>,
    /// What of `bytes` is kept, and what of it is filled.
    start: usize,
    end: usize,
    /// Number of the first byte of `bytes`.
    base: u64,
}

/// How much is asked for at a time.
const PIECE: usize = 256 << 10;

impl Arena {
    /// Number of the first byte after those that are there.
    pub(crate) fn end(&self) -> u64 {
        self.base + self.end as u64
    }

    /// Bytes held.
    pub(crate) fn held(&self) -> usize {
        self.end - self.start
    }

    /// Bytes by their number; they must be there.
    #[inline]
    pub(crate) fn get(&self, at: u64, count: usize) -> &[u8] {
        let start = (at - self.base) as usize;
        &self.bytes[start..start + count]
    }

    /// The bytes from a number on, all that are there.
    pub(crate) fn from(&self, at: u64) -> &[u8] {
        &self.bytes[(at - self.base) as usize..self.end]
    }

    /// Makes sure that bytes up to the number `until` are there; false if the input ends before.
    #[inline]
    pub(crate) fn fill(&mut self, until: u64, from: &mut impl Read) -> io::Result<bool> {
        while self.end() < until {
            self.make_room(PIECE);
            match from.read(&mut self.bytes[self.end..]) {
                Ok(0) => return Ok(false),
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// Room for `count` more bytes behind those that are there, to be filled.
    pub(crate) fn make_room(&mut self, count: usize) {
        if self.bytes.len() - self.end >= count {
            return;
        }
        // Moving is worth it only for little: else the window grows.
        if self.start >= self.held() {
            self.bytes.copy_within(self.start..self.end, 0);
            self.base += self.start as u64;
            self.end -= self.start;
            self.start = 0;
        }
        if self.bytes.len() - self.end < count {
            let grown = (self.bytes.len() + self.bytes.len() / 2).max(self.end + count);
            self.bytes.resize(grown, 0);
        }
    }

    /// Appends bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.make_room(bytes.len());
        self.bytes[self.end..][..bytes.len()].copy_from_slice(bytes);
        self.end += bytes.len();
    }

    /// Forgets the bytes before a number.
    pub(crate) fn forget(&mut self, before: u64) {
        let start = before.saturating_sub(self.base) as usize;
        self.start = start.clamp(self.start, self.end);
    }
}
