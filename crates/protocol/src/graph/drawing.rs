//! Where boxes and edges stand.

use serde::{Deserialize, Serialize};

use crate::columns::columns;

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
    /// Width of the place that it is drawn for, in percent of its height: what is much taller is
    /// cut into columns. None for a place as tall as it takes.
    pub aspect: Option<u32>,
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
    /// behind it; the first is the outermost graph. Several boxes are of one element where data that
    /// is only read is drawn near each use: the first has no [`crate::BoxFlag::COPY`]. `edge_...` has
    /// one entry an edge, `point_...` one a point of an edge. An edge is vertical in its points, so
    /// that a curve through them does not leave the room between layers, except between two points of
    /// one height, which a line joins.
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
        /// Bits, [`crate::BoxFlag`].
        flags: u32,
        /// Number of the edge's element.
        edge_element: u32,
        /// Place of the box that it comes from.
        edge_from: u32,
        /// Place of the box that it goes to.
        edge_to: u32,
        /// Data, or condition and assignments, index into `texts`.
        edge_label: u32,
        /// Bits, [`crate::EdgeFlag`].
        edge_flags: u32,
        /// Place of its first point; the last one ends where the next edge begins.
        edge_first_point: u32,
        /// Across.
        point_x: f64,
        /// Down.
        point_y: f64,
    }
}
