//! Events of recordings, counted by run and by where they were.

use serde::{Deserialize, Serialize};

use crate::ViewSpec;
use crate::columns::columns;

/// Parameters of [`crate::ProfileRequest::Events`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EventsParams {
    /// The view: what its filters keep is counted.
    pub view: ViewSpec,
    /// What events are added up by: `total`, `cpu`, `core`, `cache`, `node`, `socket`, `thread`,
    /// `process`, `function`, `line`, `file` or `module`; of the last four the thousand that have the
    /// most of the first event.
    pub by: String,
    /// The event or metric that is told of; none for all.
    pub event: Option<String>,
    /// Which runs are looked at together: `sides` of a comparison (of anything else all), those whose
    /// `names` differ in their number alone, or `runs` each for itself.
    pub sets: String,
}

/// Result of [`crate::ProfileRequest::Events`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EventsResult {
    /// What the sets are called, base first of a comparison; empty where all there is is one.
    pub sets: Vec<String>,
    /// How many runs each has.
    pub runs: Vec<u32>,
    /// By group in their order, then events in the order of the file, then metrics.
    pub rows: Vec<EventEntry>,
    /// Where each group is, of processors; empty for others.
    pub places: Vec<EventPlace>,
    /// What could not be compared.
    pub notes: Vec<String>,
}

/// An event or metric of a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EventEntry {
    /// What the group is called.
    pub group: String,
    /// The event as the file names it, or the metric.
    pub name: String,
    /// Unit of an event; none of a metric that is made of events.
    pub unit: Option<String>,
    /// Values of an event count ten to the minus so many of its unit.
    pub decimals: u8,
    /// `lower`, `higher` or `neutral`; none if that is not known.
    pub better: Option<String>,
    /// What it counts; may be empty.
    pub description: String,
    /// As the sets of the result.
    pub sides: Vec<Option<EventFigures>>,
    /// Of a comparison by its sides.
    pub change: Option<EventDifference>,
}

/// What the runs of a set have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EventFigures {
    /// The median over the runs in which it was measured; none if it was in none.
    pub median: Option<f64>,
    /// The least.
    pub least: Option<f64>,
    /// The most.
    pub most: Option<f64>,
    /// The median of values per second; none of metrics.
    pub per_second: Option<f64>,
    /// Samples of all runs.
    pub samples: f64,
    /// Standard error of sampling, as a share.
    pub error: Option<f64>,
    /// Share of the time that it was counted, where counters were shared.
    pub coverage: Option<f64>,
    /// Whether each run has ten samples at least.
    pub is_enough: bool,
}

/// How the new side differs from the base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EventDifference {
    /// Median of the new runs by that of the base's.
    pub ratio: Option<f64>,
    /// Where it lies with 95 % confidence, if there are two runs a side.
    pub interval: Option<[f64; 2]>,
    /// `more`, `less`, `same` or `unknown`.
    pub verdict: String,
    /// Why it is unknown, or whether the change is one for the better; may be empty.
    pub reason: String,
}

/// Where the processor of a group is; what the file does not tell is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EventPlace {
    /// What the group is called.
    pub group: String,
    /// Name of the machine; empty if there is one only.
    pub machine: String,
    /// Number of the processor.
    pub cpu: u32,
    /// Number of its core.
    pub core: Option<u32>,
    /// Of its last-level cache.
    pub cache: Option<u32>,
    /// Of its node of memory.
    pub node: Option<u32>,
    /// Of its socket.
    pub socket: Option<u32>,
}

/// Parameters of [`crate::ProfileRequest::EventBins`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EventBinsParams {
    /// The view: what its filters keep is counted, in the time that they keep.
    pub view: ViewSpec,
    /// What events are added up by, as in [`EventsParams::by`].
    pub by: String,
    /// The event or metric; none for the first of the file.
    pub event: Option<String>,
    /// How many bins there may be; their width is a round number of a millisecond at least.
    pub bins: u32,
    /// Whether each run is divided into so many equal parts at most, however long it took.
    pub is_progress: bool,
    /// Which runs are looked at together, as in [`EventsParams::sets`].
    pub sets: String,
    /// The most groups; those with the least are one.
    pub groups: u32,
}

