//! The queue as its users see it.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::blobs::Blobs;
use super::failure::Failed;
use super::schema;
use crate::{
    Beat, Claim, Clock, Counts, Cursor, Ended, Error, Hash, Job, JobStatus, JobStore, Key, LogPart,
    Outcome, Progress, SystemClock, Which, Worker, WorkerStatus,
};

/// A queue in a folder.
///
/// What a call wrote is kept when the process is killed; a power cut may take the last calls, so that
/// their jobs are run once more. Leases end with the machine's start that they belong to.
pub struct FolderStore {
    pub(super) file: PathBuf,
    pub(super) clock: Arc<dyn Clock>,
    blobs: Blobs,
    // Threads wait for each other here rather than for SQLite's lock, which is not fair.
    writing: Mutex<Connection>,
    reading: Mutex<Connection>,
}

impl FolderStore {
    /// Opens the queue in a folder, or makes one there.
    ///
    /// # Errors
    /// The folder cannot be made or written, or its queue is of another version.
    pub fn open(folder: &Path) -> Result<FolderStore, Error> {
        FolderStore::with_clock(folder, Arc::new(SystemClock::new()))
    }

    /// The same with time from elsewhere.
    ///
    /// # Errors
    /// As for [`FolderStore::open`].
    pub fn with_clock(folder: &Path, clock: Arc<dyn Clock>) -> Result<FolderStore, Error> {
        fs::create_dir_all(folder).map_err(Error::file("make", folder))?;
        let file = folder.join("queue.sqlite");
        Ok(FolderStore {
            blobs: Blobs::open(folder.join("blobs"))?,
            writing: Mutex::new(schema::open(&file)?),
            reading: Mutex::new(schema::open(&file)?),
            file,
            clock,
        })
    }

    /// Does something as a whole or not at all.
    pub(super) fn write<T>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut connection = locked(&self.writing);
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .failed(&self.file)?;
        let done = change(&transaction)?;
        transaction.commit().failed(&self.file)?;
        Ok(done)
    }

    /// Looks at one state of the whole.
    pub(super) fn read<T>(
        &self,
        look: impl FnOnce(&Transaction<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut connection = locked(&self.reading);
        look(&connection.transaction().failed(&self.file)?)
    }

    pub(super) fn missing(&self, key: &Key) -> Error {
        Error::Missing { what: format!("job {key}"), place: self.file.display().to_string() }
    }
}

/// A connection whose last user died in the middle has rolled back what it was at.
fn locked(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}

impl JobStore for FolderStore {
    fn add(&self, jobs: &[Job]) -> Result<u64, Error> {
        self.add_jobs(jobs)
    }

    fn again(&self, key: &Key) -> Result<bool, Error> {
        self.ask_again(key)
    }

    fn claim(&self, worker: &Worker, lease: Duration) -> Result<Option<Claim>, Error> {
        self.claim_next(worker, lease)
    }

    fn beat(&self, claim: &Claim, progress: &Progress) -> Result<Beat, Error> {
        self.extend(claim, progress)
    }

    fn finish(&self, claim: &Claim, outcome: Outcome) -> Result<(), Error> {
        self.end_attempt(claim, outcome)
    }

    fn cancel(&self, key: &Key) -> Result<bool, Error> {
        self.cancel_one(key)
    }

    fn cancel_batch(&self, batch: &str) -> Result<u64, Error> {
        self.cancel_all(batch)
    }

    fn ended(&self, batch: &str, after: Cursor) -> Result<(Vec<Ended>, Cursor), Error> {
        self.ended_after(batch, after)
    }

    fn job(&self, key: &Key) -> Result<Option<JobStatus>, Error> {
        self.status(key)
    }

    fn jobs(&self, batch: &str) -> Result<Vec<JobStatus>, Error> {
        self.statuses(batch)
    }

    fn counts(&self, batch: &str, which: Which) -> Result<Counts, Error> {
        self.count(batch, which)
    }

    fn workers(&self) -> Result<Vec<WorkerStatus>, Error> {
        self.seen_workers()
    }

    fn log(&self, claim: &Claim, bytes: &[u8]) -> Result<(), Error> {
        self.append_log(claim, bytes)
    }

    fn read_log(&self, key: &Key, from: u64) -> Result<LogPart, Error> {
        self.log_from(key, from)
    }

    fn put(&self, from: &mut dyn Read) -> Result<Hash, Error> {
        self.blobs.put(from)
    }

    fn get(&self, hash: &Hash, to: &mut dyn Write) -> Result<u64, Error> {
        self.blobs.get(hash, to)
    }

    fn has(&self, hash: &Hash) -> Result<bool, Error> {
        self.blobs.has(hash)
    }
}
