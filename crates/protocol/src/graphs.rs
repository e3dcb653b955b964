//! Methods on dataflow graphs: their parameters, results and columns.
//!
//! Elements of a graph (states, regions, nodes, edges) have numbers that depend on the file alone,
//! so that a page may keep them while it folds and unfolds. Lengths are view units: one CSS pixel at
//! a zoom of one.

use serde::{Deserialize, Serialize};

use crate::WarningInfo;
use crate::columns::columns;

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

/// What of a graph is to be seen.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphView {
    /// The document.
    pub document: u32,
    /// Containers less deep than this are open (states of the outermost graph are 1 deep); none
    /// for as deep as leaves a drawing that can be overlooked.
    pub depth: Option<u32>,
    /// Containers that are open whatever their depth.
    pub opened: Vec<u32>,
    /// Containers that are closed whatever their depth.
    pub closed: Vec<u32>,
    /// Kinds of nodes that are left out; edges go on to what is behind them.
    pub hidden: Vec<GraphKind>,
}

/// What an element of a graph is. The columns of a drawing have its place in this list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum GraphKind {
    /// The outermost graph.
    Graph,
    /// A state: a graph of dataflow.
    State,
    /// Blocks that run once when they are reached.
    Region,
    /// Blocks that run several times.
    Loop,
    /// One of several branches runs.
    Conditional,
    /// A branch.
    Branch,
    /// A break, continue or return.
    Jump,
    /// Data at rest.
    Access,
    /// A queue.
    Stream,
    /// Code.
    Tasklet,
    /// A scope that runs for each point of a range, and its beginning.
    Map,
    /// The end of it.
    MapExit,
    /// A scope that runs for each element of a queue, and its beginning.
    Consume,
    /// The end of it.
    ConsumeExit,
    /// A graph in a node.
    Nested,
    /// An operation by name.
    Library,
    /// What this version does not know.
    Opaque,
}

/// Parameters of [`crate::Request::GraphDrawing`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphDrawingParams {
    /// What is to be seen.
    pub view: GraphView,
}

/// Result of [`crate::Request::GraphDrawing`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphDrawingResult {
    /// Width of the drawing.
    pub width: f64,
    /// Height of the drawing.
    pub height: f64,
    /// The depth that it was drawn with.
    pub depth: u32,
    /// Texts that the columns index; entry 0 is empty.
    pub texts: Vec<String>,
    /// Nodes that are left out, as the view wants it.
    pub hidden: f64,
    /// Edges that lead from or to hidden nodes and could not be drawn on.
    pub lost_edges: f64,
}

columns! {
    /// Columns of [`crate::Request::GraphDrawing`]. Boxes stand in preorder: what is in a box stands
    /// behind it; the first is the outermost graph. `edge_...` has one entry an edge, `point_...` one
    /// a point of an edge. An edge is vertical in its points, so that a curve through them does not
    /// leave the room between layers.
    GraphDrawingColumns {
        /// Number of the element.
        element: u32,
        /// Place of the box that it is in; the first box's own.
        parent: u32,
        /// Left edge.
        x: f64,
        /// Upper edge.
        y: f64,
        /// Width.
        width: f64,
        /// Height.
        height: f64,
        /// Place in the list of kinds, [`GraphKind`].
        kind: u32,
        /// Its label, index into `texts`.
        label: u32,
        /// Range, shape, condition, index into `texts`.
        note: u32,
        /// Bits: 1 can be folded and unfolded, 2 is unfolded, 4 has a source line, 8 is transient
        /// (data that lives in the graph only).
        flags: u32,
        /// Number of the edge's element.
        edge_element: u32,
        /// Place of the box that it comes from.
        edge_from: u32,
        /// Place of the box that it goes to.
        edge_to: u32,
        /// Data, or condition and assignments, index into `texts`.
        edge_label: u32,
        /// Bits: 1 orders only, 2 combines with what is there, 4 data decides how much moves, 8 joins
        /// blocks and not nodes, 16 is outside of all scopes and nested graphs, 32 says which data a
        /// view is of, so that nothing moves.
        edge_flags: u32,
        /// Place of its first point; the last one ends where the next edge begins.
        edge_first_point: u32,
        /// Across.
        point_x: f64,
        /// Down.
        point_y: f64,
    }
}

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
    /// How much moves.
    Movement,
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
    /// Green, yellow, red.
    Traffic,
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
    /// has no value is no number (NaN).
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
    /// Categories, if they are no values.
    pub categories: Vec<LegendCategory>,
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

/// Parameters of [`crate::Request::GraphSearch`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphSearchParams {
    /// The document.
    pub document: u32,
    /// Text to find in labels, data names and kinds, without regard to case; `kind:map` and `data:A`
    /// narrow it.
    pub text: String,
    /// Most matches wanted.
    pub limit: u32,
}

/// Result of [`crate::Request::GraphSearch`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphSearchResult {
    /// In the order of the program.
    pub matches: Vec<GraphMatch>,
    /// How many there are.
    pub total: f64,
}

/// An element that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphMatch {
    /// The element.
    pub element: u32,
    /// How DaCe names it.
    pub id: String,
    /// What it is; none for an edge.
    pub kind: Option<GraphKind>,
    /// Its label; of an edge its data.
    pub label: String,
    /// The containers that it is in, the outermost first: what has to be open for it to be seen.
    pub path: Vec<u32>,
}

/// A cost that can be asked for any size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CostQuantity {
    /// Arithmetic operations.
    Work,
    /// Operations on the longest chain.
    Depth,
    /// Bytes that move.
    Movement,
    /// Work over depth.
    Parallelism,
    /// Operations for each byte.
    Intensity,
}

/// Parameters of [`crate::Request::GraphScaling`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphScalingParams {
    /// The document.
    pub document: u32,
    /// The element; none for the whole program.
    pub element: Option<u32>,
    /// The cost.
    pub quantity: CostQuantity,
    /// Values of all symbols.
    pub symbols: Vec<SymbolSetting>,
    /// The symbol that varies; the others stay. Empty: only the ranking is wanted.
    pub symbol: String,
    /// The smallest value.
    pub from: f64,
    /// The largest value.
    pub to: f64,
}

/// Result of [`crate::Request::GraphScaling`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphScalingResult {
    /// The cost in terms of symbols.
    pub expression: String,
    /// The power of the symbol with which the cost grows, fitted to the larger half of the values;
    /// none where there are too few.
    pub exponent: Option<f64>,
    /// Which symbol matters most, first.
    pub ranking: Vec<SymbolEffect>,
}

columns! {
    /// Columns of [`crate::Request::GraphScaling`], one entry a value of the symbol, spread evenly by
    /// their logarithm.
    GraphScalingColumns {
        /// Value of the symbol.
        at: f64,
        /// The cost; no number where it has no value.
        cost: f64,
    }
}

/// What a symbol does to a cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SymbolEffect {
    /// The symbol.
    pub name: String,
    /// How many times as much it costs if the symbol doubles and the others stay.
    pub doubled: f64,
}

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
