//! What is drawn, and the drawing.

/// A graph to draw.
#[derive(Debug, Clone, Default)]
pub struct LayeredGraph {
    /// Width and height of every node; neither is negative.
    pub sizes: Vec<(f64, f64)>,
    /// From and to, as places in `sizes`. Several edges may join the same nodes; one that joins a
    /// node with itself has no route.
    pub edges: Vec<(u32, u32)>,
    /// A node that is alone on the first layer; edges begin anywhere along the whole width there, as
    /// below the header of a box that all of it is in. Nothing may lead to it.
    pub first: Option<u32>,
    /// A node that is alone on the last layer, where edges end along the whole width. Nothing may
    /// lead out of it.
    pub last: Option<u32>,
    /// Width over height of the place that the drawing is for: one that is much taller is cut into
    /// columns side by side.
    pub aspect: Option<f64>,
}

/// Room between boxes.
#[derive(Debug, Clone, Copy)]
pub struct Spacing {
    /// Between neighbours of a layer.
    pub across: f64,
    /// Between layers.
    pub along: f64,
}

/// Where everything is; the upper left corner of all is (0, 0).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LayeredDrawing {
    /// Upper left corner of every node.
    pub nodes: Vec<(f64, f64)>,
    /// Points from the lower side of one node to the upper side of the other, or the other way
    /// round where an edge goes up. Within a layer an edge is vertical; it goes across only between
    /// layers, where no box is. From the foot of a column to the head of the next it goes in steps:
    /// down, across, up, across and down.
    pub routes: Vec<Vec<(f64, f64)>>,
    /// Width and height of all.
    pub size: (f64, f64),
}
