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

/// A graph to draw.
#[derive(Debug, Clone, Default)]
pub struct LayeredGraph {
    /// Width and height of every node; neither is negative.
    pub sizes: Vec<(f64, f64)>,
    /// From and to, as places in `sizes`. Several edges may join the same nodes; one that joins a
    /// node with itself has no route.
    pub edges: Vec<(u32, u32)>,
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
    /// round where an edge goes up.
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
    let layer_of = layers::layers(count, &down);
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
    let mut top = 0.0;
    for layer in layers {
        let height = layer.iter().map(|&slot| height_of(slot)).fold(0.0, f64::max);
        tops.push(top);
        heights.push(height);
        top += height + spacing.along;
    }
    let left = |slot: u32| x[slot as usize] - cut.slots[slot as usize].width / 2.0;
    let right = |slot: u32| x[slot as usize] + cut.slots[slot as usize].width / 2.0;
    let all = || layers.iter().flatten().copied();
    let start = all().map(left).fold(f64::INFINITY, f64::min);
    let end = all().map(right).fold(f64::NEG_INFINITY, f64::max);
    let centre = |slot: u32| {
        let layer = cut.layer_of[slot as usize] as usize;
        (x[slot as usize] - start, tops[layer] + heights[layer] / 2.0)
    };
    let route = |(edge, chain): (&Option<Down>, &Vec<u32>)| {
        let mut points: Vec<(f64, f64)> = chain.iter().map(|&slot| centre(slot)).collect();
        if let (Some(first), Some(last)) = (chain.first(), chain.last()) {
            points[0].1 += height_of(*first) / 2.0;
            let end = points.len() - 1;
            points[end].1 -= height_of(*last) / 2.0;
        }
        if edge.is_some_and(|edge| edge.is_turned) {
            points.reverse();
        }
        points
    };
    LayeredDrawing {
        nodes: (0..graph.sizes.len() as u32)
            .map(|node| (left(node) - start, centre(node).1 - height_of(node) / 2.0))
            .collect(),
        routes: down.iter().zip(&cut.chains).map(route).collect(),
        size: (end - start, (top - spacing.along).max(0.0)),
    }
}
