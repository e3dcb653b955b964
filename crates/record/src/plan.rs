//! What is going to run.

use std::ffi::OsString;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::exchange::Exchange;
use crate::manifest::{Events, RunKind, Tool};
use crate::{Finding, RecordOptions};

/// Runs, in order, and what they measure.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Plan {
    /// What it was made for.
    pub asked: RecordOptions,
    /// Who records.
    pub tool: Tool,
    /// What opens here, and what does not.
    pub events: Events,
    /// In the order in which they run.
    pub runs: Vec<PlannedRun>,
    /// What they will need.
    pub forecast: Forecast,
    /// What is to be known before they run.
    pub findings: Vec<Finding>,
    /// Folders for what is traced from inside, where whoever plans made them; of one run. Otherwise the
    /// recorder makes some beside the recording.
    #[serde(skip)]
    pub exchange: Option<Arc<Exchange>>,
}

/// One execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedRun {
    /// From 1; the same whenever the same is asked for.
    pub number: u32,
    /// What is done besides running the command.
    pub kind: RunKind,
    /// Names of the events that are measured.
    pub events: Vec<String>,
    /// Samples a second.
    pub frequency: Option<u32>,
    /// Arguments of the recorder, without those for its file and for the command.
    pub arguments: Vec<OsString>,
}

/// What runs will need.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    /// Bytes of a minute in which all processors are busy, at most; none where that is not known.
    pub bytes_per_minute: Option<u64>,
    /// Files that the recorder will have open for its counters.
    pub descriptors: u64,
}

impl PlannedRun {
    /// For people.
    pub fn title(&self) -> String {
        match (self.kind, self.frequency) {
            (RunKind::Unmeasured, _) => "not measured".to_owned(),
            (RunKind::Overhead, Some(frequency)) => format!("overhead at {frequency} Hz"),
            _ => self.events.join(", "),
        }
    }
}
