//! Jobs that are added, many at once: requests go out before the ones before them are answered.

use std::collections::{HashMap, HashSet};

use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use super::entries::{Entry, stream_message};
use super::names;
use super::trouble::{Call, Trouble};
use crate::state::{At, State, too_large};
use crate::{Error, Job, MOST_BODY};

/// Requests that are not yet answered.
const UNDERWAY: usize = 128;

/// A message for who can do a job.
struct Waiting {
    subject: String,
    /// Name of the batch, by which its entry is found.
    batch: Vec<u8>,
}

impl Call<'_> {
    pub(super) async fn add(&self, jobs: &[Job]) -> Result<u64, Error> {
        for job in jobs {
            too_large(job.body.len(), MOST_BODY, || format!("the body of job {}", job.key))?;
        }
        let jobs = in_order(jobs);
        for needs in jobs.iter().map(|job| &job.needs).collect::<HashSet<_>>() {
            let bytes = serde_json::to_vec(needs).unwrap_or_default();
            let (bucket, name) = (&self.link.buckets.needs, self.link.names.consumer(needs));
            self.try_ask(async || Ok(bucket.create(&name, bytes.clone().into()).await?))
                .await?
                .ok();
        }
        let new: Vec<bool> = stream::iter(&jobs)
            .map(|job| self.describe(job))
            .buffered(UNDERWAY)
            .try_collect()
            .await?;
        let waiting: Vec<Option<Waiting>> = stream::iter(jobs.iter().zip(&new))
            .map(|(job, is_new)| self.place(job, *is_new))
            .buffered(UNDERWAY)
            .try_collect()
            .await?;
        self.publish_in_order(&waiting.into_iter().flatten().collect::<Vec<_>>()).await?;
        Ok(new.iter().filter(|is_new| **is_new).count() as u64)
    }

    /// Writes down what a job is; false if that stands there already.
    async fn describe(&self, job: &Job) -> Result<bool, Error> {
        let bucket = &self.link.buckets.about;
        let name = job.key.to_string();
        if job.body.len() > 64 << 10 && self.about(&job.key).await?.is_some() {
            return Ok(false);
        }
        let bytes = self.about_bytes(job).await?;
        let made =
            self.try_ask(async || Ok(bucket.create(&name, bytes.clone().into()).await?)).await?;
        Ok(made.is_ok())
    }

    /// Writes down that a job waits; the message that says so, if it waits and nobody had it yet.
    async fn place(&self, job: &Job, is_new: bool) -> Result<Option<Waiting>, Error> {
        // Who added it before may have died before it was told to anyone.
        let known = if is_new { None } else { Some(self.known(&job.key).await?) };
        let job = known.as_ref().unwrap_or(job);
        let bucket = &self.link.buckets.state;
        let name = names::state(&job.batch, &job.key);
        let bytes = serde_json::to_vec(&Entry::new(job)).unwrap_or_default();
        let made =
            self.try_ask(async || Ok(bucket.create(&name, bytes.clone().into()).await?)).await?;
        let waiting = |round| Waiting {
            subject: self.link.names.job(&job.needs, &job.key, round),
            batch: job.batch.clone().into_bytes(),
        };
        if made.is_ok() {
            return Ok(Some(waiting(0)));
        }
        let known = self.entry(&job.batch, &job.key).await?;
        let state = known.map(|known| known.entry.state);
        let is_untouched = |state: &State| matches!(state.at, At::Waiting) && state.attempt == 0;
        Ok(state.filter(is_untouched).map(|state| waiting(state.round)))
    }

    /// Publishes without waiting for each; what got lost is published once more.
    async fn publish_in_order(&self, waiting: &[Waiting]) -> Result<(), Error> {
        for part in waiting.chunks(UNDERWAY) {
            let mut sent = Vec::with_capacity(part.len());
            for Waiting { subject, batch } in part {
                let message = stream_message(subject, batch.clone());
                let sending = self.link.jetstream.send_publish(subject.clone(), message).await;
                sent.push((subject, batch, sending));
            }
            for (subject, batch, sending) in sent {
                let taken = match sending {
                    Ok(sending) => sending.await.map(drop).map_err(Trouble::from),
                    Err(error) => Err(error.into()),
                };
                match taken {
                    Ok(()) | Err(Trouble::Conflict) => {}
                    Err(_) => self.publish_once(subject, batch.clone()).await?,
                }
            }
        }
        Ok(())
    }
}

/// Each job once; batches as they come first, jobs of a batch by place.
fn in_order(jobs: &[Job]) -> Vec<Job> {
    let mut batches = HashMap::new();
    let mut seen = HashSet::new();
    let mut ordered: Vec<(usize, &Job)> = vec![];
    for job in jobs {
        let next = batches.len();
        let batch = *batches.entry(&job.batch).or_insert(next);
        if seen.insert(job.key) {
            ordered.push((batch, job));
        }
    }
    ordered.sort_by_key(|(batch, job)| (*batch, job.place));
    ordered.into_iter().map(|(_, job)| job.clone()).collect()
}
