//! What is laid over a drawing.

use serde::{Deserialize, Serialize};

use crate::columns::columns;
use crate::{AccessesCaches, GraphCost, GraphView};

/// What is laid over a graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphShow {
    /// Values of symbols; what is not set has no value.
    pub symbols: Vec<SymbolSetting>,
    /// On boxes.
    pub nodes: NodeQuantity,
    /// On edges.
    pub edges: EdgeQuantity,
    /// For [`EdgeQuantity::Simulated`]; else it may be left out.
    #[serde(default)]
    pub simulation: Option<GraphSimulation>,
    /// Each time that the element is reached, or in the whole run.
    pub basis: GraphBasis,
    /// Bytes rather than elements, where both make sense.
    pub in_bytes: bool,
    /// From values to colours.
    pub scale: GraphScale,
    /// The colours.
    pub colours: GraphColours,
    /// A graph to compare with: values become differences, this graph less that one.
    pub against: Option<u32>,
}

/// A value of a symbol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SymbolSetting {
    /// The symbol.
    pub name: String,
    /// A whole number.
    pub value: f64,
}

/// What boxes tell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum NodeQuantity {
    /// Nothing.
    None {},
    /// Arithmetic operations.
    Work {},
    /// Operations on the longest chain.
    Depth {},
    /// Work over depth.
    Parallelism {},
    /// Operations for each byte or element that is moved.
    Intensity {},
    /// What is moved over the box's own outer edges.
    Movement {},
    /// Bytes of payload through the network.
    Network {},
    /// Size of the container.
    Memory {},
    /// Where the container is: categories, not values.
    Storage {},
    /// A measured metric.
    Measured {
        /// Its name.
        name: String,
    },
    /// Bytes moved, as modelled, in each second that was measured.
    Bandwidth {},
    /// Operations, as modelled, in each second that was measured.
    Rate {},
}

/// What edges tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum EdgeQuantity {
    /// Nothing.
    None,
    /// How much moves, as the graph says.
    Movement,
    /// How much moves between a cache and what is behind it in the whole run, as a simulation tells: bytes
    /// of lines that the edge's own accesses miss.
    Simulated,
}

/// What is simulated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphSimulation {
    /// Through which caches; the first level's misses count.
    pub caches: AccessesCaches,
    /// Bytes of a line.
    pub line: u32,
    /// Whether containers stand right behind each other.
    pub packed: bool,
    /// Whether a write that combines reads first.
    pub combining_reads: bool,
}

/// What values count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum GraphBasis {
    /// Each time that an element is reached.
    Each,
    /// All times together in a run of the program.
    Whole,
}

/// How values become colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum GraphScale {
    /// From 0 to twice the mean.
    Mean,
    /// From 0 to twice the median.
    Median,
    /// By rank among the distinct values.
    Histogram,
    /// From the smallest to the largest.
    Linear,
    /// From the smallest to the largest, by the logarithm.
    Exponential,
}

/// A map of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum GraphColours {
    /// Blue, yellow, red; colour-blind safe.
    Heat,
    /// Perceptually uniform from blue to yellow; colour-blind safe.
    Viridis,
    /// Perceptually uniform from dark blue to light yellow, made for colour blindness.
    Cividis,
}

/// Parameters of [`crate::Request::GraphOverlay`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphOverlayParams {
    /// The drawing.
    pub view: GraphView,
    /// What is laid over it.
    pub show: GraphShow,
}

/// Result of [`crate::Request::GraphOverlay`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphOverlayResult {
    /// Of the values on boxes; none where they have none.
    pub nodes: Option<GraphLegend>,
    /// Of the values on edges.
    pub edges: Option<GraphLegend>,
    /// Colours at equal distances from position 0 to 1, as `#rrggbb`.
    pub ramp: Vec<String>,
    /// Costs of the whole program.
    pub totals: Vec<GraphCost>,
    /// Symbols that are not set and that something depends on.
    pub unset: Vec<String>,
}

columns! {
    /// Columns of [`crate::Request::GraphOverlay`], one entry a box or an edge of the drawing. What
    /// has no value is not a number (NaN).
    GraphOverlayColumns {
        /// The value on the box.
        node_value: f64,
        /// 0 to 1; of categories the place in the legend's list. Containers that are open have a
        /// value and no position: what is in them tells it.
        node_position: f64,
        /// The value on the edge.
        edge_value: f64,
        /// 0 to 1.
        edge_position: f64,
    }
}

/// How values became colours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphLegend {
    /// What is told, in words.
    pub title: String,
    /// The unit: `operations`, `bytes`, `elements`, `operations/byte`, `nanoseconds`; empty for plain
    /// numbers.
    pub unit: String,
    /// Values at positions, from 0 to 1.
    pub ticks: Vec<LegendTick>,
    /// How many values are in each of equal parts of the positions.
    pub bins: Vec<u32>,
    /// Values that the scale is made from: those outside of scopes where there are any.
    pub values: u32,
    /// Values below the scale, drawn at 0.
    pub below: u32,
    /// Values above the scale, drawn at 1.
    pub above: u32,
    /// Elements that have no value.
    pub without: u32,
    /// Categories, if they are not values.
    pub categories: Vec<LegendCategory>,
    /// Why elements that were measured have no value; empty where there is nothing to say.
    pub note: String,
}

/// A value on a scale.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LegendTick {
    /// 0 to 1.
    pub position: f64,
    /// The value there.
    pub value: f64,
    /// `mean`, `median`, or nothing.
    pub label: String,
}

/// One of several classes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LegendCategory {
    /// Its name.
    pub name: String,
    /// Its colour, as `#rrggbb`.
    pub colour: String,
    /// How many elements are of it.
    pub count: u32,
}
