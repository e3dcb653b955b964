//! How far experiments are.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::sync::PoisonError;
use std::time::UNIX_EPOCH;

use experiment::{JobFacts, PlanFile, body_of, cells};
use jobs::{Counts, End, JobStatus, Key, Phase, Which};
use protocol::{
    ProtocolError, RunCell, RunCounts, RunLogParams, RunLogResult, RunPhase, RunStatusResult,
    RunSummary,
};

use super::errors::{failed, refused};
use super::places::{AboutRun, AboutUpload, RunId, about};
use super::runner::Experiments;

/// Most bytes of a log that are told at once.
const MOST_LOG: usize = 64 << 10;

impl Experiments {
    pub(super) fn about(&self, id: &RunId) -> Result<AboutRun, ProtocolError> {
        about(&id.folder(&self.folders))
            .ok_or_else(|| refused("there is no such experiment", "Look for it in the list."))
    }

    pub(super) fn summary(&self, id: &RunId) -> Result<RunSummary, ProtocolError> {
        let told = self.about(id)?;
        let counts =
            self.store.counts(&told.batch, Which::Measured).map_err(|error| failed(&error))?;
        let counts = match counted(&counts) {
            // More than the plan has: earlier plans had others, or bounds ended some that ran again.
            counts if all(&counts) > told.runs && told.runs > 0 => self.counts_now(id, &told)?,
            counts => counts,
        };
        let own = self.lock().get(id).map(|run| run.state().phase);
        let phase = own.unwrap_or(if !told.problem.is_empty() {
            RunPhase::Failed
        } else if counts.waiting + counts.running > 0 || counts == RunCounts::default() {
            RunPhase::Stopped
        } else {
            RunPhase::Ended
        });
        Ok(RunSummary {
            run: id.to_string(),
            recorder: told.recorder.clone(),
            what: told.what.clone(),
            phase,
            counts,
            has_result: told.result(&id.folder(&self.folders)).is_file(),
            begun_s: told.begun_s,
            name: told.name,
        })
    }

    pub(super) fn status_result(&self, id: &RunId) -> Result<RunStatusResult, ProtocolError> {
        let told = self.about(id)?;
        let mut summary = self.summary(id)?;
        let folder = id.folder(&self.folders);
        let text = fs::read_to_string(folder.join("plan.toml")).map_err(|error| failed(&error))?;
        let run = self.lock().get(id).cloned();
        let line = run.as_ref().map_or(told.problem.clone(), |run| run.state().line);
        let source = id.upload.source(&self.folders);
        let mut table: Vec<RunCell> = vec![];
        if let Ok(plan) = PlanFile::new(text.clone(), &source.join("plan.toml")) {
            for experiment in &plan.experiments {
                let all = cells(&experiment.matrix);
                table.extend(all.iter().map(|cell| empty(cell.title(&experiment.matrix))));
            }
        }
        let by_title: HashMap<String, usize> =
            table.iter().enumerate().map(|(at, cell)| (cell.title.clone(), at)).collect();
        let jobs = self.jobs_now(run.as_deref(), &told)?;
        let mut seen = RunCounts::default();
        for (title, job) in &jobs {
            if let Some(&at) = by_title.get(title) {
                take(&mut table[at], job);
                add(&mut seen, job);
            }
        }
        if !jobs.is_empty() {
            summary.counts = seen;
        }
        let version = fs::metadata(told.result(&folder)).and_then(|found| found.modified()).ok();
        let version = version.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let file: Option<AboutUpload> = about(&id.upload.folder(&self.folders));
        Ok(RunStatusResult {
            summary,
            upload: id.upload.to_string(),
            file: file.map(|file| file.name).unwrap_or_default(),
            text,
            line,
            cells: table,
            result_version: version.map_or(0.0, |since| since.as_secs_f64()),
        })
    }

    /// The job of each run with its cell's title, in the order of the plan. What only builds is not a run.
    fn jobs_now(
        &self,
        run: Option<&super::work::Run>,
        told: &AboutRun,
    ) -> Result<Vec<(String, JobStatus)>, ProtocolError> {
        let mut now: HashMap<(String, u32), JobStatus> = HashMap::new();
        for job in self.store.jobs(&told.batch).map_err(|error| failed(&error))? {
            let title = self.title(run, &told.batch, &job.key);
            let Some(which) = title.filter(|(_, run)| *run > 0) else { continue };
            if now.get(&which).is_none_or(|known| age(known) <= age(&job)) {
                now.insert(which, job);
            }
        }
        let mut now: Vec<_> = now.into_iter().map(|((title, _), job)| (title, job)).collect();
        now.sort_by_key(|(_, job)| job.place);
        Ok(now)
    }

