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
mod layers;
mod order;
mod place;
mod ports;
mod routes;
mod simplex;

use columns::Strip;
use routes::Placed;

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

/// A node of a layer: one of the graph's, or where a long edge crosses the layer.
#[derive(Debug, Clone, Copy)]
struct Slot {
    width: f64,
    /// Whether it is a piece of an edge.
    is_bend: bool,
}

/// The graph with its long edges cut: every edge joins neighbouring layers.
#[derive(Debug, Clone, Default)]
struct Cut {
    slots: Vec<Slot>,
    layer_of: Vec<u32>,
    /// Slots above and below each, with repetition.
    above: Vec<Vec<u32>>,
    below: Vec<Vec<u32>>,
    /// The slots of each edge of the graph, from its upper end to its lower one.
    chains: Vec<Vec<u32>>,
    /// Whether long edges are cut: there are not too many bends.
    is_whole: bool,
}

impl Cut {
    /// The least distance of the middles of two neighbours in a layer.
    fn distance(&self, left: u32, right: u32, gap: f64) -> f64 {
        let [left, right] = [left, right].map(|slot| self.slots[slot as usize]);
        // Lines need less room than boxes.
        let gap = if left.is_bend || right.is_bend { gap / 2.0 } else { gap };
        f64::midpoint(left.width, right.width) + gap
    }

    /// Forgets what joins the layers that `starts` name to those above them.
    fn part(&mut self, layers: &[Vec<u32>], starts: &[usize]) {
        for &start in starts.iter().skip(1) {
            layers[start].iter().for_each(|&slot| self.above[slot as usize].clear());
            layers[start - 1].iter().for_each(|&slot| self.below[slot as usize].clear());
        }
    }
}

/// Bends of all edges together; beyond them long edges are drawn straight.
const MOST_BENDS: usize = 200_000;

/// Draws a graph.
pub fn draw(graph: &LayeredGraph, spacing: Spacing) -> LayeredDrawing {
    let count = graph.sizes.len();
    if count == 0 {
        return LayeredDrawing::default();
    }
    let down = layers::turned_down(count, &graph.edges);
    let layer_of = layers::layers(count, &down, graph.first, graph.last);
    let cut = cut(graph, &down, &layer_of);
    let layers = order::ordered(&cut);
    let heights = heights(graph, &layers);
    let place = |cut: &Cut| place::places(cut, &layers, spacing.across);
    let mut x = place(&cut);
    let mut starts = vec![0];
    if let Some(aspect) = graph.aspect
        && cut.is_whole
    {
        let strip = Strip { cut: &cut, layers: &layers, heights: &heights, x: &x, spacing };
        if let Some(columns) = strip.columns(aspect, place) {
            (starts, x) = (columns.starts, columns.x);
        }
    }
    Placed::new(graph, &cut, &layers, &heights, x, &starts, spacing).drawing(&down)
}

/// The layer of every node, from 0, as [`draw`] chooses them.
pub(crate) fn layers(graph: &LayeredGraph) -> Vec<u32> {
    let count = graph.sizes.len();
    let down = layers::turned_down(count, &graph.edges);
    layers::layers(count, &down, graph.first, graph.last)
}

/// The height of every layer.
fn heights(graph: &LayeredGraph, layers: &[Vec<u32>]) -> Vec<f64> {
    let height = |&slot: &u32| graph.sizes.get(slot as usize).map_or(0.0, |size| size.1);
    layers.iter().map(|layer| layer.iter().map(height).fold(0.0, f64::max)).collect()
}

/// An edge as it goes down, and whether it was turned round for that.
#[derive(Debug, Clone, Copy)]
struct Down {
    from: u32,
    to: u32,
    is_turned: bool,
}

fn cut(graph: &LayeredGraph, down: &[Option<Down>], layer_of: &[u32]) -> Cut {
    let slot = |&(width, _): &(f64, f64)| Slot { width, is_bend: false };
    let mut cut = Cut {
        slots: graph.sizes.iter().map(slot).collect(),
        layer_of: layer_of.to_vec(),
        ..Cut::default()
    };
    let length = |edge: &Down| layer_of[edge.to as usize] - layer_of[edge.from as usize];
    let bends: usize = down.iter().flatten().map(|edge| length(edge) as usize - 1).sum();
    cut.is_whole = bends <= MOST_BENDS;
    for edge in down {
        let mut chain = vec![];
        if let Some(edge) = edge {
            chain.push(edge.from);
            let (first, last) = (layer_of[edge.from as usize], layer_of[edge.to as usize]);
            if cut.is_whole {
                for layer in first + 1..last {
                    chain.push(cut.slots.len() as u32);
                    cut.slots.push(Slot { width: 0.0, is_bend: true });
                    cut.layer_of.push(layer);
                }
            }
            chain.push(edge.to);
        }
        cut.chains.push(chain);
    }
    cut.above = vec![vec![]; cut.slots.len()];
    cut.below = vec![vec![]; cut.slots.len()];
    for chain in &cut.chains {
        for pair in chain.windows(2) {
            let [upper, lower] = [pair[0], pair[1]];
            if cut.layer_of[upper as usize] + 1 == cut.layer_of[lower as usize] {
                cut.below[upper as usize].push(lower);
                cut.above[lower as usize].push(upper);
            }
        }
    }
    cut
}
