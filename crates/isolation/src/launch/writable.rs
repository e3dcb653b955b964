//! A folder of this machine that a program may write into: what is in it is looked at now and then.

use std::os::fd::{AsFd as _, OwnedFd};
use std::path::Path;

use beneath::tree;
use rustix::fs::{Mode, OFlags, fstatvfs, open};

use crate::{Error, Limits};

/// The share of a disk that stays free, in percent: other programs want some, too.
const FREE: u64 = 2;

/// Open, so that it is the same one all the time.
pub(super) struct Writable {
    folder: OwnedFd,
    /// Blocks of its disk that were free at the beginning.
    free: u64,
}

impl Writable {
    pub(super) fn open(path: &Path) -> Result<Writable, Error> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let failed = |error: rustix::io::Errno| Error::file("open", path)(error.into());
        let folder = open(path, flags, Mode::empty()).map_err(failed)?;
        let free = fstatvfs(&folder).map_err(failed)?.f_bavail;
        Ok(Writable { folder, free })
    }

    /// More in it than allowed, or its disk is full. What cannot be looked at may be anything.
    pub(super) fn is_full(&self, limits: &Limits) -> bool {
        let Ok(disk) = fstatvfs(&self.folder) else { return true };
        // One that was full already is not the program's doing.
        if disk.f_bavail < (disk.f_blocks / 100 * FREE).min(self.free / 2) {
            return true;
        }
        let mut bytes = 0_u64;
        let walked = tree::walk(self.folder.as_fd(), limits.folder_files, |entry| {
            let blocks = u64::try_from(entry.stat.st_blocks).unwrap_or(0);
            bytes = bytes.saturating_add(blocks.saturating_mul(512));
        });
        !walked.unwrap_or(false) || bytes > limits.folder_bytes
    }
}
