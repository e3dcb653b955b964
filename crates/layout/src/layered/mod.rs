//! Drawings of directed graphs from top to bottom.
//!
//! In the steps of Sugiyama, Tagawa and Toda (1981): edges that close a cycle are turned round
//! (`layers`), nodes get layers so that edges go down (`layers`), long edges are cut at every layer
//! they cross and each layer is ordered so that few edges cross (`order`), and nodes are placed
//! under what they are joined to (`place`). Everything is told in one unit, whichever the sizes are
//! in; the same graph always gives the same drawing.

mod layers;
mod order;
mod place;
mod ports;
mod simplex;

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
    /// layers, where no box is.
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
#[derive(Debug, Default)]
struct Cut {
    slots: Vec<Slot>,
    layer_of: Vec<u32>,
    /// Slots above and below each, with repetition.
    above: Vec<Vec<u32>>,
    below: Vec<Vec<u32>>,
    /// The slots of each edge of the graph, from its upper end to its lower one.
    chains: Vec<Vec<u32>>,
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
    let x = place::places(&cut, &layers, spacing.across);
    drawing(graph, &down, &cut, &layers, &x, spacing)
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
    for edge in down {
        let mut chain = vec![];
        if let Some(edge) = edge {
            chain.push(edge.from);
            let (first, last) = (layer_of[edge.from as usize], layer_of[edge.to as usize]);
            if bends <= MOST_BENDS {
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

fn drawing(
    graph: &LayeredGraph,
    down: &[Option<Down>],
    cut: &Cut,
    layers: &[Vec<u32>],
    x: &[f64],
    spacing: Spacing,
) -> LayeredDrawing {
    let height_of = |slot: u32| graph.sizes.get(slot as usize).map_or(0.0, |size| size.1);
    let mut tops = vec![];
    let mut heights = vec![];
    let mut bottom = 0.0;
    for layer in layers {
        let height = layer.iter().map(|&slot| height_of(slot)).fold(0.0, f64::max);
        tops.push(bottom);
        heights.push(height);
        bottom += height + spacing.along;
    }
    let left = |slot: u32| x[slot as usize] - cut.slots[slot as usize].width / 2.0;
    let right = |slot: u32| x[slot as usize] + cut.slots[slot as usize].width / 2.0;
    let all = || layers.iter().flatten().copied();
    let start = all().map(left).fold(f64::INFINITY, f64::min);
    let end = all().map(right).fold(f64::NEG_INFINITY, f64::max);
    let node_left = |node: u32| left(node) - start;
    let top = |node: u32| {
        let layer = cut.layer_of[node as usize] as usize;
        tops[layer] + (heights[layer] - height_of(node)) / 2.0
    };
    let side = |node: u32| {
        if [graph.first, graph.last].contains(&Some(node)) {
            (0.0, end - start)
        } else {
            (node_left(node), graph.sizes[node as usize].0)
        }
    };
    let ends = edge_ends(graph, cut, x, start, side);
    let route = |number: usize| {
        let (chain, [upper, lower]) = (&cut.chains[number], ends[number]);
        let mut points: Vec<(f64, f64)> = vec![];
        let mut add = |x: f64, y: f64| {
            if points.last() != Some(&(x, y)) {
                points.push((x, y));
            }
        };
        for (at, &slot) in chain.iter().enumerate() {
            let layer = cut.layer_of[slot as usize] as usize;
            let (above, below) = (tops[layer], tops[layer] + heights[layer]);
            if at == 0 {
                add(upper, top(slot) + height_of(slot));
                add(upper, below);
            } else if at + 1 == chain.len() {
                add(lower, above);
                add(lower, top(slot));
            } else {
                add(x[slot as usize] - start, above);
                add(x[slot as usize] - start, below);
            }
        }
        if down[number].is_some_and(|edge| edge.is_turned) {
            points.reverse();
        }
        points
    };
    LayeredDrawing {
        nodes: (0..graph.sizes.len() as u32).map(|node| (node_left(node), top(node))).collect(),
        routes: (0..graph.edges.len()).map(route).collect(),
        size: (end - start, (bottom - spacing.along).max(0.0)),
    }
}

/// By edge, where across it leaves its upper node and where it reaches its lower one. `side` tells
/// the left end and the width of a node's sides.
fn edge_ends(
    graph: &LayeredGraph,
    cut: &Cut,
    x: &[f64],
    start: f64,
    side: impl Fn(u32) -> (f64, f64),
) -> Vec<[f64; 2]> {
    let mut leaving = vec![vec![]; graph.sizes.len()];
    let mut reaching = vec![vec![]; graph.sizes.len()];
    for (edge, chain) in cut.chains.iter().enumerate() {
        if let [first, .., last] = chain[..] {
            leaving[first as usize].push(edge);
            reaching[last as usize].push(edge);
        }
    }
    let mut ends = vec![[0.0; 2]; cut.chains.len()];
    let middle = |slot: u32| x[slot as usize] - start;
    for (node, edges) in leaving.iter().enumerate() {
        let wanted: Vec<f64> = edges.iter().map(|&edge| middle(cut.chains[edge][1])).collect();
        let (left, width) = side(node as u32);
        let places = ports::places(left, width, &wanted);
        for (&edge, place) in edges.iter().zip(places) {
            ends[edge][0] = place;
        }
    }
    for (node, edges) in reaching.iter().enumerate() {
        let before = |edge: usize| match cut.chains[edge][..] {
            [_, _] => ends[edge][0],
            [.., before, _] => middle(before),
            _ => 0.0,
        };
        let wanted: Vec<f64> = edges.iter().map(|&edge| before(edge)).collect();
        let (left, width) = side(node as u32);
        let places = ports::places(left, width, &wanted);
        for (&edge, place) in edges.iter().zip(places) {
            ends[edge][1] = place;
        }
    }
    ends
}
