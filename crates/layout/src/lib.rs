//! Where things stand: boxes of flame graphs, bars of time, rows of tree tables and nodes of graphs, as numbers in
//! view units.
//!
//! A view unit is what one thing must be wide to be worth drawing: for a page a CSS pixel, for a
//! terminal a column. Nothing here knows pixels, fonts or colours.

mod call_graph;
mod find;
mod flame;
mod lanes;
mod layered;
mod linear;
mod nested;
mod rows;
mod scatter;
mod squarify;
mod treemap;

pub use call_graph::{CallGraphDrawing, CallNode, draw_call_graph};
pub use find::{Found, Place, find};
pub use flame::{FlameBox, FlameLayout, FlameView, flame};
pub use lanes::{Activity, BarOf, LaneBar, Lanes, LanesView, activity, lanes};
pub use layered::{LayeredDrawing, LayeredGraph, Spacing, draw as draw_layered};
pub use linear::LinearScale;
pub use nested::{
    Inside, NestedBox, NestedDrawing, NestedGraph, draw as draw_nested, layers as nested_layers,
};
pub use rows::{Row, RowSort, RowsLayout, RowsView, rows};
pub use scatter::{Diagonal, LogScale, ScatterLayout, ScatterMark, ScatterThing, Zone, scatter};
pub use squarify::{Rect, squarify};
pub use treemap::{TreemapBox, TreemapLayout, TreemapView, treemap};
