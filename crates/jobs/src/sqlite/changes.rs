//! What those do who ask for jobs.

use rusqlite::{OptionalExtension as _, Transaction, params};

use super::failure::Failed;
use super::rows;
use super::store::FolderStore;
use crate::state::{State, too_large};
use crate::{Error, Job, Key, MOST_BODY, Moment};

impl FolderStore {
    pub(super) fn add_jobs(&self, jobs: &[Job]) -> Result<u64, Error> {
        for job in jobs {
            too_large(job.body.len(), MOST_BODY, || format!("the body of job {}", job.key))?;
        }
        let state = serde_json::to_string(&State::new()).failed(&self.file)?;
        self.write(|at| {
            let mut new = 0;
            for job in jobs {
                new += u64::from(self.add_one(at, job, &state)?);
            }
            Ok(new)
        })
    }

    fn add_one(&self, at: &Transaction<'_>, job: &Job, state: &str) -> Result<bool, Error> {
        let needs = serde_json::to_string(&job.needs).failed(&self.file)?;
        let needs = self.number(at, "needs", "text", &needs)?;
        let batch = self.number(at, "batches", "name", &job.batch)?;
        let add = "INSERT INTO jobs (key, batch, place, needs, measured, phase, state) \
            VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6) ON CONFLICT (key) DO NOTHING";
        let mut statement = at.prepare_cached(add).failed(&self.file)?;
        let place = rows::number_of(job.place);
        let values = params![job.key.as_bytes(), batch, place, needs, job.measured, state];
        if statement.execute(values).failed(&self.file)? == 0 {
            return Ok(false);
        }
        let no = at.last_insert_rowid();
        let mut statement = at
            .prepare_cached("INSERT INTO bodies (job, body) VALUES (?1, ?2)")
            .failed(&self.file)?;
        statement.execute(params![no, job.body]).failed(&self.file)?;
        Ok(true)
    }

    /// The number of a text in a table of texts, to which it is added if it is new.
    fn number(
        &self,
        at: &Transaction<'_>,
        table: &str,
        column: &str,
        text: &str,
    ) -> Result<i64, Error> {
        let query = format!("SELECT no FROM {table} WHERE {column} = ?1");
        let mut statement = at.prepare_cached(&query).failed(&self.file)?;
        let known = statement.query_row([text], |row| row.get(0)).optional();
        if let Some(number) = known.failed(&self.file)? {
            return Ok(number);
        }
        let add = format!("INSERT INTO {table} ({column}) VALUES (?1)");
        at.execute(&add, [text]).failed(&self.file)?;
        Ok(at.last_insert_rowid())
    }

    pub(super) fn ask_again(&self, key: &Key) -> Result<bool, Error> {
        let now = self.clock.now();
        self.write(|at| {
            let row = rows::by_key(at, &self.file, key)?;
            let mut row = row.ok_or_else(|| self.missing(key))?;
            let changed = row.state.again();
            if changed {
                (row.progress, row.lease) = (None, None);
                rows::save(at, &self.file, &row, &now, None)?;
            }
            Ok(changed)
        })
    }

    pub(super) fn cancel_one(&self, key: &Key) -> Result<bool, Error> {
        let now = self.clock.now();
        self.write(|at| {
            let row = rows::by_key(at, &self.file, key)?;
            self.cancel_row(at, row.ok_or_else(|| self.missing(key))?, &now)
        })
    }

    pub(super) fn cancel_all(&self, batch: &str) -> Result<u64, Error> {
        let now = self.clock.now();
        self.write(|at| {
            let mut changed = 0;
            for row in rows::of_batch(at, &self.file, batch)? {
                changed += u64::from(self.cancel_row(at, row, &now)?);
            }
            Ok(changed)
        })
    }

    fn cancel_row(
        &self,
        at: &Transaction<'_>,
        mut row: rows::JobRow,
        now: &Moment,
    ) -> Result<bool, Error> {
        if !row.state.cancel(now.wall) {
            return Ok(false);
        }
        if row.state.ended(&row.job).is_some() {
            rows::save(at, &self.file, &row, now, None)?;
        } else {
            // Its lease goes on as it was.
            let state = serde_json::to_string(&row.state).failed(&self.file)?;
            let change = "UPDATE jobs SET state = ?2 WHERE no = ?1";
            at.execute(change, params![row.no, state]).failed(&self.file)?;
        }
        Ok(true)
    }
}
