//! The queue as a whole: who works, at what, and what went wrong.

use std::collections::HashMap;

use experiment::body_of;
use jobs::{End, JobStatus, Phase, Which};
use protocol::{ProtocolError, QueueExperiment, QueueJob, QueueResult, QueueWorker, RunCounts};

use super::errors::failed;
use super::places::{RunId, now_s};
use super::runner::Experiments;
use super::status::counted;

/// A worker that runs nothing is taken for ended after so many seconds.
const LONGEST_SILENCE_S: f64 = 60.0;
/// Most failures of an experiment that are told, and experiments.
const MOST_FAILED: usize = 5;
const MOST_EXPERIMENTS: usize = 100;

impl Experiments {
    pub(super) fn queue_result(&self) -> Result<QueueResult, ProtocolError> {
        let trouble = |error: jobs::Error| failed(&error);
        let mut runs: HashMap<String, RunId> = HashMap::new();
        for run in self.ids().iter().flat_map(|id| RunId::all(id, &self.folders)) {
            if let Ok(told) = self.about(&run) {
                runs.insert(told.batch, run);
            }
        }
        let mut experiments = vec![];
        let mut titles: HashMap<String, (String, f64)> = HashMap::new();
        for batch in self.folders.batches() {
            let counts = counted(&self.store.counts(&batch, Which::Measured).map_err(trouble)?);
            if counts == RunCounts::default() {
                continue;
            }
            let mut one = QueueExperiment {
                run: runs.get(&batch).map(ToString::to_string),
                counts,
                running: vec![],
                failed: vec![],
                name: batch.clone(),
            };
            if counts.running + counts.failed > 0 {
                for job in self.store.jobs(&batch).map_err(trouble)? {
                    self.sort(&job, &mut one, &mut titles);
                }
            }
            one.failed.sort_by(|a, b| a.since_s.total_cmp(&b.since_s));
            one.failed.truncate(MOST_FAILED);
            experiments.push(one);
        }
        let rank = |one: &QueueExperiment| {
            let RunCounts { running, waiting, .. } = one.counts;
            (running == 0, waiting == 0, one.failed.is_empty())
        };
        experiments.sort_by_key(rank);
        experiments.truncate(MOST_EXPERIMENTS);
        let workers = self.store.workers().map_err(trouble)?;
        // One that waits is heard of all the time: who is silent has ended.
        let is_there = |worker: &jobs::WorkerStatus| {
            worker.runs.is_some() || since_s(worker.seen) < LONGEST_SILENCE_S
        };
        let workers = workers.into_iter().filter(is_there).map(|worker| {
            let key = worker.runs.map(|key| key.to_string());
            let known = key.and_then(|key| titles.get(&key).cloned());
            let (runs, begun_s) = known.unwrap_or_default();
            let silent_s = since_s(worker.seen);
            QueueWorker { silent_s, runs, since_s: begun_s, name: worker.name }
        });
        Ok(QueueResult { workers: workers.collect(), experiments })
    }

    fn sort(
        &self,
        job: &JobStatus,
        into: &mut QueueExperiment,
        titles: &mut HashMap<String, (String, f64)>,
    ) {
        let title = || {
            let body = body_of(&self.folders, &job.batch, &job.key);
            body.map_or("an environment".to_owned(), |body| {
                format!("{} #{}", body.title(), body.run)
            })
        };
        let told = |since: i64, what: &str| QueueJob {
            job: job.key.to_string(),
            title: title(),
            since_s: since_s(since),
            what: what.to_owned(),
        };
        match &job.phase {
            Phase::Running { since, progress, .. } => {
                let one = told(*since, &progress.line);
                let title = format!("{}: {}", job.batch, one.title);
                titles.insert(one.job.clone(), (title, one.since_s));
                into.running.push(one);
            }
            Phase::Ended { at, end: End::Failed { what, .. } } => {
                into.failed.push(told(*at, what));
            }
            _ => {}
        }
    }
}

/// Seconds that have passed since a time, which is nanoseconds since 1970.
fn since_s(time: i64) -> f64 {
    (now_s() - time as f64 / 1e9).max(0.0)
}
