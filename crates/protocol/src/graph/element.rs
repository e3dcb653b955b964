//! All about one element.

use serde::{Deserialize, Serialize};

use crate::{GraphKind, GraphMatch, GraphShow, SymbolSetting};

/// What can be said of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CostCertainty {
    /// It is what a run costs.
    Exact,
    /// It is not less than what a run costs.
    AtMost,
    /// It is a quotient of bounds, which may be on either side.
    Estimated,
    /// A value that is not known is in it, or there is none.
    Unknown,
    /// It was measured.
    Measured,
}

/// A cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphCost {
    /// `work`, `movement`, `depth`, `parallelism`, `intensity`, `memory`, `time` ...
    pub name: String,
    /// Its unit, as in [`GraphLegend::unit`].
    pub unit: String,
    /// In terms of symbols; empty for what was measured.
    pub expression: String,
    /// The value, for people who want all digits; none where a symbol is unset or there is none.
    pub exact: Option<String>,
    /// The value as a number.
    pub value: Option<f64>,
    /// What can be said of the value.
    pub certainty: CostCertainty,
    /// Why there is no value, or why it may be less; else empty.
    pub note: String,
}

/// Parameters of [`crate::Request::GraphElement`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphElementParams {
    /// The document.
    pub document: u32,
    /// The element.
    pub element: u32,
    /// What is laid over the graph.
    pub show: GraphShow,
}

/// Parameters of [`crate::Request::GraphSum`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphSumParams {
    /// The document.
    pub document: u32,
    /// The elements.
    pub elements: Vec<u32>,
    /// Values of symbols.
    pub symbols: Vec<SymbolSetting>,
}

/// Result of [`crate::Request::GraphSum`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphSumResult {
    /// The elements that are added up, in the order that they were asked for.
    pub counted: Vec<GraphMatch>,
    /// Those that are not, because another one that is asked for has them in it, moves what they
    /// move, or because they have no costs.
    pub left_out: Vec<GraphMatch>,
    /// Work, movement and distinct bytes of all of them in the whole run.
    pub whole: Vec<GraphCost>,
}

/// Result of [`crate::Request::GraphElement`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphElementResult {
    /// How DaCe names it: `0/1/2/-1`.
    pub id: String,
    /// What it is; none for an edge.
    pub kind: Option<GraphKind>,
    /// Its label.
    pub label: String,
    /// The containers that it is in, the outermost first.
    pub path: Vec<GraphStep>,
    /// What else is known about it.
    pub properties: Vec<GraphProperty>,
    /// Each time that it is reached.
    pub each: Vec<GraphCost>,
    /// In the whole run.
    pub whole: Vec<GraphCost>,
    /// How often it is reached in a run.
    pub times: GraphCost,
    /// Of a comparison: what it costs in the other graph; empty where it has no partner.
    pub base: Vec<GraphCost>,
    /// What was measured.
    pub measured: Vec<GraphCost>,
    /// Its code.
    pub code: Option<GraphCode>,
    /// Where it was written.
    pub source: Option<GraphSource>,
    /// The edges at it; of an edge the nodes that it joins.
    pub neighbours: Vec<GraphNeighbour>,
}

/// An element with its label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphStep {
    /// The element.
    pub element: u32,
    /// Its label.
    pub label: String,
    /// What it is.
    pub kind: GraphKind,
}

/// A property of an element.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphProperty {
    /// `shape`, `strides`, `storage`, `range` ...
    pub name: String,
    /// Its value.
    pub value: String,
}

/// Code of a tasklet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphCode {
    /// The language: `Python`, `C++`.
    pub language: String,
    /// As it is written.
    pub text: String,
}

/// A source line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphSource {
    /// The file as the graph names it.
    pub file: String,
    /// From 1.
    pub line: u32,
}

/// What is next to an element.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphNeighbour {
    /// Whether it leads here, rather than away.
    pub comes_in: bool,
    /// The edge.
    pub edge: u32,
    /// The element at its other end.
    pub other: u32,
    /// That element's label.
    pub label: String,
    /// What moves, with its subset; empty for edges that order only.
    pub data: String,
    /// How much moves.
    pub movement: Option<GraphCost>,
}
