//! Who gets which job, and what becomes of it.
//!
//! Messages only say which job is next; whether somebody has it, and who, is in its entry. A message
//! that comes again tells that its worker was silent; its lease is then measured by the server's clock.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::{AckKind, Message};
use futures_util::future::{try_join, try_join_all, try_join3};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde::{Deserialize, Serialize};

use super::names;
use super::trouble::{ANSWER, Call, Trouble};
use super::workers::Workers;
use crate::clock::wall_now;
use crate::state::At;
use crate::{Beat, Claim, Error, Needs, Outcome, Progress, Worker};

/// The shortest time after which a server gives a message to the next.
const SHORTEST: Duration = Duration::from_millis(100);

/// Messages that are looked at together where many may be stale.
const AT_ONCE: usize = 100;

/// What became of a message.
enum Taken {
    Claimed(Box<Claim>),
    /// Somebody has it; it comes again.
    NotNow,
    /// There is nothing to do for it any more.
    Stale,
}

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
        let mut needs = match workers.known_needs() {
            Some(needs) => needs,
            None => self.all_needs(workers).await?,
        };
        loop {
            match self.first(workers, &needs, worker, lease).await? {
                Some((message, consumer)) => {
                    match self.take(workers, message, worker, lease).await? {
                        Taken::Claimed(claim) => return Ok(Some(*claim)),
                        // Where one is, there may be thousands.
                        Taken::Stale => self.skip_stale(&consumer).await?,
                        Taken::NotNow => {}
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
    ) -> Result<Option<(Message, PullConsumer)>, Error> {
        let met = needs.iter().filter(|needs| needs.are_met_by(&worker.offers));
        let asked = met.map(async |needs| {
            let consumer = self.consumer(workers, needs, lease).await?;
            let message = self.next_of(workers, needs, &consumer).await?;
            Ok::<_, Error>(message.map(|message| (message, consumer)))
        });
        let mut found: Vec<_> = try_join_all(asked).await?.into_iter().flatten().collect();
        let place =
            |message: &Message| message.info().map_or(u64::MAX, |info| info.stream_sequence);
        found.sort_by_key(|(message, _)| place(message));
        let mut found = found.into_iter();
        let first = found.next();
        for (later, _) in found {
            self.acknowledge(reply(&later), AckKind::Nak(None)).await?;
        }
        Ok(first)
    }

    /// Gives back messages, as many as come at once, whose jobs have ended meanwhile; the others are
    /// handed out again in their order.
    async fn skip_stale(&self, consumer: &PullConsumer) -> Result<(), Error> {
        loop {
            let messages = async || {
                let mut batch = consumer.fetch().max_messages(AT_ONCE).messages().await?;
                let mut messages = vec![];
                while let Some(message) = tokio::time::timeout(ANSWER, batch.next()).await? {
                    messages.push(message.map_err(|error| Trouble::boxed(&error))?);
                }
                Ok(messages)
            };
            let messages = self.ask(messages).await?;
            let stale: Vec<bool> = stream::iter(&messages)
                .map(|message| self.is_stale(message))
                .buffered(AT_ONCE)
                .try_collect()
                .await?;
            // They go out in this order.
            stream::iter(messages.iter().zip(&stale))
                .map(|(message, is_stale)| {
                    let kind = if *is_stale { AckKind::Ack } else { AckKind::Nak(None) };
                    self.acknowledge(reply(message), kind)
                })
                .buffered(AT_ONCE)
                .try_collect::<()>()
                .await?;
            if messages.len() < AT_ONCE || stale.contains(&false) {
                return Ok(());
            }
        }
    }

    async fn is_stale(&self, message: &Message) -> Result<bool, Error> {
        let Some((key, round)) = names::job_at(&message.subject) else { return Ok(true) };
        let batch = String::from_utf8_lossy(&message.payload);
        let Some(known) = self.entry(&batch, &key).await? else { return Ok(true) };
        // Who ended it may have died before it told.
        self.tell_end(&known.entry.job(&batch, &key), &known.entry.state).await?;
        let state = &known.entry.state;
        Ok(state.round != round || matches!(state.at, At::Ended { .. }))
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

    /// Makes the job of a message the worker's.
    async fn take(
        &self,
        workers: &Workers,
        message: Message,
        worker: &Worker,
        lease: Duration,
    ) -> Result<Taken, Error> {
        let handle = reply(&message).to_owned();
        let Some((key, round)) = names::job_at(&message.subject) else {
            self.acknowledge(&handle, AckKind::Ack).await?;
            return Ok(Taken::Stale);
        };
        let batch = String::from_utf8_lossy(&message.payload);
        let (about, mut first) = try_join(self.about(&key), self.entry(&batch, &key)).await?;
        let Some((mut job, blob)) = about else {
            self.acknowledge(&handle, AckKind::Ack).await?;
            return Ok(Taken::Stale);
        };
        loop {
            let known = match first.take() {
                Some(known) => Some(known),
                None => self.entry(&job.batch, &key).await?,
            };
            let Some(known) = known.filter(|known| known.entry.state.round == round) else {
                self.acknowledge(&handle, AckKind::Ack).await?;
                return Ok(Taken::Stale);
            };
            if matches!(known.entry.state.at, At::Ended { .. }) {
                self.tell_end(&job, &known.entry.state).await?;
                self.acknowledge(&handle, AckKind::Ack).await?;
                return Ok(Taken::Stale);
            }
            if matches!(known.entry.state.at, At::Running { .. }) {
                let rest = self.rest_of_lease(workers, worker, &job, &known).await?;
                if let Some(rest) = rest {
                    self.acknowledge(&handle, AckKind::Nak(Some(rest))).await?;
                    return Ok(Taken::NotNow);
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
                return Ok(Taken::Stale);
            }
            if let Some(blob) = blob {
                job.body.clear();
                self.get_blob(&blob, &mut job.body).await?;
            }
            self.see(workers, worker, Some(job.key), true).await?;
            return Ok(Taken::Claimed(Box::new(Claim {
                attempt: entry.state.attempt,
                fence: entry.state.fence,
                worker: worker.name.clone(),
                handle,
                job,
            })));
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
        try_join3(
            self.ask(async || Ok(bucket.put(&name, bytes.clone().into()).await?)),
            self.acknowledge(&claim.handle, AckKind::Progress),
            self.see_again(workers, claim, Some(claim.job.key), false),
        )
        .await?;
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
        let seen = self.see_again(workers, claim, None, true);
        try_join(self.acknowledge(&claim.handle, kind), seen).await.map(drop)
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