/// Result of [`crate::ProfileRequest::EventBins`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EventBinsResult {
    /// The event or metric.
    pub name: String,
    /// Unit of an event, whose values are per second; none of a metric.
    pub unit: Option<String>,
    /// Values of an event count ten to the minus so many of its unit.
    pub decimals: u8,
    /// `lower`, `higher` or `neutral`; none if that is not known.
    pub better: Option<String>,
    /// What the groups are called.
    pub groups: Vec<String>,
    /// By group, the number of the processor or of what processors share; none of others.
    pub places: Vec<Option<u32>>,
    /// What the sets are called, as in [`EventsResult::sets`].
    pub sets: Vec<String>,
    /// Names of the runs, by set.
    pub runs: Vec<Vec<String>>,
    /// Begin of the first bin, in nanoseconds after [`crate::TracksResult::origin`]; 0 of progress.
    pub begin: f64,
    /// Length of a bin in nanoseconds; of progress, its share of a run.
    pub width: f64,
    /// How many bins there are.
    pub bins: u32,
    /// What is to be known of it.
    pub notes: Vec<String>,
}

columns! {
    /// Columns of [`crate::ProfileRequest::EventBins`]: a cell a row, by set, then group, then bin.
    EventBinsColumns {
        /// Events per second over all the time that runs spent in the bin, or the value of a metric; not
        /// a number where there is none.
        value: f64,
        /// Samples of all runs.
        samples: f64,
        /// Standard error that comes of sampling, as a share; not a number where there is none.
        error: f64,
        /// Whether there are samples enough to say something.
        enough: u8,
    }
}

/// Parameters of [`crate::ProfileRequest::Migrations`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MigrationsParams {
    /// The view: what its filters keep counts, by the processor, the stack and the time that a thread
    /// left.
    pub view: ViewSpec,
    /// The most migrations that come one by one; of more, none does.
    pub most: u32,
    /// Which runs are looked at together, as in [`EventsParams::sets`].
    pub sets: String,
}

/// Result of [`crate::ProfileRequest::Migrations`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MigrationsResult {
    /// By set of runs.
    pub sets: Vec<MigrationSet>,
    /// Names of the threads that the columns tell of.
    pub threads: Vec<String>,
    /// What is to be known of it.
    pub notes: Vec<String>,
}

/// Migrations of a set of runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MigrationSet {
    /// What it is called, as in [`EventsResult::sets`].
    pub name: String,
    /// How many runs it has.
    pub runs: u32,
    /// What tells of them: the scheduler's `switches` of all, the kernel's `events` of those that were
    /// recorded; of `samples` there are at least so many.
    pub told_by: String,
    /// How many samples see besides, where events tell that may not be of all threads.
    pub seen: f64,
    /// Migrations of all runs together.
    pub count: f64,
    /// The same by the nearest that both processors share, from the nearest on.
    pub levels: Vec<MigrationLevel>,
}

/// Migrations between processors that share something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MigrationLevel {
    /// `core`, `cache`, `node`, `socket`, `machine`, or `unknown` where no file tells.
    pub shares: String,
    /// How many there are, of all runs together.
    pub count: f64,
}

columns! {
    /// Columns of [`crate::ProfileRequest::Migrations`]: a migration a row, by set.
    MigrationsColumns {
        /// The set.
        set: u32,
        /// Place of the thread's name in the result.
        thread: u32,
        /// When it left its processor, or was last seen there, in nanoseconds after
        /// [`crate::TracksResult::origin`].
        time: f64,
        /// The processor that it was on.
        from: u32,
        /// The one that it went to; 4294967295 if no file tells.
        to: u32,
    }
}
