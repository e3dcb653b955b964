//! The runs of an experiment, from its plan to its measurements.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jobs::{Cursor, Ended, JobStore, Key};

use super::jobs_of::Planned;
use super::workers::LocalWorkers;
use super::{jobs_of, recorded};
use crate::{Error, Experiment, Folders, Installer, ResultFile};

/// Sees how far an experiment is.
pub trait ReportedFact {
    /// Something has changed, or a while has passed.
    fn see(&self, progress: &Progress);
    /// Whether somebody wants it to stop.
    fn is_stopped(&self) -> bool;
}

/// How far an experiment is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Progress {
    /// What is done before anything runs; empty afterwards.
    pub preparing: String,
    /// Jobs of this experiment that were asked for now.
    pub all: usize,
    /// Those of them that have ended.
    pub ended: usize,
    /// Those of them that failed.
    pub failed: usize,
    /// What is run at present, one line a worker.
    pub running: Vec<String>,
    /// What has ended since this was told last: title, and why it failed.
    pub news: Vec<(String, Option<String>)>,
}

/// Makes one experiment.
pub struct Runner<'a> {
    experiment: &'a Experiment,
    store: &'a dyn JobStore,
    folders: &'a Folders,
    /// Tells what is this experiment's in the queue and in results.
    batch: String,
    planned: Vec<Planned>,
    /// Rows of `planned`.
    by_key: HashMap<Key, usize>,
    /// Workers of this machine run it, and nobody else.
    is_local: bool,
}

/// How often the queue is looked at.
const TICK: Duration = Duration::from_millis(50);

