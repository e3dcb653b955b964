//! Blobs as files: `ab/cdef…` by the digits of their hashes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::clock::wall_now;
use crate::{Error, Hash};

/// Bytes that are moved at once.
const PIECE: usize = 64 << 10;
/// Files that are not yet whole have names that begin so.
const NEW: &str = ".new-";
/// Files that nobody writes and that are older than this are of someone who died.
const FORGOTTEN: Duration = Duration::from_secs(60);

/// A folder of blobs.
pub(super) struct Blobs {
    folder: PathBuf,
}

impl Blobs {
    /// Makes the folder if it is not there, and deletes what somebody left unfinished.
    pub(super) fn open(folder: PathBuf) -> Result<Blobs, Error> {
        fs::create_dir_all(&folder).map_err(Error::file("make", &folder))?;
        delete_unfinished(&folder).map_err(Error::file("clean up", &folder))?;
        Ok(Blobs { folder })
    }

    pub(super) fn put(&self, from: &mut dyn Read) -> Result<Hash, Error> {
        let new = self.folder.join(unique());
        let written = self.write(from, &new);
        if written.is_err() {
            // Whoever opens the store next would delete it.
            let _ = fs::remove_file(&new);
        }
        written
    }

    fn write(&self, from: &mut dyn Read, new: &Path) -> Result<Hash, Error> {
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(new)
            .map_err(Error::file("write", new))?;
        // Tells others that somebody writes it.
        file.lock().map_err(Error::file("lock", new))?;
        let hash = hashed(from, &mut file, |error| Error::file("write", new)(error))?.0;
        let place = self.place(&hash);
        // A damaged one is replaced.
        if self.get(&hash, &mut io::sink()).is_ok() {
            fs::remove_file(new).map_err(Error::file("delete", new))?;
            return Ok(hash);
        }
        file.sync_all().map_err(Error::file("write", new))?;
        let folder = place.parent().unwrap_or(&self.folder);
        if !folder.is_dir() {
            fs::create_dir_all(folder).map_err(Error::file("make", folder))?;
            sync(&self.folder)?;
        }
        fs::rename(new, &place).map_err(Error::file("rename", new))?;
        sync(folder)?;
        Ok(hash)
    }

    pub(super) fn get(&self, hash: &Hash, to: &mut dyn Write) -> Result<u64, Error> {
        let place = self.place(hash);
        let mut file = File::open(&place).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Error::Missing {
                what: format!("blob {hash}"),
                place: self.folder.display().to_string(),
            },
            _ => Error::file("read", &place)(error),
        })?;
        let (found, length) = hashed(&mut file, to, Error::Write).map_err(|error| match error {
            Error::Read(error) => Error::file("read", &place)(error),
            error => error,
        })?;
        if found != *hash {
            let place = place.display().to_string();
            return Err(Error::Damaged { what: format!("blob {hash}"), place });
        }
        Ok(length)
    }

    pub(super) fn has(&self, hash: &Hash) -> Result<bool, Error> {
        let place = self.place(hash);
        place.try_exists().map_err(Error::file("look at", &place))
    }

    fn place(&self, hash: &Hash) -> PathBuf {
        let digits = hash.to_string();
        let (folder, rest) = digits.split_at(2);
        self.folder.join(folder).join(rest)
    }
}

/// Moves all bytes; gives their hash and number.
fn hashed(
    from: &mut dyn Read,
    to: &mut dyn Write,
    unwritten: impl Fn(io::Error) -> Error,
) -> Result<(Hash, u64), Error> {
    let mut hasher = blake3::Hasher::new();
    let mut piece = vec![0; PIECE];
    loop {
        let length = match from.read(&mut piece) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Error::Read(error)),
        };
        hasher.update(&piece[..length]);
        to.write_all(&piece[..length]).map_err(&unwritten)?;
    }
    Ok((Hash::from_bytes(*hasher.finalize().as_bytes()), hasher.count()))
}

/// A name that nothing had before: of this process, its time, and a number.
fn unique() -> String {
    static BEGUN: AtomicU64 = AtomicU64::new(0);
    let number = BEGUN.fetch_add(1, Ordering::Relaxed);
    format!("{NEW}{}-{}-{number}", std::process::id(), wall_now())
}

/// Makes sure that names in a folder are on the disk.
fn sync(folder: &Path) -> Result<(), Error> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(Error::file("write", folder))
}

fn delete_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_new = entry.file_name().to_string_lossy().starts_with(NEW);
        // It may be gone meanwhile, which is as good.
        let Some(file) = is_new.then(|| File::open(entry.path()).ok()).flatten() else { continue };
        let age = file.metadata()?.modified()?.elapsed().unwrap_or_default();
        if age > FORGOTTEN && file.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(())
}