    /// Counts of what the plan has, where the queue has more.
    fn counts_now(&self, id: &RunId, told: &AboutRun) -> Result<RunCounts, ProtocolError> {
        let run = self.lock().get(id).cloned();
        let mut titles: HashSet<String> = HashSet::new();
        let source = id.upload.source(&self.folders);
        let text = fs::read_to_string(id.folder(&self.folders).join("plan.toml"));
        let text = text.map_err(|error| failed(&error))?;
        if let Ok(plan) = PlanFile::new(text, &source.join("plan.toml")) {
            for experiment in &plan.experiments {
                let cells = cells(&experiment.matrix);
                titles.extend(cells.iter().map(|cell| cell.title(&experiment.matrix)));
            }
        }
        let mut counts = RunCounts::default();
        for (title, job) in self.jobs_now(run.as_deref(), told)? {
            if titles.contains(&title) {
                add(&mut counts, &job);
            }
        }
        Ok(counts)
    }

    /// Title and number of a run; what is known of this process's is not read anew.
    fn title(
        &self,
        run: Option<&super::work::Run>,
        batch: &str,
        key: &Key,
    ) -> Option<(String, u32)> {
        let known = |run: &super::work::Run| {
            run.titles.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
        };
        if let Some(known) = run.and_then(known) {
            return Some(known);
        }
        let body = body_of(&self.folders, batch, key)?;
        let title = (body.title(), body.run);
        if let Some(run) = run {
            let mut titles = run.titles.lock().unwrap_or_else(PoisonError::into_inner);
            titles.insert(*key, title.clone());
        }
        Some(title)
    }

    pub(super) fn log_result(&self, asked: &RunLogParams) -> Result<RunLogResult, ProtocolError> {
        let key: Key = asked.job.parse().map_err(|error| failed(&error))?;
        let from = if asked.from >= 0.0 { asked.from as u64 } else { 0 };
        let mut part = self.store.read_log(&key, from).map_err(|error| failed(&error))?;
        let first = part.next - part.bytes.len() as u64;
        part.bytes.truncate(MOST_LOG);
        // A letter that is not whole yet comes with the next part.
        let cut = match std::str::from_utf8(&part.bytes) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => part.bytes.len(),
        };
        part.bytes.truncate(cut);
        Ok(RunLogResult {
            text: String::from_utf8_lossy(&part.bytes).into_owned(),
            next: (first + cut as u64) as f64,
            dropped: part.dropped as f64,
        })
    }
}

fn empty(title: String) -> RunCell {
    RunCell {
        title,
        counts: RunCounts::default(),
        seconds: vec![],
        line: String::new(),
        problem: String::new(),
        job: None,
    }
}

/// Counts a job where it is.
fn add(counts: &mut RunCounts, job: &JobStatus) {
    let count = match &job.phase {
        Phase::Waiting | Phase::Delayed { .. } => &mut counts.waiting,
        Phase::Running { .. } => &mut counts.running,
        Phase::Ended { end: End::Done { .. }, .. } => &mut counts.done,
        Phase::Ended { .. } => &mut counts.failed,
    };
    *count += 1;
}

/// What a job tells of its cell.
fn take(cell: &mut RunCell, job: &JobStatus) {
    add(&mut cell.counts, job);
    let key = Some(job.key.to_string());
    match &job.phase {
        Phase::Waiting => {}
        Phase::Delayed { .. } => {
            if let Some(trouble) = job.troubles.last() {
                cell.line.clone_from(trouble);
            }
        }
        Phase::Running { progress, .. } => {
            cell.line.clone_from(&progress.line);
            cell.job = key;
        }
        Phase::Ended { end: End::Done { facts, .. }, .. } => {
            let facts = serde_json::from_slice::<JobFacts>(facts).unwrap_or_default();
            let last = facts.runs.last();
            cell.seconds.extend(last.map(|run| run.wall_ns as f64 / 1e9));
            if cell.problem.is_empty() && cell.line.is_empty() {
                cell.job = key;
            }
        }
        Phase::Ended { end, .. } => {
            if cell.problem.is_empty() {
                cell.problem = match end {
                    End::Failed { what, .. } => what.clone(),
                    _ => "cancelled".to_owned(),
                };
                if cell.line.is_empty() {
                    cell.job = key;
                }
            }
        }
    }
}

fn all(counts: &RunCounts) -> u32 {
    let RunCounts { waiting, running, done, failed } = counts;
    waiting + running + done + failed
}

/// Of several jobs of one run the one that counts: who has not ended, or ended last.
fn age(job: &JobStatus) -> i64 {
    match job.phase {
        Phase::Ended { at, .. } => at,
        _ => i64::MAX,
    }
}

pub(super) fn counted(counts: &Counts) -> RunCounts {
    RunCounts {
        waiting: (counts.waiting + counts.delayed) as u32,
        running: counts.running as u32,
        done: counts.done as u32,
        failed: (counts.failed + counts.cancelled) as u32,
    }
}
