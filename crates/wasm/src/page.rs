//! What the engine asks of the page that it lives in.

use std::io;

/// The page, as its worker speaks for it.
pub trait Page: Send + Sync {
    /// Takes a frame.
    fn send(&self, frame: &[u8]);
    /// Fills `out` with the bytes of a file from `offset` on; fewer where the file ends.
    ///
    /// # Errors
    /// The file was removed or changed since it was handed over.
    fn read(&self, file: u32, offset: u64, out: &mut [u8]) -> io::Result<usize>;
    /// Seconds, counted from any moment.
    fn seconds(&self) -> f64;
}
