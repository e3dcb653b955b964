//! The queue as its users see it.

use std::io::{Read, Write};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use super::connect;
use super::link::Link;
use super::trouble::Call;
use super::workers::Workers;
use crate::{
    Beat, Claim, Connect, Counts, Cursor, Ended, Error, Hash, Job, JobStatus, JobStore, Key,
    LogPart, Outcome, Progress, Which, Worker, WorkerStatus,
};

/// A queue on a server.
///
/// It connects again by itself; a call waits as long as [`Connect::patience`] for that. Leases are
/// measured by the server's clock. Jobs of one batch have their order among those that are added
/// together; who adds more later adds them at the end.
///
/// An end is written twice, where the job is and for those who collect. Where the server's space or the
/// worker's life ends between the two, the job shows as ended, and is collected as soon as somebody
/// finishes it once more or is given its message. A job that is given up because of its lease ends when
/// the next worker asks for jobs.
pub struct NatsStore {
    link: Link,
    workers: Workers,
    // The last, for what is above ends in it.
    runtime: Option<Runtime>,
}

impl NatsStore {
    /// Connects to a queue, and makes it if it is not there: `nats://HOST:PORT` or `tls://HOST:PORT`,
    /// several servers of a cluster with commas between them.
    ///
    /// # Errors
    /// `Unreachable`; `Version` of a server before 2.10; `Asked` where the way would not be safe.
    pub fn open(address: &str, connect: &Connect) -> Result<NatsStore, Error> {
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).thread_name("nats").enable_all().build();
        let runtime = runtime.map_err(|error| Error::Other {
            place: address.to_owned(),
            what: format!("cannot start a thread for it: {error}"),
        })?;
        let link = runtime.block_on(connect::link(address, connect))?;
        Ok(NatsStore { link, workers: Workers::default(), runtime: Some(runtime) })
    }

    fn wait<T>(&self, work: impl AsyncFnOnce(Call<'_>) -> Result<T, Error>) -> Result<T, Error> {
        match &self.runtime {
            Some(runtime) => runtime.block_on(work(Call::new(&self.link))),
            None => Err(Call::new(&self.link).other("it is closed")),
        }
    }
}

impl Drop for NatsStore {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl JobStore for NatsStore {
    fn add(&self, jobs: &[Job]) -> Result<u64, Error> {
        self.wait(async |call| call.add(jobs).await)
    }

    fn again(&self, key: &Key) -> Result<bool, Error> {
        self.wait(async |call| call.again(key).await)
    }

    fn claim(&self, worker: &Worker, lease: Duration) -> Result<Option<Claim>, Error> {
        self.wait(async |call| call.claim(&self.workers, worker, lease).await)
    }

    fn beat(&self, claim: &Claim, progress: &Progress) -> Result<Beat, Error> {
        self.wait(async |call| call.beat(&self.workers, claim, progress).await)
    }

    fn finish(&self, claim: &Claim, outcome: Outcome) -> Result<(), Error> {
        self.wait(async |call| call.finish(&self.workers, claim, outcome).await)
    }

    fn cancel(&self, key: &Key) -> Result<bool, Error> {
        self.wait(async |call| call.cancel(&call.known(key).await?).await)
    }

    fn cancel_batch(&self, batch: &str) -> Result<u64, Error> {
        self.wait(async |call| call.cancel_batch(batch).await)
    }

    fn ended(&self, batch: &str, after: Cursor) -> Result<(Vec<Ended>, Cursor), Error> {
        self.wait(async |call| call.ended(batch, after).await)
    }

    fn job(&self, key: &Key) -> Result<Option<JobStatus>, Error> {
        self.wait(async |call| call.status(key).await)
    }

    fn jobs(&self, batch: &str) -> Result<Vec<JobStatus>, Error> {
        self.wait(async |call| call.statuses(batch).await)
    }

    fn counts(&self, batch: &str, which: Which) -> Result<Counts, Error> {
        self.wait(async |call| call.count(batch, which).await)
    }

    fn workers(&self) -> Result<Vec<WorkerStatus>, Error> {
        self.wait(async |call| call.workers().await)
    }

    fn log(&self, claim: &Claim, bytes: &[u8]) -> Result<(), Error> {
        self.wait(async |call| call.log(claim, bytes).await)
    }

    fn read_log(&self, key: &Key, from: u64) -> Result<LogPart, Error> {
        self.wait(async |call| call.read_log(key, from).await)
    }

    fn put(&self, from: &mut dyn Read) -> Result<Hash, Error> {
        self.wait(async |call| call.put_blob(from).await)
    }

    fn get(&self, hash: &Hash, to: &mut dyn Write) -> Result<u64, Error> {
        self.wait(async |call| call.get_blob(hash, to).await)
    }

    fn has(&self, hash: &Hash) -> Result<bool, Error> {
        self.wait(async |call| call.has_blob(hash).await)
    }
}