impl<'a> Runner<'a> {
    /// Plans all runs: looks for interpreters, commits and sources, and locks packages. Nothing is
    /// run. `again` makes other jobs of the same runs.
    ///
    /// # Errors
    /// What the plan wants is not there.
    pub fn new(
        experiment: &'a Experiment,
        store: &'a dyn JobStore,
        folders: &'a Folders,
        options: (bool, u32),
        told: &dyn ReportedFact,
    ) -> Result<Runner<'a>, Error> {
        let (is_local, again) = options;
        let batch = batch_of(experiment);
        let installer = Installer::here();
        let making = jobs_of::Making {
            experiment,
            store,
            folders,
            installer: &installer,
            batch: &batch,
            is_local,
            again,
        };
        let planned = making.all(told)?;
        let by_key = planned.iter().enumerate().map(|(row, one)| (one.job.key, row)).collect();
        Ok(Runner { experiment, store, folders, batch, planned, by_key, is_local })
    }

    /// Its runs, in the order in which they are made.
    pub fn planned(&self) -> &[Planned] {
        &self.planned
    }

    /// What the queue calls it.
    pub fn batch(&self) -> &str {
        &self.batch
    }

    /// Has run what has not run yet, and puts all of it into the result as it ends. Workers of this
    /// machine are started, if it is local.
    ///
    /// # Errors
    /// The queue or the result fail, or somebody stops it: what ended is in the result.
    pub fn run(
        &self,
        result: &mut ResultFile,
        worker: &[String],
        told: &dyn ReportedFact,
    ) -> Result<Progress, Error> {
        let mut cursor = self.collect(result)?;
        let needed = self.needed()?;
        let jobs: Vec<jobs::Job> = needed.iter().map(|planned| planned.job.clone()).collect();
        self.store.add(&jobs)?;
        let mut open: HashSet<Key> = HashSet::new();
        for status in self.store.jobs(&self.batch)? {
            let is_over = match &status.phase {
                jobs::Phase::Ended { end, .. } if says_nothing(end) => {
                    self.store.again(&status.key)?;
                    false
                }
                jobs::Phase::Ended { .. } => true,
                _ => false,
            };
            if !is_over {
                open.insert(status.key);
            }
        }
        let wanted: HashMap<Key, &Planned> =
            needed.into_iter().map(|planned| (planned.job.key, planned)).collect();
        // What only builds is not waited for, nor what other invocations asked for.
        open.retain(|key| wanted.get(key).is_some_and(|planned| planned.body.run > 0));
        let runs = wanted.values().filter(|planned| planned.body.run > 0).count();
        let mut progress = Progress { all: runs, ..Progress::default() };
        progress.failed = self.failed_before(&wanted, &open)?;
        let mut workers = None;
        let outcome = loop {
            let (ended, next) = self.store.ended(&self.batch, cursor)?;
            cursor = next;
            for one in &ended {
                self.take(one, result, &wanted, &mut open, &mut progress)?;
            }
            if open.is_empty() {
                break Ok(());
            }
            if told.is_stopped() {
                break Err(Error::Stopped);
            }
            if ended.is_empty() {
                result.write_when_due()?;
                if self.is_local {
                    let workers = workers.get_or_insert_with(|| {
                        LocalWorkers::new(worker, self.folders, &self.batch)
                    });
                    workers.keep_one()?;
                }
                progress.running = self.running()?;
                progress.ended = progress.all - open.len();
                told.see(&progress);
                progress.news.clear();
                std::thread::sleep(TICK);
            }
        };
        progress.ended = progress.all - open.len();
        progress.running.clear();
        drop(workers);
        result.write()?;
        told.see(&progress);
        progress.news.clear();
        outcome.map(|()| progress)
    }

    /// Puts into the result what ended before: also what earlier invocations asked for, so that history
    /// accumulates. Gives where to read on.
    fn collect(&self, result: &mut ResultFile) -> Result<Cursor, Error> {
        let mut cursor = Cursor::START;
        loop {
            let (ended, next) = self.store.ended(&self.batch, cursor)?;
            if ended.is_empty() {
                return Ok(cursor);
            }
            cursor = next;
            for one in &ended {
                self.keep(one, result)?;
            }
            result.write_when_due()?;
        }
    }

    /// How many of its runs failed in an earlier invocation, which is final.
    fn failed_before(
        &self,
        wanted: &HashMap<Key, &Planned>,
        open: &HashSet<Key>,
    ) -> Result<usize, Error> {
        let is_failed = |status: &jobs::JobStatus| {
            wanted.get(&status.key).is_some_and(|planned| planned.body.run > 0)
                && !open.contains(&status.key)
                && matches!(status.phase, jobs::Phase::Ended { end: jobs::End::Failed { .. }, .. })
        };
        Ok(self.store.jobs(&self.batch)?.iter().filter(|status| is_failed(status)).count())
    }

    /// Its jobs, without environments of which no run is left to make.
    fn needed(&self) -> Result<Vec<&Planned>, Error> {
        let ended: HashSet<Key> = (self.store.jobs(&self.batch)?.into_iter())
            .filter(
                |job| matches!(&job.phase, jobs::Phase::Ended { end, .. } if !says_nothing(end)),
            )
            .map(|job| job.key)
            .collect();
        let is_open =
            |planned: &&Planned| planned.body.run > 0 && !ended.contains(&planned.job.key);
        let open: Vec<&Planned> = self.planned.iter().filter(is_open).collect();
        let is_needed = |planned: &&Planned| {
            planned.body.run > 0
                || open.iter().any(|run| run.body.environment == planned.body.environment)
        };
        Ok(self.planned.iter().filter(is_needed).collect())
    }

    fn running(&self) -> Result<Vec<String>, Error> {
        let workers = self.store.workers()?;
        let mut lines = vec![];
        for worker in workers {
            let Some(key) = worker.runs else { continue };
            if let Some(status) = self.store.job(&key)?
                && status.batch == self.batch
                && let jobs::Phase::Running { progress, .. } = status.phase
            {
                lines.push(format!("{}: {}", worker.machine, progress.line));
            }
        }
        Ok(lines)
    }

    /// Takes one end.
    fn take(
        &self,
        ended: &Ended,
        result: &mut ResultFile,
        wanted: &HashMap<Key, &Planned>,
        open: &mut HashSet<Key>,
        progress: &mut Progress,
    ) -> Result<(), Error> {
        let failed = match &ended.end {
            jobs::End::Failed { what, .. } => Some(what.clone()),
            jobs::End::Cancelled => Some("cancelled".to_owned()),
            jobs::End::Done { .. } => None,
        };
        if open.remove(&ended.key)
            && let Some(planned) = wanted.get(&ended.key)
        {
            progress.failed += usize::from(failed.is_some());
            progress.news.push((planned.title(), failed));
        }
        self.keep(ended, result)
    }

    /// Puts the runs of a job that ended into the result, once.
    fn keep(&self, ended: &Ended, result: &mut ResultFile) -> Result<(), Error> {
        let key = ended.key.to_string();
        if result.has(&key) || says_nothing(&ended.end) {
            return Ok(());
        }
        let body = match self.by_key.get(&ended.key) {
            Some(&row) => Some(self.planned[row].body.clone()),
            None => body_of(self.folders, &self.batch, &ended.key),
        };
        // Builds of environments are not runs; why one failed its runs tell, too.
        if let Some(body) = body.filter(|body| body.run > 0) {
            let runs = recorded::runs(self.store, self.experiment, &self.batch, &body, ended)?;
            result.add(&key, runs);
        }
        Ok(())
    }
}

/// Whether an end tells nothing of the command: it is asked for again by the next invocation.
fn says_nothing(end: &jobs::End) -> bool {
    matches!(
        end,
        jobs::End::Cancelled | jobs::End::Failed { class: jobs::Class::Infrastructure, .. }
    )
}

/// What a job of an experiment said; none where it only built an environment.
pub fn body_of(folders: &Folders, batch: &str, key: &Key) -> Option<crate::Body> {
    let text = std::fs::read(folders.bodies(batch).join(key.to_string())).ok()?;
    serde_json::from_slice(&text).ok()
}

/// What the queue calls an experiment. It tells what makes runs comparable: the command, how it is
/// recorded, and which factors there are.
pub fn batch_of(experiment: &Experiment) -> String {
    let asked = record::RecordOptions { runs: 1, ..experiment.asked.clone() };
    let factors: Vec<(&str, &str)> = experiment
        .matrix
        .factors
        .iter()
        .map(|factor| (factor.kind.name(), factor.name.as_str()))
        .collect();
    let told = serde_json::json!({
        "asked": asked,
        "factors": factors,
        "folder": experiment.source.folder,
    });
    format!(
        "{}-{}",
        experiment.asked.name,
        &Key::new(told.to_string().as_bytes()).to_string()[..12]
    )
}

impl Experiment {
    /// Where its result is, in the folder of results.
    pub fn result_in(&self, output: &Path) -> PathBuf {
        output.join(format!("{}.hotframe", self.asked.name))
    }
}
