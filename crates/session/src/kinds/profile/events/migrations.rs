//! Threads that continued on another processor, by set of runs.

use analysis::{Migration, MigrationMetrics, MigrationSource, Migrations, NoGroups, Side};
use profile::{Metric, MetricId, Shared, Timing};
use protocol::{ErrorCode, ProtocolError};

use super::query::{EventsQuery, run_names, runs_of};
use super::sets::{RunSet, SetsBy};
use crate::kinds::profile::convert;
use crate::kinds::profile::trees::views::filtered_by;
use crate::{ProfileDocument, ViewOptions};

/// The metric of points that say where threads ran, by the scheduler.
const RUNS: &str = "runs";

/// How many there are, by run.
const COUNT: &str = "migrations";

/// The migrations of a set of runs.
#[derive(Debug, Clone)]
pub struct MigrationsOfSet {
    /// What it is called; empty where all there is stands in it.
    pub name: String,
    /// Names of its runs, in the order of the document.
    pub runs: Vec<String>,
    /// What tells of them; of runs that are told by different things, the least sure.
    pub told_by: MigrationSource,
    /// How many samples see besides, where events tell that may not be of all threads.
    pub seen: usize,
    /// By time, each with the place of its run.
    pub moves: Vec<(usize, Migration)>,
}

impl MigrationsOfSet {
    /// How many there are by the nearest that both processors share, from the nearest on; last those of
    /// which no file tells.
    pub fn levels(&self) -> Vec<(&'static str, usize)> {
        let count = |shares| self.moves.iter().filter(|(_, one)| one.shares == shares).count();
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

/// Threads that continued on another processor, of what filters keep: by set of runs, and what is to be
/// known of it. They are those that the metric `migrations` counts, where there is one.
pub fn migrations(
    document: &ProfileDocument,
    options: &ViewOptions,
    sets: SetsBy,
) -> Result<(Vec<MigrationsOfSet>, Vec<String>), ProtocolError> {
    let filtered = filtered_by(document, options).map_err(convert::filter_error)?;
    if !document.profile().points.has_cpus() {
        let message = NoGroups::Processors.to_string();
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    let metrics =
        document.comparison().map_or(&document.profile().metrics, |comparing| &comparing.metrics);
    // A counter of the kernel may have that name, too; it says nothing of where threads were.
    let own = |name: &str, is_meant: fn(&Metric) -> bool| {
        let place = metrics.iter().position(|one| one.name == name && is_meant(one))?;
        let own = MetricId(place as u32);
        Some(document.comparison().map_or(own, |_| Side::Both.of(own)))
    };
    let metrics = MigrationMetrics {
        runs: own(RUNS, |_| true),
        count: own(COUNT, |metric| metric.timing == Timing::Begins),
    };
    let columns = EventsQuery::new(document)?.columns;
    let (sets, notes) = sets.sets(document, &columns, &runs_of(document, options, &filtered));
    let names = run_names(document);
    let told = sets.into_iter().map(|RunSet { name, runs }| {
        let Migrations { moves, told_by, seen } = Migrations::new(&filtered, &runs, metrics);
        let place = |one: &Migration| runs.iter().position(|run| *run == one.member);
        MigrationsOfSet {
            name,
            told_by: told_by.into_iter().min().unwrap_or(MigrationSource::Samples),
            seen,
            moves: moves.into_iter().filter_map(|one| Some((place(&one)?, one))).collect(),
            runs: runs.iter().map(|run| names[run.index()].clone()).collect(),
        }
    });
    Ok((told.collect(), notes))
}
