//! Boxes and edges at their places, once layers, order and columns are known.

use std::collections::BTreeMap;

use super::columns::{SHORE, bank, gutter, lane};
use super::cut::{Cut, Down};
use super::graph::{LayeredDrawing, LayeredGraph, Spacing};
use super::ports;

/// Where everything is.
pub(super) struct Placed<'g> {
    graph: &'g LayeredGraph,
    cut: &'g Cut,
    heights: &'g [f64],
    /// Upper sides of layers.
    tops: Vec<f64>,
    /// Middles of slots.
    x: Vec<f64>,
    size: (f64, f64),
    /// By layer, the column that it is in.
    column_of: Vec<usize>,
    /// From each column to the next.
    bridges: Vec<Bridge>,
}

/// Lanes from the foot of a column to the head of the next.
#[derive(Debug, Default)]
struct Bridge {
    /// The leftmost way up.
    left: f64,
    /// The highest way across below the foot.
    foot: f64,
    /// By edge, its lane.
    lanes: BTreeMap<usize, usize>,
}

impl<'g> Placed<'g> {
    /// Puts the columns that begin with `starts` side by side.
    pub(super) fn new(
        graph: &'g LayeredGraph,
        cut: &'g Cut,
        layers: &[Vec<u32>],
        heights: &'g [f64],
        mut x: Vec<f64>,
        starts: &[usize],
        spacing: Spacing,
    ) -> Placed<'g> {
        let mut column_of = vec![0; layers.len()];
        for &start in &starts[1..] {
            column_of[start..].iter_mut().for_each(|column| *column += 1);
        }
        let mut bridges: Vec<Bridge> = starts[1..].iter().map(|_| Bridge::default()).collect();
        for (edge, chain) in cut.chains.iter().enumerate() {
            for column in bridges_of(cut, &column_of, chain).map(|(column, _)| column) {
                bridges[column].lanes.insert(edge, 0);
            }
        }
        let mut tops = vec![];
        let (mut left, mut lowest) = (0.0, 0.0f64);
        for (column, &start) in starts.iter().enumerate() {
            let end = starts.get(column + 1).copied().unwrap_or(layers.len());
            let slots = || layers[start..end].iter().flatten().map(|&slot| slot as usize);
            let half = |slot: usize| cut.slots[slot].width / 2.0;
            let first = slots().map(|slot| x[slot] - half(slot)).fold(f64::INFINITY, f64::min);
            let last = slots().map(|slot| x[slot] + half(slot)).fold(f64::NEG_INFINITY, f64::max);
            let mut bottom = match column.checked_sub(1) {
                Some(before) => bank(bridges[before].lanes.len()),
                None => 0.0,
            };
            for height in &heights[start..end] {
                tops.push(bottom);
                bottom += height + spacing.along;
            }
            bottom -= spacing.along;
            slots().for_each(|slot| x[slot] += left - first);
            left += last - first;
            if let Some(bridge) = bridges.get_mut(column) {
                bridge.left = left + spacing.across;
                bridge.foot = bottom + SHORE;
                bottom += bank(bridge.lanes.len());
                left += gutter(bridge.lanes.len(), spacing);
            }
            lowest = lowest.max(bottom);
        }
        // What is below all stands below all columns.
        if let (Some(_), Some(top)) = (graph.last, tops.last_mut()) {
            *top = lowest - heights[heights.len() - 1];
        }
        let size = (left, lowest.max(0.0));
        Placed { graph, cut, heights, tops, x, size, column_of, bridges }
    }

    pub(super) fn drawing(mut self, down: &[Option<Down>]) -> LayeredDrawing {
        let ends = self.edge_ends();
        self.choose_lanes(&ends);
        let count = self.graph.sizes.len() as u32;
        let routes = (0..self.graph.edges.len()).map(|edge| {
            let mut points = self.route(edge, ends[edge]);
            if down[edge].is_some_and(|edge| edge.is_turned) {
                points.reverse();
            }
            points
        });
        LayeredDrawing {
            routes: routes.collect(),
            nodes: (0..count).map(|node| (self.left(node), self.top(node))).collect(),
            size: self.size,
        }
    }

    fn height(&self, node: u32) -> f64 {
        self.graph.sizes.get(node as usize).map_or(0.0, |size| size.1)
    }

    fn left(&self, node: u32) -> f64 {
        self.x[node as usize] - self.cut.slots[node as usize].width / 2.0
    }

    fn top(&self, node: u32) -> f64 {
        let layer = self.cut.layer_of[node as usize] as usize;
        self.tops[layer] + (self.heights[layer] - self.height(node)) / 2.0
    }

    /// The left end and the width of a node's sides.
    fn side(&self, node: u32) -> (f64, f64) {
        if [self.graph.first, self.graph.last].contains(&Some(node)) {
            (0.0, self.size.0)
        } else {
            (self.left(node), self.graph.sizes[node as usize].0)
        }
    }

    /// By edge, where across it leaves its upper node and where it reaches its lower one.
    fn edge_ends(&self) -> Vec<[f64; 2]> {
        let chains = &self.cut.chains;
        let mut leaving = vec![vec![]; self.graph.sizes.len()];
        let mut reaching = vec![vec![]; self.graph.sizes.len()];
        for (edge, chain) in chains.iter().enumerate() {
            if let [first, .., last] = chain[..] {
                leaving[first as usize].push(edge);
                reaching[last as usize].push(edge);
            }
        }
        let mut ends = vec![[0.0; 2]; chains.len()];
        let middle = |slot: u32| self.x[slot as usize];
        for (node, edges) in leaving.iter().enumerate() {
            let wanted: Vec<f64> = edges.iter().map(|&edge| middle(chains[edge][1])).collect();
            let (left, width) = self.side(node as u32);
            let places = ports::places(left, width, &wanted);
            for (&edge, place) in edges.iter().zip(places) {
                ends[edge][0] = place;
            }
        }
        for (node, edges) in reaching.iter().enumerate() {
            let before = |edge: usize| match chains[edge][..] {
                [_, _] => ends[edge][0],
                [.., before, _] => middle(before),
                _ => 0.0,
            };
            let wanted: Vec<f64> = edges.iter().map(|&edge| before(edge)).collect();
            let (left, width) = self.side(node as u32);
            let places = ports::places(left, width, &wanted);
            for (&edge, place) in edges.iter().zip(places) {
                ends[edge][1] = place;
            }
        }
        ends
    }

    /// Where across a slot of a chain its edge is.
    fn across(&self, chain: &[u32], at: usize, [upper, lower]: [f64; 2]) -> f64 {
        match at {
            0 => upper,
            at if at + 1 == chain.len() => lower,
            at => self.x[chain[at] as usize],
        }
    }

    /// The edge that comes from furthest right turns first, so that lanes do not cross.
    fn choose_lanes(&mut self, ends: &[[f64; 2]]) {
        let mut bridges = std::mem::take(&mut self.bridges);
        let mut all = vec![vec![]; bridges.len()];
        for (edge, chain) in self.cut.chains.iter().enumerate() {
            for (column, at) in bridges_of(self.cut, &self.column_of, chain) {
                let across = |at| self.across(chain, at, ends[edge]);
                all[column].push((across(at), across(at + 1), edge));
            }
        }
        for (bridge, mut edges) in bridges.iter_mut().zip(all) {
            edges.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
            let lanes = edges.into_iter().enumerate();
            bridge.lanes = lanes.map(|(lane, (.., edge))| (edge, lane)).collect();
        }
        self.bridges = bridges;
    }

    /// The points of an edge on its way down.
    fn route(&self, edge: usize, ends: [f64; 2]) -> Vec<(f64, f64)> {
        let chain = &self.cut.chains[edge];
        let mut points: Vec<(f64, f64)> = vec![];
        let mut add = |x: f64, y: f64| {
            if points.last() != Some(&(x, y)) {
                points.push((x, y));
            }
        };
        for (at, &slot) in chain.iter().enumerate() {
            let layer = self.cut.layer_of[slot as usize] as usize;
            let (above, below) = (self.tops[layer], self.tops[layer] + self.heights[layer]);
            let x = self.across(chain, at, ends);
            if at == 0 {
                add(x, self.top(slot) + self.height(slot));
                add(x, below);
            } else if at + 1 == chain.len() {
                add(x, above);
                add(x, self.top(slot));
            } else {
                add(x, above);
                add(x, below);
            }
            let Some(&next) = chain.get(at + 1) else { break };
            let column = self.column_of[layer];
            if column == self.column_of[self.cut.layer_of[next as usize] as usize] {
                continue;
            }
            let bridge = &self.bridges[column];
            let each = lane(bridge.lanes.len());
            let lane = bridge.lanes.get(&edge).map_or(0.0, |&lane| lane as f64 * each);
            add(x, bridge.foot + lane);
            add(bridge.left + lane, bridge.foot + lane);
            add(bridge.left + lane, SHORE + lane);
            add(self.across(chain, at + 1, ends), SHORE + lane);
        }
        points
    }
}

/// The columns that a chain leaves for the next, each with the place of its last slot there.
fn bridges_of(
    cut: &Cut,
    column_of: &[usize],
    chain: &[u32],
) -> impl Iterator<Item = (usize, usize)> {
    let column = |slot: u32| column_of[cut.layer_of[slot as usize] as usize];
    let pairs = chain.windows(2).enumerate();
    let columns = pairs.map(move |(at, pair)| (column(pair[0]), column(pair[1]), at));
    columns.filter(|(upper, lower, _)| upper != lower).map(|(column, _, at)| (column, at))
}
