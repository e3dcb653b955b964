//! How long it takes to draw a graph as large as a state with 1,500 maps:
//! `cargo bench -p layout --bench layered`. Prints the median of five, in milliseconds.

#![allow(clippy::print_stdout, reason = "a bench prints")]

use std::time::Instant;

use layout::{LayeredGraph, Spacing, draw_layered};

/// Maps of the state.
const MAPS: u32 = 1500;
/// Maps that one reads the results of are among so many before it.
const NEAR: u32 = 40;

/// Each map is a chain: container, entry, tasklet, exit, container; it also reads what one or two
/// earlier maps wrote.
fn graph() -> LayeredGraph {
    let mut random = 7u32;
    let mut next = |below: u32| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 8) % below
    };
    let (mut sizes, mut edges) = (vec![(60.0, 20.0)], vec![]);
    for map in 0..MAPS {
        let first = sizes.len() as u32;
        sizes.extend([(120.0, 20.0), (80.0, 20.0), (120.0, 20.0), (60.0, 20.0)]);
        edges.extend([(first, first + 1), (first + 1, first + 2), (first + 2, first + 3)]);
        for _ in 0..1 + next(4) {
            let back = next(NEAR.min(map + 1));
            edges.push((4 * (map - back), first));
        }
    }
    LayeredGraph { sizes, edges, ..LayeredGraph::default() }
}

fn main() {
    let graph = graph();
    let mut times = vec![];
    for _ in 0..5 {
        let started = Instant::now();
        let drawing = draw_layered(&graph, Spacing { across: 50.0, along: 30.0 });
        times.push(started.elapsed().as_secs_f64() * 1e3);
        assert!(drawing.size.0 > 0.0);
    }
    times.sort_by(f64::total_cmp);
    let (nodes, edges) = (graph.sizes.len(), graph.edges.len());
    println!("{nodes} nodes, {edges} edges: {:.0} ms", times[2]);
}
