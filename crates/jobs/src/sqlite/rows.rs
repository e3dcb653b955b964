//! Rows of jobs, read and written whole.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::failure::Failed;
use crate::state::{At, State};
use crate::{End, Error, Job, Key, Moment};

/// A job in the file; its body is left out.
pub(super) struct JobRow {
    pub(super) no: i64,
    /// Number of its batch.
    pub(super) batch: i64,
    pub(super) job: Job,
    pub(super) state: State,
    /// What the worker said last, as JSON.
    pub(super) progress: Option<String>,
    /// Nanoseconds.
    pub(super) lease: Option<i64>,
}

const COLUMNS: &str = "SELECT jobs.no, jobs.batch, key, batches.name, place, needs.text, measured, \
    state, progress, lease FROM jobs JOIN batches ON batches.no = jobs.batch \
    JOIN needs ON needs.no = jobs.needs ";

/// The job of a key.
pub(super) fn by_key(
    connection: &Connection,
    file: &Path,
    key: &Key,
) -> Result<Option<JobRow>, Error> {
    one(connection, file, "WHERE key = ?1", params![key.as_bytes()])
}

/// The job of a number.
pub(super) fn by_number(
    connection: &Connection,
    file: &Path,
    no: i64,
) -> Result<Option<JobRow>, Error> {
    one(connection, file, "WHERE jobs.no = ?1", params![no])
}

/// The jobs of a batch, by place.
pub(super) fn of_batch(
    connection: &Connection,
    file: &Path,
    batch: &str,
) -> Result<Vec<JobRow>, Error> {
    let query = format!("{COLUMNS} WHERE batches.name = ?1 ORDER BY place, jobs.no");
    let mut statement = connection.prepare_cached(&query).failed(file)?;
    let mut rows = statement.query(params![batch]).failed(file)?;
    let mut jobs = vec![];
    while let Some(row) = rows.next().failed(file)? {
        jobs.push(read(row, file)?);
    }
    Ok(jobs)
}

fn one(
    connection: &Connection,
    file: &Path,
    which: &str,
    values: impl rusqlite::Params,
) -> Result<Option<JobRow>, Error> {
    let mut statement = connection.prepare_cached(&format!("{COLUMNS} {which}")).failed(file)?;
    let mut rows = statement.query(values).failed(file)?;
    rows.next().failed(file)?.map(|row| read(row, file)).transpose()
}

fn read(row: &Row<'_>, file: &Path) -> Result<JobRow, Error> {
    let text = |index| row.get::<_, String>(index).failed(file);
    Ok(JobRow {
        no: row.get(0).failed(file)?,
        batch: row.get(1).failed(file)?,
        job: Job {
            key: Key::from_bytes(row.get(2).failed(file)?),
            batch: text(3)?,
            place: place_of(row.get(4).failed(file)?),
            needs: serde_json::from_str(&text(5)?).failed(file)?,
            measured: row.get(6).failed(file)?,
            body: vec![],
        },
        state: serde_json::from_str(&text(7)?).failed(file)?,
        progress: row.get(8).failed(file)?,
        lease: row.get(9).failed(file)?,
    })
}

/// The body of a job.
pub(super) fn body(connection: &Connection, file: &Path, no: i64) -> Result<Vec<u8>, Error> {
    let mut statement =
        connection.prepare_cached("SELECT body FROM bodies WHERE job = ?1").failed(file)?;
    let body = statement.query_row([no], |row| row.get(0)).optional().failed(file)?;
    Ok(body.unwrap_or_default())
}

/// Writes where a job is now, and that it ended if it did. `wait` is how long its lease or back-off
/// lasts from now.
pub(super) fn save(
    connection: &Connection,
    file: &Path,
    row: &JobRow,
    now: &Moment,
    wait: Option<Duration>,
) -> Result<(), Error> {
    let until = wait.map(|wait| nanoseconds(now.up.saturating_add(wait)));
    let state = serde_json::to_string(&row.state).failed(file)?;
    let change = "UPDATE jobs SET phase = ?2, boot = ?3, until = ?4, lease = ?5, worker = ?6, \
        progress = ?7, state = ?8 WHERE no = ?1";
    let mut statement = connection.prepare_cached(change).failed(file)?;
    let boot = until.map(|_| &now.boot);
    let values = params![
        row.no,
        phase(&row.state.at),
        boot,
        until,
        row.lease,
        row.state.worker,
        row.progress,
        state
    ];
    statement.execute(values).failed(file)?;
    if let Some(ended) = row.state.ended(&row.job) {
        let ended = serde_json::to_string(&ended).failed(file)?;
        let add = "INSERT INTO ends (batch, ended) VALUES (?1, ?2)";
        let mut statement = connection.prepare_cached(add).failed(file)?;
        statement.execute(params![row.batch, ended]).failed(file)?;
    }
    Ok(())
}

/// The number that stands for where a job is.
fn phase(at: &At) -> u8 {
    match at {
        At::Waiting => 0,
        At::Delayed { .. } => 1,
        At::Running { .. } => 2,
        At::Ended { end: End::Done { .. }, .. } => 3,
        At::Ended { end: End::Failed { .. }, .. } => 4,
        At::Ended { end: End::Cancelled, .. } => 5,
    }
}

/// SQLite's numbers have a sign; their order stays that of places.
pub(super) fn number_of(place: u64) -> i64 {
    (place ^ 1 << 63).cast_signed()
}

fn place_of(number: i64) -> u64 {
    number.cast_unsigned() ^ 1 << 63
}

/// As SQLite keeps it: 292 years at most.
pub(super) fn nanoseconds(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}
