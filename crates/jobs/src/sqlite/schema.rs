//! The tables, and whether they are ours.

use std::path::Path;
use std::thread;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};

use super::failure::Failed;
use crate::Error;

/// The version of the tables, kept as `user_version`.
const VERSION: u32 = 1;

/// `phase`: 0 waiting, 1 delayed, 2 running, 3 done, 4 failed, 5 cancelled. `boot` and `until`: when
/// back-off or lease end, in nanoseconds after that start of the machine. `state` says all of it, as
/// JSON; the columns are there to be searched. Bodies stand apart, because rows are written whole.
const TABLES: &str = "
    CREATE TABLE batches (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE needs (no INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
    CREATE TABLE jobs (
        no INTEGER PRIMARY KEY,
        key BLOB NOT NULL UNIQUE,
        batch INTEGER NOT NULL REFERENCES batches,
        place INTEGER NOT NULL,
        needs INTEGER NOT NULL REFERENCES needs,
        measured INTEGER NOT NULL,
        phase INTEGER NOT NULL,
        boot TEXT,
        until INTEGER,
        lease INTEGER,
        worker TEXT,
        progress TEXT,
        state TEXT NOT NULL
    );
    CREATE INDEX waiting ON jobs (needs, batch, place) WHERE phase = 0;
    CREATE INDEX due ON jobs (boot, until) WHERE phase IN (1, 2);
    CREATE INDEX of_batch ON jobs (batch, phase);
    CREATE TABLE bodies (job INTEGER PRIMARY KEY REFERENCES jobs, body BLOB NOT NULL);
    CREATE TABLE ends (
        no INTEGER PRIMARY KEY AUTOINCREMENT,
        batch INTEGER NOT NULL REFERENCES batches,
        ended TEXT NOT NULL
    );
    CREATE INDEX ends_of_batch ON ends (batch, no);
    CREATE TABLE logs (
        job INTEGER NOT NULL REFERENCES jobs,
        start INTEGER NOT NULL,
        bytes BLOB NOT NULL,
        UNIQUE (job, start)
    );
    CREATE TABLE workers (
        name TEXT PRIMARY KEY,
        machine TEXT NOT NULL,
        offers TEXT NOT NULL,
        boot TEXT NOT NULL,
        up INTEGER NOT NULL,
        seen INTEGER NOT NULL
    );
";

/// Between two looks whether another process is done: short, because writes are.
const PAUSE: Duration = Duration::from_millis(1);
/// Looks until a write is given up: 30 s.
const LOOKS: i32 = 30_000;

/// Opens the file, with its tables.
pub(super) fn open(file: &Path) -> Result<Connection, Error> {
    let mut connection = Connection::open(file).failed(file)?;
    connection
        .busy_handler(Some(|looks| {
            thread::sleep(PAUSE);
            looks < LOOKS
        }))
        .failed(file)?;
    connection.set_prepared_statement_cache_capacity(64);
    // Otherwise statements are planned anew whenever a value changes, which takes a third of all time.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).failed(file)?;
    write_ahead(&connection, file)?;
    // What was committed survives the end of the process in any way. A power cut may take the last
    // commits: their jobs are run once more.
    connection.pragma_update(None, "synchronous", "NORMAL").failed(file)?;
    connection.pragma_update(None, "foreign_keys", true).failed(file)?;
    if version(&connection, file)? != VERSION {
        make(&mut connection, file)?;
    }
    Ok(connection)
}

/// Two processes that switch a new file at once are told that it is busy, without being made to wait.
fn write_ahead(connection: &Connection, file: &Path) -> Result<(), Error> {
    let mut looks = 0;
    loop {
        let switched = connection
            .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0));
        match switched {
            Ok(_) => return Ok(()),
            Err(error) if looks < LOOKS && is_busy(&error) => thread::sleep(PAUSE),
            Err(error) => return Err(error).failed(file),
        }
        looks += 1;
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
}

fn version(connection: &Connection, file: &Path) -> Result<u32, Error> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0)).failed(file)
}

fn make(connection: &mut Connection, file: &Path) -> Result<(), Error> {
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).failed(file)?;
    // Another process may have made them meanwhile.
    let found = version(&transaction, file)?;
    let tables: u32 = transaction
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .failed(file)?;
    match (found, tables) {
        (VERSION, _) => return Ok(()),
        (0, 0) => {}
        _ => {
            return Err(Error::Version {
                place: file.display().to_string(),
                found: found.to_string(),
                wanted: VERSION.to_string(),
                advice: "open it with the program that made it, or name another folder".to_owned(),
            });
        }
    }
    transaction.execute_batch(TABLES).failed(file)?;
    transaction.pragma_update(None, "user_version", VERSION).failed(file)?;
    transaction.commit().failed(file)
}
