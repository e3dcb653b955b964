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
}

/// Result of [`crate::Request::GraphRoofline`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphRooflineResult {
    /// The most work first.
    pub points: Vec<RooflinePoint>,
    /// Boxes with work and movement that are not among them.
    pub left_out: f64,
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
