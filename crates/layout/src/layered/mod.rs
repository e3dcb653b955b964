//! Drawings of directed graphs from top to bottom.
//!
//! In the steps of Sugiyama, Tagawa and Toda (1981): edges that close a cycle are turned round
//! (`layers`), nodes get layers so that edges go down (`layers`), long edges are cut at every layer
//! they cross and each layer is ordered so that few edges cross (`order`), and nodes are placed
//! under what they are joined to (`place`). Layers are those of the least sum of edge lengths, by
//! network simplex (`simplex`). A drawing that is much taller than its place is cut into columns
//! (`columns`) before its edges are routed (`routes`). Everything is told in one unit, whichever the
//! sizes are in; the same graph always gives the same drawing.

mod columns;
mod cut;
mod draw;
mod graph;
mod layers;
mod order;
mod place;
mod ports;
mod routes;
mod simplex;

pub use draw::draw;
pub(crate) use draw::layers;
pub use graph::{LayeredDrawing, LayeredGraph, Spacing};
