//! Who gets which job, and what becomes of it.

use std::time::Duration;

use rusqlite::{Transaction, params};

use super::failure::Failed;
use super::rows;
use super::store::FolderStore;
use crate::state::At;
use crate::{Beat, Claim, Error, Moment, Needs, Outcome, Progress, Worker};

/// How old a worker's row may be before it is written anew: idle workers ask often.
const SEEN_EVERY: Duration = Duration::from_secs(5);

/// Where a job stands in the queue: batch, place, number.
type Position = (i64, i64, i64);

/// A job whose back-off or lease is over.
struct Over {
    no: i64,
    /// Number of its needs.
    needs: i64,
    /// It was a lease.
    had_lease: bool,
}

impl FolderStore {
    pub(super) fn claim_next(
        &self,
        worker: &Worker,
        lease: Duration,
    ) -> Result<Option<Claim>, Error> {
        let now = self.clock.now();
        // Workers that find nothing must not keep others from writing.
        let nothing = self.read(|at| {
            let is_known = self.is_seen(at, worker, &now)?;
            Ok(is_known && self.first(at, worker, &now)?.is_none() && !self.any_over(at, &now)?)
        })?;
        if nothing {
            return Ok(None);
        }
        self.write(|at| {
            self.see(at, worker, &now)?;
            self.end_overdue(at, &now)?;
            let Some((_, _, no)) = self.first(at, worker, &now)? else { return Ok(None) };
            let Some(mut row) = rows::by_number(at, &self.file, no)? else { return Ok(None) };
            row.state.claim(&worker.name, now.wall);
            row.progress = None;
            row.lease = Some(rows::nanoseconds(lease));
            rows::save(at, &self.file, &row, &now, Some(lease))?;
            row.job.body = rows::body(at, &self.file, no)?;
            Ok(Some(Claim {
                attempt: row.state.attempt,
                fence: row.state.fence,
                worker: worker.name.clone(),
                handle: String::new(),
                job: row.job,
            }))
        })
    }

    pub(super) fn extend(&self, claim: &Claim, progress: &Progress) -> Result<Beat, Error> {
        let now = self.clock.now();
        self.write(|at| {
            let Some(mut row) = rows::by_key(at, &self.file, &claim.job.key)? else {
                return Err(claim.fenced());
            };
            let beat = row.state.beat(claim)?;
            row.progress = Some(serde_json::to_string(progress).failed(&self.file)?);
            let lease = Duration::from_nanos(row.lease.unwrap_or(0).unsigned_abs());
            rows::save(at, &self.file, &row, &now, Some(lease))?;
            let change = "UPDATE workers SET boot = ?2, up = ?3, seen = ?4 WHERE name = ?1";
            let mut statement = at.prepare_cached(change).failed(&self.file)?;
            let up = rows::nanoseconds(now.up);
            statement.execute(params![claim.worker, now.boot, up, now.wall]).failed(&self.file)?;
            Ok(beat)
        })
    }

    pub(super) fn end_attempt(&self, claim: &Claim, outcome: Outcome) -> Result<(), Error> {
        outcome.check()?;
        let now = self.clock.now();
        self.write(|at| {
            let Some(mut row) = rows::by_key(at, &self.file, &claim.job.key)? else {
                return Err(claim.fenced());
            };
            if !row.state.finish(claim, outcome, now.wall)? {
                return Ok(());
            }
            let delay = matches!(row.state.at, At::Delayed { .. }).then(|| row.state.back_off());
            rows::save(at, &self.file, &row, &now, delay)
        })
    }

    /// Ends what is not tried again and whose lease has ended.
    pub(super) fn end_overdue(&self, at: &Transaction<'_>, now: &Moment) -> Result<(), Error> {
        for over in self.over(at, now)?.iter().filter(|over| over.had_lease) {
            let Some(mut row) = rows::by_number(at, &self.file, over.no)? else { continue };
            if row.state.ends_with_lease() {
                row.state.expire(now.wall);
                rows::save(at, &self.file, &row, now, None)?;
            }
        }
        Ok(())
    }

