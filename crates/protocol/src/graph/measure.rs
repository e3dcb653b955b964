//! What was measured, and what the machine can do.

use serde::{Deserialize, Serialize};

use crate::{GraphMeasurement, GraphShow, GraphView, SymbolSetting};

/// Parameters of [`crate::Request::GraphMeasure`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphMeasureParams {
    /// The graph.
    pub document: u32,
    /// A report of DaCe, or any profile, that is open as a document.
    pub measured: u32,
}

/// Result of [`crate::Request::GraphMeasure`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphMeasureResult {
    /// What was joined.
    pub measurement: GraphMeasurement,
}

/// Parameters of [`crate::Request::GraphRoofline`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphRooflineParams {
    /// The drawing, whose boxes are meant.
    pub view: GraphView,
    /// Values of symbols.
    pub symbols: Vec<SymbolSetting>,
    /// Most points wanted; those with the most work come first.
    pub limit: u32,
    /// What the machine can do at most.
    pub machine: RooflineMachine,
}

/// The two numbers of a roofline; both are above 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RooflineMachine {
    /// Bytes from memory in a second.
    pub bandwidth: f64,
    /// Operations in a second.
    pub peak: f64,
}

/// Result of [`crate::Request::GraphRoofline`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphRooflineResult {
    /// The most work first.
    pub points: Vec<RooflinePoint>,
    /// Boxes with work and movement that are not among them.
    pub left_out: f64,
    /// Operations for each byte below which memory is the limit.
    pub ridge: f64,
    /// How many of the points are below it.
    pub memory_bound: u32,
}

/// An element under a roofline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RooflinePoint {
    /// The element.
    pub element: u32,
    /// Its label.
    pub label: String,
    /// Operations for each byte.
    pub intensity: f64,
    /// Operations in the whole run.
    pub work: f64,
    /// Bytes in the whole run.
    pub bytes: f64,
    /// Seconds measured in the whole run.
    pub time_s: Option<f64>,
    /// Operations in a second: reached, where the time was measured, else attainable.
    pub rate: f64,
}

/// Parameters of [`crate::Request::GraphSvg`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphSvgParams {
    /// The drawing.
    pub view: GraphView,
    /// What is laid over it.
    pub show: GraphShow,
    /// Dark colours.
    pub dark: bool,
}
