//! What fusing neighbouring maps saves.

use serde::{Deserialize, Serialize};

use crate::{GraphCost, GraphMatch, SymbolSetting};

/// Parameters of [`crate::Request::GraphFusions`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphFusionsParams {
    /// The document.
    pub document: u32,
    /// Values of symbols.
    pub symbols: Vec<SymbolSetting>,
    /// Most pairs wanted.
    pub limit: u32,
}

/// Result of [`crate::Request::GraphFusions`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphFusionsResult {
    /// Pairs that can be one map first, then by what they save in the whole run.
    pub fusions: Vec<GraphFusion>,
    /// Pairs that are not among them.
    pub left_out: f64,
}

/// Two maps of a state, one of which reads what the other writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphFusion {
    /// The map that writes.
    pub first: GraphMatch,
    /// The map that reads.
    pub second: GraphMatch,
    /// What is between them.
    pub between: Vec<FusedContainer>,
    /// Why they cannot be one map as they are; empty where they can.
    pub obstacle: String,
    /// Bytes of accesses that go away in the whole run, or, where it is not known how often the maps
    /// are reached, each time that they are.
    pub saved: GraphCost,
}

/// A container between two maps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FusedContainer {
    /// Its name.
    pub name: String,
    /// Nothing else uses it: it need not be written at all.
    pub is_private: bool,
}
