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
    /// How many of the points are below it even if every element moved once.
    pub memory_bound: u32,
    /// How many are below it, and above it if every element moved once, or where that is not known:
    /// reuse decides.
    pub between: u32,
    /// States of the outermost graph, the longest first.
    pub states: Vec<PredictedState>,
    /// States that are not among them.
    pub states_left_out: f64,
    /// Seconds of the whole run, if all its operations and all its bytes overlap; none where symbols
    /// are not set.
    pub predicted_s: Option<PredictedTime>,
    /// Boxes and states without values at these sizes: they are among neither.
    pub without_value: u32,
    /// Why what was measured is not told of some; empty where there is nothing to say.
    pub note: String,
}

/// A state with the time that it takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PredictedState {
    /// The element.
    pub element: u32,
    /// Its label.
    pub label: String,
    /// Seconds predicted for the whole run: at least those where every element moves once each time
    /// that the state runs.
    pub predicted_s: PredictedTime,
    /// Seconds measured in the whole run.
    pub time_s: Option<f64>,
}

/// Seconds by the roofline: the larger of what the operations and what the bytes take at most speed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PredictedTime {
    /// If every element moved once; none where that is not known.
    pub least: Option<f64>,
    /// If each access moved.
    pub most: f64,
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
    /// Operations for each byte if every element moved once each time that the element is reached;
    /// none where that is not known.
    pub intensity_of_distinct: Option<f64>,
    /// Operations in the whole run.
    pub work: f64,
    /// Bytes in the whole run.
    pub bytes: f64,
    /// Seconds measured in the whole run.
    pub time_s: Option<f64>,
    /// Seconds predicted for the whole run.
    pub predicted_s: PredictedTime,
    /// Operations in a second: reached, where the time was measured, else attainable if each access
    /// moves.
    pub rate: f64,
    /// Operations in a second that are attainable if every element moves once.
    pub most_rate: Option<f64>,
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
