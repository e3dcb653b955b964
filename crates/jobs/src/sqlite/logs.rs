//! What jobs print while they run: pieces by where they begin, of which the last are kept.

use rusqlite::{OptionalExtension as _, params};

use super::failure::Failed;
use super::rows;
use super::store::FolderStore;
use crate::{Claim, Error, Key, LogPart, MOST_LOG};

impl FolderStore {
    pub(super) fn append_log(&self, claim: &Claim, bytes: &[u8]) -> Result<(), Error> {
        self.write(|at| {
            let Some(row) = rows::by_key(at, &self.file, &claim.job.key)? else {
                return Err(claim.fenced());
            };
            // Who was told to stop may still say why.
            let _ = row.state.beat(claim)?;
            let end = self.log_end(at, row.no)?;
            let kept = &bytes[bytes.len().saturating_sub(MOST_LOG)..];
            let start = end + length(bytes.len() - kept.len());
            let end = start + length(kept.len());
            if kept.is_empty() {
                return Ok(());
            }
            let add = "INSERT INTO logs (job, start, bytes) VALUES (?1, ?2, ?3)";
            let mut statement = at.prepare_cached(add).failed(&self.file)?;
            statement.execute(params![row.no, start, kept]).failed(&self.file)?;
            let drop = "DELETE FROM logs WHERE job = ?1 AND start + length(bytes) <= ?2";
            if end > length(MOST_LOG) {
                let mut statement = at.prepare_cached(drop).failed(&self.file)?;
                statement.execute(params![row.no, end - length(MOST_LOG)]).failed(&self.file)?;
            }
            Ok(())
        })
    }

    pub(super) fn log_from(&self, key: &Key, from: u64) -> Result<LogPart, Error> {
        self.read(|at| {
            let row = rows::by_key(at, &self.file, key)?.ok_or_else(|| self.missing(key))?;
            let end = self.log_end(at, row.no)?;
            let dropped = (end - length(MOST_LOG)).max(0);
            let from = i64::try_from(from).unwrap_or(i64::MAX).clamp(dropped, end);
            let query = "SELECT start, bytes FROM logs WHERE job = ?1 \
                AND start + length(bytes) > ?2 ORDER BY start";
            let mut statement = at.prepare_cached(query).failed(&self.file)?;
            let mut rows = statement.query(params![row.no, from]).failed(&self.file)?;
            let mut bytes = vec![];
            while let Some(row) = rows.next().failed(&self.file)? {
                let start: i64 = row.get(0).failed(&self.file)?;
                let piece: Vec<u8> = row.get(1).failed(&self.file)?;
                let skipped = usize::try_from(from - start).unwrap_or(0);
                bytes.extend_from_slice(&piece[skipped.min(piece.len())..]);
            }
            Ok(LogPart { bytes, next: end.unsigned_abs(), dropped: dropped.unsigned_abs() })
        })
    }

    /// How many bytes were ever logged.
    fn log_end(&self, at: &rusqlite::Connection, no: i64) -> Result<i64, Error> {
        let query = "SELECT start + length(bytes) FROM logs WHERE job = ?1 \
            ORDER BY start DESC LIMIT 1";
        let mut statement = at.prepare_cached(query).failed(&self.file)?;
        let end = statement.query_row([no], |row| row.get(0)).optional().failed(&self.file)?;
        Ok(end.unwrap_or(0))
    }
}

fn length(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
