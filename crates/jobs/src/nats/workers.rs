//! What a store knows of its workers, and tells the server.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{DeliverPolicy, PullConsumer};
use serde::{Deserialize, Serialize};

use super::claims::Said;
use super::entries::Known;
use super::names::{self, token};
use super::trouble::Call;
use crate::clock::wall_now;
use crate::{Claim, Error, Job, Key, Needs, Offers, Worker, WorkerStatus};

/// How old what the server knows of a worker may be: idle workers ask often.
const SEEN_EVERY: Duration = Duration::from_secs(5);

/// How old the list of all needs may be, while there are jobs with those that are known.
const NEEDS_EVERY: Duration = Duration::from_secs(2);

/// A worker as the server knows it.
#[derive(Serialize, Deserialize)]
struct Seen {
    name: String,
    machine: String,
    offers: Offers,
    seen: i64,
    runs: Option<Key>,
}

/// What is remembered between calls.
#[derive(Default)]
pub(super) struct Workers(Mutex<Remembered>);

#[derive(Default)]
struct Remembered {
    /// And when the server told them.
    needs: Option<(Vec<Needs>, Instant)>,
    consumers: HashMap<Needs, PullConsumer>,
    /// By name, and when the server was told.
    workers: HashMap<String, (Worker, Instant)>,
}

impl Workers {
    /// Needs that the server told lately.
    pub(super) fn known_needs(&self) -> Option<Vec<Needs>> {
        let remembered = self.lock();
        let (needs, told) = remembered.needs.as_ref()?;
        (told.elapsed() < NEEDS_EVERY).then(|| needs.clone())
    }

    pub(super) fn consumer(&self, needs: &Needs, lease: Duration) -> Option<PullConsumer> {
        let remembered = self.lock();
        let consumer = remembered.consumers.get(needs)?;
        (consumer.cached_info().config.ack_wait <= lease).then(|| consumer.clone())
    }

    pub(super) fn keep_consumer(&self, needs: &Needs, consumer: PullConsumer) {
        self.lock().consumers.insert(needs.clone(), consumer);
    }

    pub(super) fn forget_consumer(&self, needs: &Needs) {
        self.lock().consumers.remove(needs);
    }

    fn lock(&self) -> MutexGuard<'_, Remembered> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Call<'_> {
    /// All needs that any job ever had.
    pub(super) async fn all_needs(&self, workers: &Workers) -> Result<Vec<Needs>, Error> {
        let bucket = &self.link.buckets.needs;
        let filter = format!("$KV.{}.>", bucket.name);
        let policy = DeliverPolicy::LastPerSubject;
        let messages = self.messages(&bucket.stream, &filter, policy, usize::MAX).await?;
        let mut needs = vec![];
        for message in messages {
            needs.push(self.read(&message.payload)?);
        }
        needs.sort();
        workers.lock().needs = Some((needs.clone(), Instant::now()));
        Ok(needs)
    }

    /// Tells the server of a worker; not if it was told lately, unless something changed.
    pub(super) async fn see(
        &self,
        workers: &Workers,
        worker: &Worker,
        runs: Option<Key>,
        is_news: bool,
    ) -> Result<(), Error> {
        let is_fresh = workers
            .lock()
            .workers
            .get(&worker.name)
            .is_some_and(|(known, told)| known == worker && told.elapsed() < SEEN_EVERY);
        if is_fresh && !is_news {
            return Ok(());
        }
        self.tell_worker(worker, runs).await?;
        let told = (worker.clone(), Instant::now());
        workers.lock().workers.insert(worker.name.clone(), told);
        Ok(())
    }

    /// The same for the worker of a claim, if it claimed through this store.
    pub(super) async fn see_again(
        &self,
        workers: &Workers,
        claim: &Claim,
        runs: Option<Key>,
        is_news: bool,
    ) -> Result<(), Error> {
        let worker = workers.lock().workers.get(&claim.worker).map(|(worker, _)| worker.clone());
        match worker {
            Some(worker) => self.see(workers, &worker, runs, is_news).await,
            None => Ok(()),
        }
    }

    async fn tell_worker(&self, worker: &Worker, runs: Option<Key>) -> Result<(), Error> {
        let seen = Seen {
            name: worker.name.clone(),
            machine: worker.machine.clone(),
            offers: worker.offers.clone(),
            seen: wall_now(),
            runs,
        };
        let bytes = serde_json::to_vec(&seen).unwrap_or_default();
        let (bucket, name) = (&self.link.buckets.workers, token(&worker.name));
        self.ask(async || Ok(bucket.put(&name, bytes.clone().into()).await?)).await.map(drop)
    }

    /// How long the lease of a running job still lasts by the server's clock; none if it has ended.
    pub(super) async fn rest_of_lease(
        &self,
        workers: &Workers,
        worker: &Worker,
        job: &Job,
        known: &Known,
    ) -> Result<Option<Duration>, Error> {
        // What is written now tells what time it is there.
        self.see(workers, worker, None, true).await?;
        let (bucket, name) = (&self.link.buckets.workers, token(&worker.name));
        let now = self.ask(async || Ok(bucket.entry(name.as_str()).await?)).await?;
        let now = now.map_or(i128::MAX, |entry| entry.created.unix_timestamp_nanos());
        let (bucket, name) = (&self.link.buckets.progress, names::state(&job.batch, &job.key));
        let said = self.ask(async || Ok(bucket.entry(name.as_str()).await?)).await?;
        let mut heard = known.written;
        if let Some(entry) = said {
            let said: Said = self.read(&entry.value)?;
            if said.fence == known.entry.state.fence {
                heard = heard.max(entry.created.unix_timestamp_nanos());
            }
        }
        let rest = heard + i128::from(known.entry.lease) - now;
        Ok(u64::try_from(rest).ok().filter(|rest| *rest > 0).map(Duration::from_nanos))
    }

    pub(super) async fn workers(&self) -> Result<Vec<WorkerStatus>, Error> {
        let bucket = &self.link.buckets.workers;
        let filter = format!("$KV.{}.>", bucket.name);
        let policy = DeliverPolicy::LastPerSubject;
        let messages = self.messages(&bucket.stream, &filter, policy, usize::MAX).await?;
        let mut workers = vec![];
        for message in messages {
            let Seen { name, machine, offers, seen, runs } = self.read(&message.payload)?;
            workers.push(WorkerStatus { name, machine, offers, seen, runs });
        }
        workers.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(workers)
    }
}
