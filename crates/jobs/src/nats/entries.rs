//! What is kept of a job: what it is, which never changes, and where it is, which is changed only by
//! who has seen its last revision.

use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use async_nats::jetstream::{Message, stream};
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};

use super::names;
use super::trouble::{ANSWER, Call, Conflict, Trouble};
use crate::clock::wall_now;
use crate::state::State;
use crate::{Error, Hash, Job, Key, Needs};

/// Larger bodies are blobs: servers take a message of 1 MiB at most.
const INLINE: usize = 512 << 10;
/// Messages that are asked for at once.
const AT_ONCE: usize = 1000;

/// What a job is, before its body.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct About {
    pub(super) batch: String,
    pub(super) place: u64,
    pub(super) needs: Needs,
    pub(super) measured: bool,
    /// The body, where it is a blob.
    pub(super) blob: Option<Hash>,
}

/// Where a job is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) state: State,
    /// Nanoseconds of the lease that it was claimed with.
    pub(super) lease: u64,
    pub(super) place: u64,
    pub(super) needs: Needs,
    pub(super) measured: bool,
}

impl Entry {
    pub(super) fn new(job: &Job) -> Entry {
        Entry {
            state: State::new(),
            lease: 0,
            place: job.place,
            needs: job.needs.clone(),
            measured: job.measured,
        }
    }

    /// The job without its body.
    pub(super) fn job(&self, batch: &str, key: &Key) -> Job {
        Job {
            key: *key,
            batch: batch.to_owned(),
            place: self.place,
            needs: self.needs.clone(),
            body: vec![],
            measured: self.measured,
        }
    }
}

/// An entry as it was read.
pub(super) struct Known {
    pub(super) entry: Entry,
    pub(super) revision: u64,
    /// By the server's clock, in nanoseconds since 1970.
    pub(super) written: i128,
}

