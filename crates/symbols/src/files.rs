//! Where bytes come from.

use std::io;
use std::sync::Arc;

/// The bytes of one file.
pub trait FileBytes: Send + Sync {
    /// How many there are.
    fn len(&self) -> u64;

    /// Fills `into` with the bytes from `offset` on; an error if there are fewer.
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()>;

    /// True if there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The files that a recording names.
pub trait Files: Send + Sync {
    /// A file by the path that the recording names, `[vdso]` among them; none if it is not here.
    fn open(&self, path: &str) -> Option<Arc<dyn FileBytes>>;

    /// Folders with separate debug information, such as `/usr/lib/debug`, and caches of binaries by
    /// build id, such as `~/.debug`.
    fn debug_folders(&self) -> Vec<String>;
}

impl FileBytes for Vec<u8> {
    fn len(&self) -> u64 {
        self.as_slice().len() as u64
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        let from = usize::try_from(offset).ok();
        let range = from.and_then(|from| Some(from..from.checked_add(into.len())?));
        match range.and_then(|range| self.get(range)) {
            Some(bytes) => {
                into.copy_from_slice(bytes);
                Ok(())
            }
            None => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}
