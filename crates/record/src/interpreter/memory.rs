//! Memory of another process.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt as _;

/// What a process has in memory. What is read may be in the middle of a change, or gone: nothing of it
/// is taken for granted.
#[derive(Debug)]
pub(crate) struct Memory(File);

impl Memory {
    /// # Errors
    /// It may not be read.
    pub(crate) fn new(pid: i32) -> io::Result<Memory> {
        File::open(format!("/proc/{pid}/mem")).map(Memory)
    }

    #[cfg(test)]
    pub(crate) fn of_file(file: File) -> Memory {
        Memory(file)
    }

    /// That may be written to as well.
    ///
    /// # Errors
    /// It may not be.
    pub(crate) fn to_write(pid: i32) -> io::Result<Memory> {
        OpenOptions::new().read(true).write(true).open(format!("/proc/{pid}/mem")).map(Memory)
    }

    /// # Errors
    /// It cannot be written there.
    pub(crate) fn write(&self, address: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all_at(bytes, address)
    }

    /// The bytes at an address.
    pub(crate) fn bytes<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        self.0.read_exact_at(&mut bytes, address).ok()?;
        Some(bytes)
    }

    /// As many bytes.
    pub(crate) fn block(&self, address: u64, length: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.0.read_exact_at(&mut bytes, address).ok()?;
        Some(bytes)
    }

    /// Eight bytes as a number or an address.
    pub(crate) fn word(&self, address: u64) -> Option<u64> {
        self.bytes(address).map(u64::from_le_bytes)
    }

    /// An address that is none where there is nothing.
    pub(crate) fn pointer(&self, address: u64) -> Option<u64> {
        self.word(address).filter(|&address| address != 0)
    }
}
