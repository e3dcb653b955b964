//! What SQLite says, in our words.

use std::path::Path;

use rusqlite::ffi;

use crate::Error;

/// Results of SQLite, of a file.
pub(super) trait Failed<T> {
    /// The same with our error.
    fn failed(self, file: &Path) -> Result<T, Error>;
}

impl<T> Failed<T> for rusqlite::Result<T> {
    fn failed(self, file: &Path) -> Result<T, Error> {
        self.map_err(|error| to_error(&error, file))
    }
}

impl<T> Failed<T> for serde_json::Result<T> {
    fn failed(self, file: &Path) -> Result<T, Error> {
        self.map_err(|error| Error::Damaged {
            what: format!("a row ({error})"),
            place: file.display().to_string(),
        })
    }
}

fn to_error(error: &rusqlite::Error, file: &Path) -> Error {
    let place = file.display().to_string();
    let what = error.to_string();
    let code = error.sqlite_error().map_or(0, |error| error.extended_code);
    match code {
        ffi::SQLITE_FULL => Error::Full { place, what },
        // What is written beside the file may not grow either.
        code if code & 0xff == ffi::SQLITE_IOERR && is_full(file) => Error::Full { place, what },
        code if code & 0xff == ffi::SQLITE_BUSY => Error::Unreachable {
            place,
            what: "another process has been writing for 30 s".to_owned(),
        },
        ffi::SQLITE_NOTADB | ffi::SQLITE_CORRUPT => Error::Damaged { what, place },
        _ => Error::Other { place, what },
    }
}

/// Less than a page is left beside the file.
fn is_full(file: &Path) -> bool {
    let folder = file.parent().unwrap_or(file);
    rustix::fs::statvfs(folder).is_ok_and(|disk| disk.f_bavail * disk.f_frsize < 64 << 10)
}
