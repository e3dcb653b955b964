//! What must hold of every drawing of a graph.

use layout::{LayeredDrawing, LayeredGraph, Spacing, draw_layered};
use proptest::prelude::*;

const SPACING: Spacing = Spacing { across: 10.0, along: 20.0 };
const ALMOST: f64 = 1e-6;

fn graphs() -> impl Strategy<Value = LayeredGraph> {
    (1usize..40).prop_flat_map(|count| {
        let sizes = prop::collection::vec((0.0..80.0f64, 0.0..200.0f64), count);
        let node = 0..count as u32;
        let edges = prop::collection::vec((node.clone(), node), 0..80);
        let aspects = prop_oneof![Just(None), Just(Some(1.5)), Just(Some(20.0))];
        (sizes, edges, aspects).prop_map(|(sizes, edges, aspect)| LayeredGraph {
            sizes,
            edges,
            aspect,
            ..LayeredGraph::default()
        })
    })
}

/// Left, top, right, bottom.
fn boxes(graph: &LayeredGraph, drawing: &LayeredDrawing) -> Vec<[f64; 4]> {
    let corners = drawing.nodes.iter().zip(&graph.sizes);
    corners.map(|(&(x, y), &(width, height))| [x, y, x + width, y + height]).collect()
}

fn about(a: f64, b: f64) -> bool {
    (a - b).abs() < ALMOST
}

proptest! {
    #[test]
    fn boxes_are_apart_and_inside(graph in graphs()) {
        let drawing = draw_layered(&graph, SPACING);
        let boxes = boxes(&graph, &drawing);
        let before = |end: f64, gap: f64, start: f64| end + gap <= start + ALMOST;
        for (at, a) in boxes.iter().enumerate() {
            prop_assert!(a[0] >= -ALMOST && a[1] >= -ALMOST, "{a:?}");
            let [width, height] = [drawing.size.0, drawing.size.1];
            prop_assert!(a[2] <= width + ALMOST && a[3] <= height + ALMOST, "{a:?}");
            for b in &boxes[..at] {
                let (across, along) = (SPACING.across, SPACING.along);
                let is_beside = before(a[2], across, b[0]) || before(b[2], across, a[0]);
                let is_above = before(a[3], along, b[1]) || before(b[3], along, a[1]);
                prop_assert!(is_beside || is_above, "{a:?} and {b:?}");
            }
        }
    }

    /// Edges begin and end on the sides of their boxes, and are in no other box: where they go across
    /// there is none.
    #[test]
    fn routes_join_their_boxes(graph in graphs()) {
        let drawing = draw_layered(&graph, SPACING);
        let boxes = boxes(&graph, &drawing);
        for (&(from, to), route) in graph.edges.iter().zip(&drawing.routes) {
            if from == to {
                prop_assert!(route.is_empty());
                continue;
            }
            let [first, last] = [route[0], route[route.len() - 1]];
            let goes_down = route[0].1 <= route[1].1;
            for (node, end, is_upper) in [(from, first, goes_down), (to, last, !goes_down)] {
                let [left, top, right, bottom] = boxes[node as usize];
                prop_assert!(end.0 >= left - ALMOST && end.0 <= right + ALMOST, "{end:?}");
                prop_assert!(about(end.1, if is_upper { bottom } else { top }), "{end:?}");
            }
            for pair in route.windows(2) {
                let [a, b] = [pair[0], pair[1]];
                let across = (a.0.min(b.0), a.0.max(b.0));
                let down = (a.1.min(b.1), a.1.max(b.1));
                for (number, [left, top, right, bottom]) in boxes.iter().enumerate() {
                    let is_across = across.1 > left + ALMOST && across.0 < right - ALMOST;
                    let is_down = down.1 > top + ALMOST && down.0 < bottom - ALMOST;
                    let is_own = [from, to].contains(&(number as u32));
                    prop_assert!(is_own || !(is_across && is_down), "{from} to {to} in {number}");
                }
            }
        }
    }

    /// Without cycles every edge goes down; the same graph has the same drawing.
    #[test]
    fn edges_go_down(graph in graphs()) {
        let edges = graph.edges.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
        let graph = LayeredGraph { edges, aspect: None, ..graph };
        let drawing = draw_layered(&graph, SPACING);
        for (&(from, to), route) in graph.edges.iter().zip(&drawing.routes) {
            if from != to {
                let [above, below] = [from, to].map(|node| drawing.nodes[node as usize].1);
                prop_assert!(above < below);
                prop_assert!(route.windows(2).all(|pair| pair[0].1 < pair[1].1), "{route:?}");
            }
        }
        prop_assert_eq!(draw_layered(&graph, SPACING), drawing);
    }
}

