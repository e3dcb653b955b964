//! The one interface of all queues.

use std::io::{Read, Write};
use std::time::Duration;

use crate::{
    Beat, Claim, Counts, Cursor, Ended, Error, Hash, Job, JobStatus, Key, LogPart, Outcome,
    Progress, Which, Worker, WorkerStatus,
};

/// How often a job is claimed before it is given up.
pub const MOST_ATTEMPTS: u32 = 4;
/// How long a job waits after its first, second and third [`Outcome::Retry`].
pub const BACK_OFF: [Duration; 3] =
    [Duration::from_secs(1), Duration::from_secs(4), Duration::from_secs(16)];
/// Most bytes of a job's body.
pub const MOST_BODY: usize = 1 << 20;
/// Most bytes of an outcome's facts.
pub const MOST_FACTS: usize = 256 << 10;
/// So many bytes at the end of a failed job's output are kept.
pub const MOST_OUTPUT: usize = 64 << 10;
/// So many bytes at the end of a job's log are kept.
pub const MOST_LOG: usize = 1 << 20;
/// Most ends that [`JobStore::ended`] gives at once.
pub const MOST_ENDED: usize = 1000;

/// A queue. Any number of threads, processes and, with NATS, machines may use one at the same time.
///
/// # Errors
/// All methods: the store cannot be reached or written, or what it holds is damaged. What a method
/// fails at besides is said there.
pub trait JobStore: Send + Sync {
    /// Adds jobs, and gives how many of them were new: one whose key is there already, in whatever
    /// batch, stays as it is. Their order is that of their places; jobs of earlier batches come first.
    /// After a failure some may have been added: add all of them again.
    ///
    /// # Errors
    /// `TooLarge` for a body; nothing is added then.
    fn add(&self, jobs: &[Job]) -> Result<u64, Error>;

    /// Makes a job wait anew that has ended, as if it had never been tried; false if it has not ended,
    /// and nothing changes. Its end is still told by [`JobStore::ended`], its log goes on.
    ///
    /// # Errors
    /// `Missing` if there is no such job.
    fn again(&self, key: &Key) -> Result<bool, Error>;

    /// Gives the worker the first job that it can do: one that waits, or one whose lease has ended.
    /// `None` if there is none; ask again later. The lease is how long the worker may be silent.
    fn claim(&self, worker: &Worker, lease: Duration) -> Result<Option<Claim>, Error>;

    /// Says that a job is still being run, which makes its lease last anew from now. A lease that has
    /// ended is revived as long as nobody took the job.
    ///
    /// # Errors
    /// `Fenced` if it is no longer this worker's: stop, nothing of it will be taken.
    fn beat(&self, claim: &Claim, progress: &Progress) -> Result<Beat, Error>;

    /// Ends an attempt. It counts also after its lease has ended, as long as nobody took the job. Saying
    /// it twice is as good as once: the first outcome stands. A job that was cancelled meanwhile ends
    /// as cancelled, whatever the outcome.
    ///
    /// # Errors
    /// `Fenced` if the job is no longer this worker's; `TooLarge` for facts; `Full` if the disk is: the
    /// job stays claimed, and this may be said again later. Nothing of a refused outcome is to be seen.
    fn finish(&self, claim: &Claim, outcome: Outcome) -> Result<(), Error>;

    /// Ends a waiting job as cancelled; a running one is told so at its next beat, and ends when its
    /// worker finishes it or its lease ends. False if it had ended or been cancelled already.
    ///
    /// # Errors
    /// `Missing` if there is no such job.
    fn cancel(&self, key: &Key) -> Result<bool, Error>;

    /// Cancels all jobs of a batch; gives how many that changed.
    fn cancel_batch(&self, batch: &str) -> Result<u64, Error>;

    /// What ended of a batch after the cursor, in the order in which it did, and where to go on: each
    /// end is told exactly once to whoever goes on there. At most [`MOST_ENDED`] at once; none means
    /// that there is no more by now.
    fn ended(&self, batch: &str, after: Cursor) -> Result<(Vec<Ended>, Cursor), Error>;

    /// A job as it stands; `None` if there is no such job.
    fn job(&self, key: &Key) -> Result<Option<JobStatus>, Error>;

    /// All jobs of a batch, by place.
    fn jobs(&self, batch: &str) -> Result<Vec<JobStatus>, Error>;

    /// How many jobs of a batch are where: of all of them, or of the measured ones alone.
    fn counts(&self, batch: &str, which: Which) -> Result<Counts, Error>;

    /// Workers that were heard of within the last ten minutes, by name.
    fn workers(&self) -> Result<Vec<WorkerStatus>, Error>;

    /// Appends to a job's log, of which the last [`MOST_LOG`] bytes are kept.
    ///
    /// # Errors
    /// `Fenced` as for [`JobStore::beat`].
    fn log(&self, claim: &Claim, bytes: &[u8]) -> Result<(), Error>;

    /// Reads a job's log from a position in bytes on, 0 for the beginning.
    ///
    /// # Errors
    /// `Missing` if there is no such job.
    fn read_log(&self, key: &Key, from: u64) -> Result<LogPart, Error>;

    /// Keeps what a stream has to say, whole or not at all, and gives its hash; the same content is
    /// kept once.
    ///
    /// # Errors
    /// `Read` if the stream fails; `Full` if the disk is.
    fn put(&self, from: &mut dyn Read) -> Result<Hash, Error>;

    /// Writes a blob, and gives its length in bytes. What was written before an error is not to be
    /// used: the hash is known at the end.
    ///
    /// # Errors
    /// `Missing`, `Damaged` if it is not what its hash says, `Write` if the receiver fails.
    fn get(&self, hash: &Hash, to: &mut dyn Write) -> Result<u64, Error>;

    /// Whether a blob is there; its content is not looked at.
    fn has(&self, hash: &Hash) -> Result<bool, Error>;
}