impl Call<'_> {
    /// What a job is, as bytes: a line of JSON, then its body.
    pub(super) async fn about_bytes(&self, job: &Job) -> Result<Vec<u8>, Error> {
        let blob = match job.body.len() {
            ..=INLINE => None,
            _ => Some(self.put_blob(&mut job.body.as_slice()).await?),
        };
        let about = About {
            batch: job.batch.clone(),
            place: job.place,
            needs: job.needs.clone(),
            measured: job.measured,
            blob,
        };
        let mut bytes = serde_json::to_vec(&about).map_err(|error| self.unread("a job", &error))?;
        bytes.push(b'\n');
        if blob.is_none() {
            bytes.extend(&job.body);
        }
        Ok(bytes)
    }

    /// A job, with its body if that stands beside.
    pub(super) async fn about(&self, key: &Key) -> Result<Option<(Job, Option<Hash>)>, Error> {
        let name = key.to_string();
        let bucket = &self.link.buckets.about;
        let bytes = self.ask(async || Ok(bucket.get(name.as_str()).await?)).await?;
        let Some(bytes) = bytes else { return Ok(None) };
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
        let about: About = serde_json::from_slice(&bytes[..end])
            .map_err(|error| self.unread(&format!("job {key}"), &error))?;
        let job = Job {
            key: *key,
            batch: about.batch,
            place: about.place,
            needs: about.needs,
            body: bytes.get(end + 1..).unwrap_or_default().to_vec(),
            measured: about.measured,
        };
        Ok(Some((job, about.blob)))
    }

    /// A job whose body is not needed.
    pub(super) async fn known(&self, key: &Key) -> Result<Job, Error> {
        let about = self.about(key).await?;
        about.map(|(job, _)| job).ok_or_else(|| self.missing(format!("job {key}")))
    }

    /// Where a job is.
    pub(super) async fn entry(&self, batch: &str, key: &Key) -> Result<Option<Known>, Error> {
        let name = names::state(batch, key);
        let bucket = &self.link.buckets.state;
        let found = self.ask(async || Ok(bucket.entry(name.as_str()).await?)).await?;
        let read = |found: async_nats::jetstream::kv::Entry| {
            let entry = self.read(&found.value)?;
            let written = found.created.unix_timestamp_nanos();
            Ok(Known { entry, revision: found.revision, written })
        };
        found.map(read).transpose()
    }

    /// Writes where a job is, if nobody did since it was read.
    pub(super) async fn write(
        &self,
        job: &Job,
        entry: &Entry,
        revision: u64,
    ) -> Result<Result<(), Conflict>, Error> {
        let name = names::state(&job.batch, &job.key);
        let bytes = serde_json::to_vec(entry).map_err(|error| self.unread("a job", &error))?;
        let bucket = &self.link.buckets.state;
        let written = self
            .try_ask(async || Ok(bucket.update(&name, bytes.clone().into(), revision).await?))
            .await?;
        if written.is_ok() {
            return Ok(Ok(()));
        }
        // It may have been ourselves, whose answer was lost.
        let now = self.entry(&job.batch, &job.key).await?;
        Ok(if now.is_some_and(|now| now.entry == *entry) { Ok(()) } else { Err(Conflict) })
    }

    /// Changes where a job is: what `change` makes of it is written unless it gives none. Then tells of
    /// its end if it has one.
    pub(super) async fn change<T>(
        &self,
        job: &Job,
        mut change: impl FnMut(&mut State) -> Result<Option<T>, Error>,
    ) -> Result<Option<(T, Entry)>, Error> {
        loop {
            let known = self.entry(&job.batch, &job.key).await?;
            let known = known.ok_or_else(|| self.missing(format!("job {}", job.key)))?;
            let mut entry = known.entry;
            let Some(value) = change(&mut entry.state)? else {
                // Who ended it may have died before it told.
                self.tell_end(job, &entry.state).await?;
                return Ok(None);
            };
            if self.write(job, &entry, known.revision).await?.is_ok() {
                self.tell_end(job, &entry.state).await?;
                return Ok(Some((value, entry)));
            }
        }
    }

    /// Tells those who collect that a job has ended, once however often this is called.
    pub(super) async fn tell_end(&self, job: &Job, state: &State) -> Result<(), Error> {
        let Some(ended) = state.ended(job) else { return Ok(()) };
        let subject = self.link.names.end(&job.batch, &job.key, state.round);
        let bytes = serde_json::to_vec(&ended).map_err(|error| self.unread("an end", &error))?;
        self.publish_once(&subject, bytes).await
    }

    /// Publishes what a subject has only one of.
    pub(super) async fn publish_once(&self, subject: &str, bytes: Vec<u8>) -> Result<(), Error> {
        let message = stream_message(subject, bytes);
        let publish = async || {
            let sent = self.link.jetstream.send_publish(subject.to_owned(), message.clone()).await;
            sent?.await?;
            Ok(())
        };
        // A conflict says that it is there.
        self.try_ask(publish).await.map(drop)
    }

    /// The messages of a stream by subject, at most so many.
    pub(super) async fn messages(
        &self,
        stream: &stream::Stream,
        filter: &str,
        deliver_policy: DeliverPolicy,
        most: usize,
    ) -> Result<Vec<Message>, Error> {
        self.ask(async || {
            let config = pull::Config {
                deliver_policy,
                filter_subject: filter.to_owned(),
                ack_policy: AckPolicy::None,
                inactive_threshold: ANSWER * 10,
                memory_storage: true,
                num_replicas: 1,
                ..<_>::default()
            };
            let consumer = stream.create_consumer(config).await?;
            let pending = usize::try_from(consumer.cached_info().num_pending).unwrap_or(most);
            let wanted = pending.min(most);
            let mut messages = Vec::with_capacity(wanted);
            while messages.len() < wanted {
                let count = (wanted - messages.len()).min(AT_ONCE);
                let mut batch = consumer.fetch().max_messages(count).messages().await?;
                let before = messages.len();
                while let Some(message) = tokio::time::timeout(ANSWER, batch.next()).await? {
                    messages.push(message.map_err(|error| Trouble::boxed(&error))?);
                }
                if messages.len() == before {
                    break;
                }
            }
            // The server forgets it by itself a little later.
            let _ = stream.delete_consumer(&consumer.cached_info().name).await;
            Ok(messages)
        })
        .await
    }

    /// Reads what we wrote.
    pub(super) fn read<T: for<'de> Deserialize<'de>>(&self, bytes: &[u8]) -> Result<T, Error> {
        serde_json::from_slice(bytes).map_err(|error| self.unread("an entry", &error))
    }

    fn unread(&self, what: &str, error: &serde_json::Error) -> Error {
        self.damaged(format!("{what} ({error})"))
    }
}

/// A message that is only taken if its subject has none, and not a second time for two minutes.
pub(super) fn stream_message(
    subject: &str,
    bytes: Vec<u8>,
) -> async_nats::jetstream::message::PublishMessage {
    async_nats::jetstream::message::PublishMessage::build()
        .payload(bytes.into())
        .message_id(subject)
        .expected_last_subject_sequence(0)
}

/// Ends a job or makes it wait anew, by the wish of somebody who does not have it.
impl Call<'_> {
    pub(super) async fn cancel(&self, job: &Job) -> Result<bool, Error> {
        let changed = self.change(job, |state| Ok(state.cancel(wall_now()).then_some(()))).await?;
        // Who is given its message finds that there is nothing to do.
        Ok(changed.is_some())
    }

    pub(super) async fn again(&self, key: &Key) -> Result<bool, Error> {
        let job = self.known(key).await?;
        let changed = self.change(&job, |state| Ok(state.again().then_some(()))).await?;
        let Some(((), entry)) = changed else { return Ok(false) };
        let subject = self.link.names.job(&job.needs, key, entry.state.round);
        self.publish_once(&subject, job.batch.into_bytes()).await?;
        Ok(true)
    }
}
