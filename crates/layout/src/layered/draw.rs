//! The steps of a drawing, one after the other.

use super::columns::Strip;
use super::cut::{Cut, cut};
use super::graph::{LayeredDrawing, LayeredGraph, Spacing};
use super::routes::Placed;
use super::{order, place};

/// Draws a graph.
pub fn draw(graph: &LayeredGraph, spacing: Spacing) -> LayeredDrawing {
    let count = graph.sizes.len();
    if count == 0 {
        return LayeredDrawing::default();
    }
    let down = super::layers::turned_down(count, &graph.edges);
    let layer_of = super::layers::layers(count, &down, graph.first, graph.last);
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
    let down = super::layers::turned_down(count, &graph.edges);
    super::layers::layers(count, &down, graph.first, graph.last)
}

/// The height of every layer.
fn heights(graph: &LayeredGraph, layers: &[Vec<u32>]) -> Vec<f64> {
    let height = |&slot: &u32| graph.sizes.get(slot as usize).map_or(0.0, |size| size.1);
    layers.iter().map(|layer| layer.iter().map(height).fold(0.0, f64::max)).collect()
}
