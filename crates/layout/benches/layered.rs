//! How long it takes to draw a graph as large as a state with 1,500 maps:
//! `cargo bench -p layout --bench layered`. Prints the median of five, in milliseconds, and the time
//! that each of some shapes of 10,000 nodes takes.

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

/// Shapes of so many nodes that are hard to place, by name.
fn hostile() -> Vec<(&'static str, LayeredGraph)> {
    const NODES: u32 = 10_000;
    let mut random = 11u32;
    let mut next = |below: u32| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 8) % below
    };
    let all = 1..NODES;
    let chain = || all.clone().map(|node| (node - 1, node));
    let shapes: Vec<(&'static str, Vec<(u32, u32)>)> = vec![
        ("chain", chain().collect()),
        ("star", all.clone().map(|node| (0, node)).collect()),
        ("tree", all.clone().map(|node| (node / 2, node)).filter(|(a, b)| a != b).collect()),
        ("tree upside down", all.clone().map(|node| (node, node / 2)).collect()),
        ("random", all.clone().flat_map(|node| [(next(node), node), (next(node), node)]).collect()),
        (
            "near",
            all.clone()
                .flat_map(|node| [1, 7, 31].map(|by| (node.saturating_sub(by), node)))
                .collect(),
        ),
        (
            "ladders",
            all.clone()
                .filter(|&node| node >= 100)
                .flat_map(|node| [(node - 100, node), (node - 100, node - node % 100)])
                .filter(|(a, b)| a < b)
                .collect(),
        ),
        ("chain with far ends", chain().chain((0..200).map(|at| (at, NODES - 1 - at))).collect()),
        ("two sides", (0..NODES).map(|at| (at % 100, 100 + at * 37 % (NODES - 100))).collect()),
        (
            "grid",
            all.clone()
                .flat_map(|node| [(node.saturating_sub(100), node), (node - 1, node)])
                .filter(|(a, b)| a < b)
                .collect(),
        ),
    ];
    let graph = |edges: Vec<(u32, u32)>| LayeredGraph {
        sizes: vec![(60.0, 20.0); NODES as usize],
        edges,
        ..LayeredGraph::default()
    };
    shapes.into_iter().map(|(name, edges)| (name, graph(edges))).collect()
}

fn main() {
    for aspect in [None, Some(1.5)] {
        let graph = LayeredGraph { aspect, ..graph() };
        let mut times = vec![];
        let mut size = (0.0, 0.0);
        for _ in 0..5 {
            let started = Instant::now();
            size = draw_layered(&graph, Spacing { across: 50.0, along: 30.0 }).size;
            times.push(started.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        let (nodes, edges) = (graph.sizes.len(), graph.edges.len());
        let (width, height) = size;
        println!("{nodes} nodes, {edges} edges, {width:.0} by {height:.0}: {:.0} ms", times[2]);
    }
    for (name, graph) in hostile() {
        let graph = LayeredGraph { aspect: Some(1.5), ..graph };
        let started = Instant::now();
        let drawing = draw_layered(&graph, Spacing { across: 50.0, along: 30.0 });
        let took = started.elapsed().as_secs_f64() * 1e3;
        println!("{name}, {} edges: {took:.0} ms, {:.0} high", graph.edges.len(), drawing.size.1);
    }
}