    /// Whether a job is to be ended because its lease has.
    pub(super) fn any_over(&self, at: &Transaction<'_>, now: &Moment) -> Result<bool, Error> {
        for over in self.over(at, now)?.iter().filter(|over| over.had_lease) {
            let row = rows::by_number(at, &self.file, over.no)?;
            if row.is_some_and(|row| row.state.ends_with_lease()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first job that a worker can do.
    fn first(
        &self,
        at: &Transaction<'_>,
        worker: &Worker,
        now: &Moment,
    ) -> Result<Option<Position>, Error> {
        let mut first: Option<Position> = None;
        let mut found = |position| first = Some(first.map_or(position, |one| one.min(position)));
        let needs = self.met_needs(at, worker)?;
        let query = "SELECT batch, place, no FROM jobs WHERE phase = 0 AND needs = ?1 \
            ORDER BY batch, place, no LIMIT 1";
        let mut statement = at.prepare_cached(query).failed(&self.file)?;
        for needs in &needs {
            let mut rows = statement.query([needs]).failed(&self.file)?;
            while let Some(row) = rows.next().failed(&self.file)? {
                found(position(row).failed(&self.file)?);
            }
        }
        let mut statement = at
            .prepare_cached("SELECT batch, place, no FROM jobs WHERE no = ?1")
            .failed(&self.file)?;
        for over in self.over(at, now)? {
            if needs.contains(&over.needs) {
                found(statement.query_row([over.no], position).failed(&self.file)?);
            }
        }
        Ok(first)
    }

    /// The jobs whose back-off or lease is over, as they ended.
    fn over(&self, at: &Transaction<'_>, now: &Moment) -> Result<Vec<Over>, Error> {
        let query = "SELECT no, needs, phase = 2 FROM jobs WHERE phase IN (1, 2) \
            AND ((boot = ?1 AND until <= ?2) OR boot < ?1 OR boot > ?1) \
            ORDER BY boot = ?1, until, no";
        let mut statement = at.prepare_cached(query).failed(&self.file)?;
        let read = |row: &rusqlite::Row<'_>| {
            Ok(Over { no: row.get(0)?, needs: row.get(1)?, had_lease: row.get(2)? })
        };
        let values = params![now.boot, rows::nanoseconds(now.up)];
        let rows = statement.query_map(values, read).failed(&self.file)?;
        rows.collect::<Result<_, _>>().failed(&self.file)
    }

    /// Numbers of the needs that a worker meets.
    fn met_needs(&self, at: &Transaction<'_>, worker: &Worker) -> Result<Vec<i64>, Error> {
        let mut statement = at.prepare_cached("SELECT no, text FROM needs").failed(&self.file)?;
        let mut rows = statement.query([]).failed(&self.file)?;
        let mut met = vec![];
        while let Some(row) = rows.next().failed(&self.file)? {
            let text: String = row.get(1).failed(&self.file)?;
            let needs: Needs = serde_json::from_str(&text).failed(&self.file)?;
            if needs.are_met_by(&worker.offers) {
                met.push(row.get(0).failed(&self.file)?);
            }
        }
        Ok(met)
    }

    /// Whether the worker's row is fresh.
    fn is_seen(&self, at: &Transaction<'_>, worker: &Worker, now: &Moment) -> Result<bool, Error> {
        let query = "SELECT count(*) FROM workers WHERE name = ?1 AND machine = ?2 \
            AND offers = ?3 AND boot = ?4 AND up >= ?5";
        let mut statement = at.prepare_cached(query).failed(&self.file)?;
        let offers = serde_json::to_string(&worker.offers).failed(&self.file)?;
        let since = rows::nanoseconds(now.up.saturating_sub(SEEN_EVERY));
        let values = params![worker.name, worker.machine, offers, now.boot, since];
        statement.query_row(values, |row| row.get(0)).failed(&self.file)
    }

    /// Writes down that a worker was here.
    fn see(&self, at: &Transaction<'_>, worker: &Worker, now: &Moment) -> Result<(), Error> {
        let add = "INSERT OR REPLACE INTO workers (name, machine, offers, boot, up, seen) \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let mut statement = at.prepare_cached(add).failed(&self.file)?;
        let offers = serde_json::to_string(&worker.offers).failed(&self.file)?;
        let up = rows::nanoseconds(now.up);
        let values = params![worker.name, worker.machine, offers, now.boot, up, now.wall];
        statement.execute(values).failed(&self.file).map(drop)
    }
}

fn position(row: &rusqlite::Row<'_>) -> rusqlite::Result<Position> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
}