fn graph(count: usize, edges: &[(u32, u32)]) -> LayeredGraph {
    LayeredGraph {
        sizes: vec![(20.0, 10.0); count],
        edges: edges.to_vec(),
        ..LayeredGraph::default()
    }
}

#[test]
fn a_chain_is_straight() {
    let drawing = draw_layered(&graph(4, &[(0, 1), (1, 2), (2, 3)]), SPACING);
    assert!(drawing.nodes.iter().all(|&(x, _)| about(x, 0.0)), "{:?}", drawing.nodes);
    assert_eq!(drawing.size, (20.0, 4.0 * 10.0 + 3.0 * 20.0));
}

#[test]
fn a_long_chain_is_cut_into_columns() {
    let edges: Vec<(u32, u32)> = (1..200).map(|node| (node - 1, node)).collect();
    let long = LayeredGraph { aspect: Some(1.5), ..graph(200, &edges) };
    let drawing = draw_layered(&long, SPACING);
    let (width, height) = drawing.size;
    assert!((1.0..2.2).contains(&(width / height)), "{width} by {height}");
    assert!(drawing.routes.iter().any(|route| route.len() == 6), "a way between columns");
    // One that is not much taller than its place is left as it is.
    for aspect in [None, Some(0.004)] {
        let drawing = draw_layered(&LayeredGraph { aspect, ..long.clone() }, SPACING);
        assert_eq!(drawing.size.0, 20.0);
    }
    let short = LayeredGraph { aspect: Some(1.5), ..graph(20, &edges[..19]) };
    assert_eq!(draw_layered(&short, SPACING).size.0, 20.0);
}

/// Long edges that start in one place are as short as they can be.
#[test]
fn what_is_used_late_stands_late() {
    let mut edges: Vec<(u32, u32)> = (1..10).map(|node| (node - 1, node)).collect();
    edges.push((10, 9));
    let drawing = draw_layered(&graph(11, &edges), SPACING);
    assert_eq!(drawing.nodes[10].1, drawing.nodes[8].1);
}

#[test]
fn crossings_that_can_be_avoided_are() {
    // Three pairs, told in an order that crosses.
    let drawing = draw_layered(&graph(6, &[(0, 5), (1, 4), (2, 3)]), SPACING);
    let x = |node: usize| drawing.nodes[node].0;
    for (a, b) in [((0, 5), (1, 4)), ((1, 4), (2, 3)), ((0, 5), (2, 3))] {
        assert_eq!(x(a.0) < x(b.0), x(a.1) < x(b.1), "{:?}", drawing.nodes);
    }
}

#[test]
fn a_loop_has_one_edge_up() {
    let drawing = draw_layered(&graph(3, &[(0, 1), (1, 2), (2, 0), (1, 1)]), SPACING);
    let goes_up =
        |route: &&Vec<(f64, f64)>| !route.is_empty() && route[0].1 > route[route.len() - 1].1;
    assert_eq!(drawing.routes.iter().filter(goes_up).count(), 1);
    assert!(drawing.routes[3].is_empty());
    assert_eq!(draw_layered(&graph(0, &[]), SPACING), LayeredDrawing::default());
}
