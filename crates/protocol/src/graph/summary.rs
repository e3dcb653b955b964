//! What a graph is in all.

use serde::{Deserialize, Serialize};

use crate::WarningInfo;

/// What counts as an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CountedOperations {
    /// Arithmetic, as DaCe counts: minima, maxima, comparisons and choices are none.
    Dace,
    /// These too.
    Every,
}

/// Parameters of [`crate::Request::GraphCounting`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphCountingParams {
    /// The document.
    pub document: u32,
    /// What counts.
    pub operations: CountedOperations,
}

/// Result of [`crate::Request::GraphSummary`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphSummaryResult {
    /// File name without folders.
    pub title: String,
    /// The outermost graph's name.
    pub name: String,
    /// The version of DaCe that wrote the file, as it says; else empty.
    pub dace_version: String,
    /// What counts as an operation.
    pub operations: CountedOperations,
    /// Nodes that send or receive over the network.
    pub communications: f64,
    /// The outermost and all nested graphs.
    pub graphs: f64,
    /// States of all graphs.
    pub states: f64,
    /// Nodes of all states.
    pub nodes: f64,
    /// Dataflow edges of all states.
    pub edges: f64,
    /// How deep containers nest; the outermost graph is 0.
    pub depth: u32,
    /// What costs depend on, by name.
    pub symbols: Vec<GraphSymbol>,
    /// Data containers of the outermost graph, by name.
    pub containers: Vec<GraphContainer>,
    /// What the reader repaired or skipped, and what the analysis assumed.
    pub warnings: Vec<WarningInfo>,
    /// How long opening took, in seconds, where the host measured it.
    pub opened_s: Option<f64>,
    /// What was measured and joined, in the order of joining.
    pub measurements: Vec<GraphMeasurement>,
}

/// A symbol that costs depend on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphSymbol {
    /// Its name.
    pub name: String,
    /// Its type in DaCe's words; empty for what data decides.
    pub element_type: String,
    /// Why nothing but the data tells it; empty for a size that a caller chooses.
    pub unknown: String,
    /// A value to begin with.
    pub suggested: f64,
    /// Whether nothing tells its value: what is suggested is an example.
    pub is_example: bool,
}

/// A data container.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphContainer {
    /// Its name.
    pub name: String,
    /// What it is: `array`, `scalar`, `stream`, `view` ...
    pub kind: String,
    /// Type of an element in DaCe's words.
    pub element_type: String,
    /// Elements in each dimension.
    pub shape: Vec<String>,
    /// Lives in the graph only.
    pub transient: bool,
    /// Memory in DaCe's words.
    pub storage: String,
}

/// A report or profile that was joined to a graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphMeasurement {
    /// File name without folders.
    pub title: String,
    /// Names and units of what it measured.
    pub metrics: Vec<GraphMetric>,
    /// Elements that got a value.
    pub elements: f64,
    /// What could not be joined, and why.
    pub warnings: Vec<WarningInfo>,
}

/// What was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphMetric {
    /// Its name, which [`NodeQuantity::Measured`] repeats: `time`, `PAPI_L3_TCM`.
    pub name: String,
    /// Its unit: `nanoseconds`, `count`.
    pub unit: String,
}
