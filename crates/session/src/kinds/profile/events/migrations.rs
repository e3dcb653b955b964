//! Threads that went on on another processor, by set of runs.

use analysis::{Migration, Migrations, NoGroups, Side};
use profile::{MetricId, Shared};
use protocol::{ErrorCode, ProtocolError};

use super::asked::runs_of;
use super::sets::{RunSet, SetsBy};
use crate::kinds::profile::convert;
use crate::{ProfileDocument, ViewOptions};

/// The metric of points that say where threads ran, by the scheduler.
const RUNS: &str = "runs";

/// The migrations of a set of runs.
#[derive(Debug, Clone)]
pub struct MigrationsOfSet {
    /// What it is called; empty where all there is stands in it.
    pub name: String,
    /// How many runs it has.
    pub runs: usize,
    /// Whether the scheduler told of all of them in all runs; else there are at least so many.
    pub is_exact: bool,
    /// By run, then thread, then time.
    pub moves: Vec<Migration>,
}

impl MigrationsOfSet {
    /// How many there are by the nearest that both processors share, from the nearest on; last those of
    /// which no file tells.
    pub fn levels(&self) -> Vec<(&'static str, usize)> {
        let count = |shares| self.moves.iter().filter(|one| one.shares == shares).count();
        let known = Shared::ALL[1..].iter().map(|&level| (level_name(level), count(Some(level))));
        let all = known.chain([("unknown", count(None))]);
        all.filter(|(_, count)| *count > 0).collect()
    }
}

/// What a level is called, as filters and reports have it.
pub fn level_name(level: Shared) -> &'static str {
    match level {
        Shared::Cpu => "cpu",
        Shared::Core => "core",
        Shared::Cache => "cache",
        Shared::Node => "node",
        Shared::Socket => "socket",
        Shared::Machine => "machine",
    }
}

impl ProfileDocument {
    /// Threads of which filters keep something, and that went on on another processor in the time that they
    /// keep; by set of runs.
    pub fn migrations(
        &self,
        options: &ViewOptions,
        sets: SetsBy,
    ) -> Result<Vec<MigrationsOfSet>, ProtocolError> {
        let filtered = self.filtered_by(options).map_err(convert::filter_error)?;
        if !self.profile().points.has_cpus() {
            let message = NoGroups::Processors.to_string();
            return Err(ProtocolError::new(ErrorCode::BadRequest, message));
        }
        let metrics =
            self.comparison().map_or(&self.profile().metrics, |comparing| &comparing.metrics);
        let own = metrics.iter().position(|metric| metric.name == RUNS);
        let own = own.map(|own| MetricId(own as u32));
        let scheduled = match self.comparison() {
            Some(_) => own.map(|own| Side::Both.of(own)),
            None => own,
        };
        let sets = sets.sets(self, &runs_of(self, options, &filtered));
        let told = sets.into_iter().map(|RunSet { name, runs }| {
            let Migrations { moves, are_all } = Migrations::of(&filtered, &runs, scheduled);
            let is_exact = !are_all.is_empty() && are_all.iter().all(|is_all| *is_all);
            MigrationsOfSet { name, runs: runs.len(), is_exact, moves }
        });
        Ok(told.collect())
    }
}
