//! What is to be seen.

use std::time::Duration;

use rusqlite::params;

use super::failure::Failed;
use super::rows;
use super::store::FolderStore;
use crate::{
    Counts, Cursor, Ended, Error, JobStatus, Key, MOST_ENDED, Progress, Which, WorkerStatus,
};

/// Workers that were silent for longer are not told of.
const LATELY: Duration = Duration::from_secs(600);

impl FolderStore {
    pub(super) fn ended_after(
        &self,
        batch: &str,
        after: Cursor,
    ) -> Result<(Vec<Ended>, Cursor), Error> {
        let now = self.clock.now();
        // Who collects may be the only one left who looks.
        if self.read(|at| self.any_over(at, &now))? {
            self.write(|at| self.end_overdue(at, &now))?;
        }
        self.read(|at| {
            let query = "SELECT ends.no, ended FROM ends JOIN batches ON batches.no = ends.batch \
                WHERE batches.name = ?1 AND ends.no > ?2 ORDER BY ends.no LIMIT ?3";
            let mut statement = at.prepare_cached(query).failed(&self.file)?;
            let (mut ended, mut cursor) = (vec![], after);
            let from = i64::try_from(after.0).unwrap_or(i64::MAX);
            let mut rows = statement
                .query(params![batch, from, i64::try_from(MOST_ENDED).unwrap_or(i64::MAX)])
                .failed(&self.file)?;
            while let Some(row) = rows.next().failed(&self.file)? {
                cursor = Cursor(row.get::<_, i64>(0).failed(&self.file)?.unsigned_abs());
                let text: String = row.get(1).failed(&self.file)?;
                ended.push(serde_json::from_str(&text).failed(&self.file)?);
            }
            Ok((ended, cursor))
        })
    }

    pub(super) fn status(&self, key: &Key) -> Result<Option<JobStatus>, Error> {
        let row = self.read(|at| rows::by_key(at, &self.file, key))?;
        row.map(|row| self.shown(row)).transpose()
    }

    pub(super) fn statuses(&self, batch: &str) -> Result<Vec<JobStatus>, Error> {
        let rows = self.read(|at| rows::of_batch(at, &self.file, batch))?;
        rows.into_iter().map(|row| self.shown(row)).collect()
    }

    fn shown(&self, row: rows::JobRow) -> Result<JobStatus, Error> {
        let progress = match &row.progress {
            Some(progress) => serde_json::from_str(progress).failed(&self.file)?,
            None => Progress::default(),
        };
        Ok(JobStatus {
            key: row.job.key,
            batch: row.job.batch,
            place: row.job.place,
            needs: row.job.needs,
            measured: row.job.measured,
            attempt: row.state.attempt,
            troubles: row.state.troubles.clone(),
            phase: row.state.phase(progress),
        })
    }

    pub(super) fn count(&self, batch: &str, which: Which) -> Result<Counts, Error> {
        self.read(|at| {
            let query = "SELECT phase, count(*) FROM jobs JOIN batches ON batches.no = jobs.batch \
                WHERE batches.name = ?1 AND measured >= ?2 GROUP BY phase";
            let mut statement = at.prepare_cached(query).failed(&self.file)?;
            let mut rows =
                statement.query(params![batch, which == Which::Measured]).failed(&self.file)?;
            let mut counts = Counts::default();
            while let Some(row) = rows.next().failed(&self.file)? {
                let count = match row.get::<_, u8>(0).failed(&self.file)? {
                    0 => &mut counts.waiting,
                    1 => &mut counts.delayed,
                    2 => &mut counts.running,
                    3 => &mut counts.done,
                    4 => &mut counts.failed,
                    _ => &mut counts.cancelled,
                };
                *count = row.get::<_, i64>(1).failed(&self.file)?.unsigned_abs();
            }
            Ok(counts)
        })
    }

    pub(super) fn seen_workers(&self) -> Result<Vec<WorkerStatus>, Error> {
        let now = self.clock.now();
        self.read(|at| {
            let query = "SELECT name, machine, offers, seen, \
                (SELECT key FROM jobs WHERE phase = 2 AND worker = name LIMIT 1) \
                FROM workers WHERE boot = ?1 AND up >= ?2 ORDER BY name";
            let mut statement = at.prepare_cached(query).failed(&self.file)?;
            let since = rows::nanoseconds(now.up.saturating_sub(LATELY));
            let mut rows = statement.query(params![now.boot, since]).failed(&self.file)?;
            let mut workers = vec![];
            while let Some(row) = rows.next().failed(&self.file)? {
                let offers: String = row.get(2).failed(&self.file)?;
                let runs: Option<[u8; 32]> = row.get(4).failed(&self.file)?;
                workers.push(WorkerStatus {
                    name: row.get(0).failed(&self.file)?,
                    machine: row.get(1).failed(&self.file)?,
                    offers: serde_json::from_str(&offers).failed(&self.file)?,
                    seen: row.get(3).failed(&self.file)?,
                    runs: runs.map(Key::from_bytes),
                });
            }
            Ok(workers)
        })
    }
}
