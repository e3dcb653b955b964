//! Two graphs side by side.

use serde::{Deserialize, Serialize};

use crate::{GraphMatch, SymbolSetting};

/// Parameters of [`crate::Request::GraphCompare`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphCompareParams {
    /// The graph after.
    pub document: u32,
    /// The graph before.
    pub base: u32,
    /// Values of symbols, in both.
    pub symbols: Vec<SymbolSetting>,
}

/// Result of [`crate::Request::GraphCompare`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphCompareResult {
    /// Costs of both programs.
    pub totals: Vec<ComparedCost>,
    /// Bytes moved by container, the largest change first.
    pub containers: Vec<ComparedCost>,
    /// Elements in both, of which costs differ; the first of them.
    pub changed: Vec<ComparedElement>,
    /// How many there are.
    pub changed_count: f64,
    /// Elements in both.
    pub matched: f64,
    /// Elements of the graph before that are gone; the first of them.
    pub removed: Vec<GraphMatch>,
    /// How many there are.
    pub removed_count: f64,
    /// Elements that are new; the first of them.
    pub added: Vec<GraphMatch>,
    /// How many there are.
    pub added_count: f64,
}

/// A cost before and after.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ComparedCost {
    /// What it is of.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Before; none where there was none.
    pub base: Option<f64>,
    /// After.
    pub new: Option<f64>,
    /// Before, in terms of symbols.
    pub base_expression: String,
    /// After, in terms of symbols.
    pub new_expression: String,
}

/// An element before and after.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ComparedElement {
    /// The element after.
    pub new: GraphMatch,
    /// The number of the element before.
    pub base: u32,
    /// The costs that differ.
    pub costs: Vec<ComparedCost>,
}
