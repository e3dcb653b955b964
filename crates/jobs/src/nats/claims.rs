//! Who gets which job, and what becomes of it.
//!
//! Messages only say which job is next; whether somebody has it, and who, is in its entry. A message
//! that comes again tells that its worker was silent; its lease is then measured by the server's clock.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt as _;
use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};

use super::names;
use super::trouble::{ANSWER, Call, Trouble};
use super::workers::Workers;
use crate::clock::wall_now;
use crate::state::At;
use crate::{Beat, Claim, Error, Needs, Outcome, Progress, Worker};

/// The shortest time after which a server gives a message to the next.
const SHORTEST: Duration = Duration::from_millis(100);

/// What a worker said last.
#[derive(Serialize, Deserialize)]
pub(super) struct Said {
    pub(super) fence: u64,
    pub(super) progress: Progress,
}

impl Call<'_> {
    pub(super) async fn claim(
        &self,
        workers: &Workers,
        worker: &Worker,
        lease: Duration,
    ) -> Result<Option<Claim>, Error> {
        let mut needs = workers.known_needs();
        if needs.is_empty() {
            needs = self.all_needs(workers).await?;
        }
        loop {
            match self.first(workers, &needs, worker, lease).await? {
                Some(message) => {
                    if let Some(claim) = self.take(workers, message, worker, lease).await? {
                        return Ok(Some(claim));
                    }
                }
                None => {
                    // Jobs may have come that need what none needed before.
                    let now = self.all_needs(workers).await?;
                    if now == needs {
                        self.see(workers, worker, None, false).await?;
                        return Ok(None);
                    }
                    needs = now;
                }
            }
        }
    }

    /// The first message of a job that the worker can do.
    async fn first(
        &self,
        workers: &Workers,
        needs: &[Needs],
        worker: &Worker,
        lease: Duration,
    ) -> Result<Option<Message>, Error> {
        let met = needs.iter().filter(|needs| needs.are_met_by(&worker.offers));
        let asked = met.map(async |needs| {
            let consumer = self.consumer(workers, needs, lease).await?;
            self.next_of(workers, needs, &consumer).await
        });
        let mut first: Option<(u64, Message)> = None;
        for message in try_join_all(asked).await?.into_iter().flatten() {
            let place = message.info().map_or(u64::MAX, |info| info.stream_sequence);
            let later = match &mut first {
                Some((earliest, one)) if place < *earliest => {
                    *earliest = place;
                    std::mem::replace(one, message)
                }
                Some(_) => message,
                None => {
                    first = Some((place, message));
                    continue;
                }
            };
            self.acknowledge(reply(&later), AckKind::Nak(None)).await?;
        }
        Ok(first.map(|(_, message)| message))
    }

    async fn next_of(
        &self,
        workers: &Workers,
        needs: &Needs,
        consumer: &PullConsumer,
    ) -> Result<Option<Message>, Error> {
        let next = async || {
            let mut messages = consumer.fetch().max_messages(1).messages().await?;
            let message = tokio::time::timeout(ANSWER, messages.next()).await?;
            message.transpose().map_err(|error| Trouble::boxed(&error))
        };
        let next = self.ask(next).await;
        if next.is_err() {
            // It may have been deleted.
            workers.forget_consumer(needs);
        }
        next
    }

    /// Who hands out jobs with these needs. All have the shortest lease that was ever asked for: who
    /// finds that a longer one has not ended leaves the job where it is.
    async fn consumer(
        &self,
        workers: &Workers,
        needs: &Needs,
        lease: Duration,
    ) -> Result<PullConsumer, Error> {
        let lease = lease.max(SHORTEST);
        if let Some(consumer) = workers.consumer(needs, lease) {
            return Ok(consumer);
        }
        let name = self.link.names.consumer(needs);
        let jobs = &self.link.streams.jobs;
        let consumer = self
            .ask(async || {
                if let Ok(there) = jobs.get_consumer::<pull::Config>(&name).await
                    && there.cached_info().config.ack_wait <= lease
                {
                    return Ok(there);
                }
                let config = pull::Config {
                    durable_name: Some(name.clone()),
                    filter_subject: self.link.names.jobs(needs),
                    ack_policy: AckPolicy::Explicit,
                    ack_wait: lease,
                    // Attempts are counted in the entry, which also ends what is tried too often.
                    max_deliver: -1,
                    max_ack_pending: -1,
                    ..<_>::default()
                };
                Ok(jobs.create_consumer(config).await?)
            })
            .await?;
        workers.keep_consumer(needs, consumer.clone());
        Ok(consumer)
    }

    /// Makes the job of a message the worker's; none if there is nothing to be done for it now.
    async fn take(
        &self,
        workers: &Workers,
        message: Message,
        worker: &Worker,
        lease: Duration,
    ) -> Result<Option<Claim>, Error> {
        let handle = reply(&message).to_owned();
        let about = match names::job_at(&message.subject) {
            Some((key, round)) => self.about(&key).await?.map(|about| (about, round)),
            None => None,
        };
        let Some(((mut job, blob), round)) = about else {
            self.acknowledge(&handle, AckKind::Ack).await?;
            return Ok(None);
        };
        loop {
            let known = self.entry(&job.batch, &job.key).await?;
            let Some(known) = known.filter(|known| known.entry.state.round == round) else {
                self.acknowledge(&handle, AckKind::Ack).await?;
                return Ok(None);
            };
            if matches!(known.entry.state.at, At::Ended { .. }) {
                self.tell_end(&job, &known.entry.state).await?;
                self.acknowledge(&handle, AckKind::Ack).await?;
                return Ok(None);
            }
            if matches!(known.entry.state.at, At::Running { .. }) {
                let rest = self.rest_of_lease(workers, worker, &job, &known).await?;
                if let Some(rest) = rest {
                    self.acknowledge(&handle, AckKind::Nak(Some(rest))).await?;
                    return Ok(None);
                }
            }
            let mut entry = known.entry;
            entry.state.claim(&worker.name, wall_now());
            entry.lease = u64::try_from(lease.as_nanos()).unwrap_or(u64::MAX);
            if self.write(&job, &entry, known.revision).await?.is_err() {
                continue;
            }
            if matches!(entry.state.at, At::Ended { .. }) {
                self.tell_end(&job, &entry.state).await?;
                self.acknowledge(&handle, AckKind::Ack).await?;
                return Ok(None);
            }
            if let Some(blob) = blob {
                job.body.clear();
                self.get_blob(&blob, &mut job.body).await?;
            }
            self.see(workers, worker, Some(job.key), true).await?;
            return Ok(Some(Claim {
                attempt: entry.state.attempt,
                fence: entry.state.fence,
                worker: worker.name.clone(),
                handle,
                job,
            }));
        }
    }

    pub(super) async fn beat(
        &self,
        workers: &Workers,
        claim: &Claim,
        progress: &Progress,
    ) -> Result<Beat, Error> {
        let beat = self.check(claim).await?;
        let said = Said { fence: claim.fence, progress: progress.clone() };
        let bytes = serde_json::to_vec(&said).unwrap_or_default();
        let name = names::state(&claim.job.batch, &claim.job.key);
        let bucket = &self.link.buckets.progress;
        self.ask(async || Ok(bucket.put(&name, bytes.clone().into()).await?)).await?;
        self.acknowledge(&claim.handle, AckKind::Progress).await?;
        self.see_again(workers, claim, Some(claim.job.key), false).await?;
        Ok(beat)
    }

    /// Whether a job is still that of a claim.
    pub(super) async fn check(&self, claim: &Claim) -> Result<Beat, Error> {
        let known = self.entry(&claim.job.batch, &claim.job.key).await?;
        known.ok_or_else(|| claim.fenced())?.entry.state.beat(claim)
    }

    pub(super) async fn finish(
        &self,
        workers: &Workers,
        claim: &Claim,
        outcome: Outcome,
    ) -> Result<(), Error> {
        outcome.check()?;
        let finish = |state: &mut crate::state::State| {
            Ok(state.finish(claim, outcome.clone(), wall_now())?.then_some(()))
        };
        let changed = self.change(&claim.job, finish).await?;
        let kind = match &changed {
            Some((_, entry)) if matches!(entry.state.at, At::Delayed { .. }) => {
                AckKind::Nak(Some(entry.state.back_off()))
            }
            Some(_) => AckKind::Ack,
            // It was finished before, and this is said once more.
            None => return Ok(()),
        };
        self.acknowledge(&claim.handle, kind).await?;
        self.see_again(workers, claim, None, true).await
    }

    /// Answers a message by where it wants to be answered.
    async fn acknowledge(&self, handle: &str, kind: AckKind) -> Result<(), Error> {
        let client = &self.link.client;
        self.ask(async || Ok(client.request(handle.to_owned(), kind.into()).await?)).await.map(drop)
    }
}

fn reply(message: &Message) -> &str {
    message.reply.as_deref().unwrap_or_default()
}
