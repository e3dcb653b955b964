//! Jobs that are added, many at once: requests go out before the ones before them are answered.

use std::collections::{HashMap, HashSet};

use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use super::entries::{Entry, stream_message};
use super::names;
use super::trouble::{Call, Trouble};
use crate::state::{At, too_large};
use crate::{Error, Job, MOST_BODY};

/// Requests that are not yet answered.
const UNDERWAY: usize = 128;

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
        let rounds: Vec<Option<u32>> = stream::iter(jobs.iter().zip(&new))
            .map(|(job, is_new)| self.place(job, *is_new))
            .buffered(UNDERWAY)
            .try_collect()
            .await?;
        let waiting = jobs.iter().zip(&rounds).filter_map(|(job, round)| Some((job, (*round)?)));
        let subjects: Vec<String> =
            waiting.map(|(job, round)| self.link.names.job(&job.needs, &job.key, round)).collect();
        self.publish_in_order(&subjects).await?;
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

    /// Writes down that a job waits; the round in which it does, if it waits and nobody had it yet.
    async fn place(&self, job: &Job, is_new: bool) -> Result<Option<u32>, Error> {
        // Who added it before may have died before it was told to anyone.
        let known = if is_new { None } else { Some(self.known(&job.key).await?) };
        let job = known.as_ref().unwrap_or(job);
        let bucket = &self.link.buckets.state;
        let name = names::state(&job.batch, &job.key);
        let bytes = serde_json::to_vec(&Entry::new(job)).unwrap_or_default();
        let made =
            self.try_ask(async || Ok(bucket.create(&name, bytes.clone().into()).await?)).await?;
        if made.is_ok() {
            return Ok(Some(0));
        }
        let state = self.entry(&job.batch, &job.key).await?.map(|known| known.entry.state);
        let is_untouched =
            |state: &crate::state::State| matches!(state.at, At::Waiting) && state.attempt == 0;
        Ok(state.filter(is_untouched).map(|state| state.round))
    }

    /// Publishes without waiting for each; what got lost is published once more.
    async fn publish_in_order(&self, subjects: &[String]) -> Result<(), Error> {
        for part in subjects.chunks(UNDERWAY) {
            let mut sent = Vec::with_capacity(part.len());
            for subject in part {
                let message = stream_message(subject, vec![]);
                let sending = self.link.jetstream.send_publish(subject.clone(), message).await;
                sent.push((subject, sending));
            }
            for (subject, sending) in sent {
                let taken = match sending {
                    Ok(sending) => sending.await.map(drop).map_err(Trouble::from),
                    Err(error) => Err(error.into()),
                };
                match taken {
                    Ok(()) | Err(Trouble::Conflict) => {}
                    Err(_) => self.publish_once(subject, vec![]).await?,
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
