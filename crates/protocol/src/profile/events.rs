//! Events of recordings, counted by run and by where they were.

use serde::{Deserialize, Serialize};

use crate::ViewSpec;

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
}

/// Result of [`crate::ProfileRequest::Events`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EventsResult {
    /// How many runs either side of a comparison has, base first; of anything else one entry.
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
    /// As the sides of the result.
    pub sides: Vec<Option<EventFigures>>,
    /// Of a comparison.
    pub change: Option<EventDifference>,
}

/// What the runs of a side have.
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
    /// Where it lies with 95 % confidence, if there are three runs a side.
    pub interval: Option<[f64; 2]>,
    /// By which factor runs of a side lie off their median.
    pub noise: Option<f64>,
    /// `better`, `worse`, `more`, `less`, `may be chance`, `too few runs`, `too few samples` or `not
    /// comparable`.
    pub verdict: String,
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
