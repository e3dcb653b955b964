//! What is to be seen.

use std::collections::HashMap;

use async_nats::jetstream::consumer::DeliverPolicy;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use super::claims::Said;
use super::entries::Entry;
use super::names;
use super::trouble::Call;
use crate::{Counts, Cursor, Ended, Error, JobStatus, Key, MOST_ENDED, Progress, Which};

/// Jobs that are cancelled at the same time.
const AT_ONCE: usize = 64;

impl Call<'_> {
    pub(super) async fn ended(
        &self,
        batch: &str,
        after: Cursor,
    ) -> Result<(Vec<Ended>, Cursor), Error> {
        let start_sequence = after.0 + 1;
        let policy = DeliverPolicy::ByStartSequence { start_sequence };
        let filter = self.link.names.ends(batch);
        let ends = &self.link.streams.ends;
        let messages = self.messages(ends, &filter, policy, MOST_ENDED).await?;
        let (mut ended, mut cursor) = (vec![], after);
        for message in messages {
            let info = message.info().map_err(|error| self.other(error.to_string()))?;
            cursor = Cursor(info.stream_sequence);
            ended.push(self.read(&message.payload)?);
        }
        Ok((ended, cursor))
    }

    pub(super) async fn status(&self, key: &Key) -> Result<Option<JobStatus>, Error> {
        let Some((job, _)) = self.about(key).await? else { return Ok(None) };
        let Some(known) = self.entry(&job.batch, key).await? else { return Ok(None) };
        let (bucket, name) = (&self.link.buckets.progress, names::state(&job.batch, key));
        let said = self.ask(async || Ok(bucket.get(name.as_str()).await?)).await?;
        let said = said.map(|said| self.read(&said)).transpose()?;
        Ok(Some(shown(*key, &job.batch, known.entry, said)))
    }

    pub(super) async fn statuses(&self, batch: &str) -> Result<Vec<JobStatus>, Error> {
        let mut said: HashMap<Key, Said> = self.of_batch("progress", batch).await?;
        let entries: HashMap<Key, Entry> = self.of_batch("state", batch).await?;
        let each = entries.into_iter();
        let mut jobs: Vec<_> =
            each.map(|(key, entry)| shown(key, batch, entry, said.remove(&key))).collect();
        jobs.sort_by_key(|job| (job.place, job.key));
        Ok(jobs)
    }

    pub(super) async fn count(&self, batch: &str, which: Which) -> Result<Counts, Error> {
        let entries: HashMap<Key, Entry> = self.of_batch("state", batch).await?;
        let mut counts = Counts::default();
        for entry in entries.into_values().filter(|entry| which.has(entry.measured)) {
            counts.add(&entry.state.phase(Progress::default()));
        }
        Ok(counts)
    }

    pub(super) async fn cancel_batch(&self, batch: &str) -> Result<u64, Error> {
        let entries: HashMap<Key, Entry> = self.of_batch("state", batch).await?;
        let mut entries: Vec<_> = entries.into_iter().collect();
        entries.sort_by_key(|(key, entry)| (entry.place, *key));
        let changed: Vec<bool> = stream::iter(entries)
            .map(async |(key, entry)| self.cancel(&entry.job(batch, &key)).await)
            .buffered(AT_ONCE)
            .try_collect()
            .await?;
        Ok(changed.iter().filter(|changed| **changed).count() as u64)
    }

    /// What a bucket holds of all jobs of a batch.
    async fn of_batch<T: for<'de> serde::Deserialize<'de>>(
        &self,
        bucket: &str,
        batch: &str,
    ) -> Result<HashMap<Key, T>, Error> {
        let buckets = &self.link.buckets;
        let bucket = if bucket == "state" { &buckets.state } else { &buckets.progress };
        let filter = format!("$KV.{}.{}", bucket.name, names::states(batch));
        let policy = DeliverPolicy::LastPerSubject;
        let messages = self.messages(&bucket.stream, &filter, policy, usize::MAX).await?;
        let mut found = HashMap::new();
        for message in messages {
            let key = message.subject.rsplit('.').next().unwrap_or_default();
            found.insert(key.parse()?, self.read(&message.payload)?);
        }
        Ok(found)
    }
}

fn shown(key: Key, batch: &str, entry: Entry, said: Option<Said>) -> JobStatus {
    let said = said.filter(|said| said.fence == entry.state.fence);
    JobStatus {
        key,
        batch: batch.to_owned(),
        place: entry.place,
        needs: entry.needs,
        measured: entry.measured,
        attempt: entry.state.attempt,
        troubles: entry.state.troubles.clone(),
        phase: entry.state.phase(said.map_or_else(Progress::default, |said| said.progress)),
    }
}
