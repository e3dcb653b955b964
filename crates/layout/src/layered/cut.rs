//! The graph with its long edges cut.

use super::graph::LayeredGraph;

/// A node of a layer: one of the graph's, or where a long edge crosses the layer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) width: f64,
    /// Whether it is a piece of an edge.
    pub(super) is_bend: bool,
}

/// The graph with its long edges cut: every edge joins neighbouring layers.
#[derive(Debug, Clone, Default)]
pub(super) struct Cut {
    pub(super) slots: Vec<Slot>,
    pub(super) layer_of: Vec<u32>,
    /// Slots above and below each, with repetition.
    pub(super) above: Vec<Vec<u32>>,
    pub(super) below: Vec<Vec<u32>>,
    /// The slots of each edge of the graph, from its upper end to its lower one.
    pub(super) chains: Vec<Vec<u32>>,
    /// Whether long edges are cut: there are not too many bends.
    pub(super) is_whole: bool,
}

impl Cut {
    /// The least distance of the middles of two neighbours in a layer.
    pub(super) fn distance(&self, left: u32, right: u32, gap: f64) -> f64 {
        let [left, right] = [left, right].map(|slot| self.slots[slot as usize]);
        // Lines need less room than boxes.
        let gap = if left.is_bend || right.is_bend { gap / 2.0 } else { gap };
        f64::midpoint(left.width, right.width) + gap
    }

    /// Forgets what joins the layers that `starts` name to those above them.
    pub(super) fn part(&mut self, layers: &[Vec<u32>], starts: &[usize]) {
        for &start in starts.iter().skip(1) {
            layers[start].iter().for_each(|&slot| self.above[slot as usize].clear());
            layers[start - 1].iter().for_each(|&slot| self.below[slot as usize].clear());
        }
    }
}

/// Bends of all edges together; beyond them long edges are drawn straight.
const MOST_BENDS: usize = 200_000;

/// An edge as it goes down, and whether it was turned round for that.
#[derive(Debug, Clone, Copy)]
pub(super) struct Down {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) is_turned: bool,
}

pub(super) fn cut(graph: &LayeredGraph, down: &[Option<Down>], layer_of: &[u32]) -> Cut {
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
