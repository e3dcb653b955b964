//! What must hold of every drawing of boxes in boxes.

use layout::{Inside, NestedBox, NestedDrawing, NestedGraph, Spacing, draw_nested};
use proptest::prelude::*;

const SPACING: Spacing = Spacing { across: 10.0, along: 20.0 };
const ALMOST: f64 = 1e-6;

/// Places that nothing, little or much is too tall for.
fn aspects() -> impl Strategy<Value = Option<f64>> {
    prop_oneof![Just(None), Just(Some(1.5)), Just(Some(20.0))]
}

/// Trees in preorder: each box is in one of the boxes around the last.
fn graphs() -> impl Strategy<Value = NestedGraph> {
    let one = (0usize..4, 0.0..80.0f64, 0.0..200.0f64, any::<bool>());
    let boxes = prop::collection::vec(one, 0..40);
    let edges = prop::collection::vec((0u32..41, 0u32..41), 0..80);
    (boxes, edges, aspects()).prop_map(|(wanted, edges, aspect)| {
        let inside = Inside { header: 12.0, padding: 5.0, footer: None };
        let root = NestedBox { parent: 0, size: (0.0, 0.0), inside: Some(inside) };
        let mut boxes = vec![root];
        let mut around = vec![0u32];
        for (up, width, height, has_footer) in wanted {
            around.truncate((around.len() - up.min(around.len() - 1)).max(1));
            let place = boxes.len() as u32;
            let parent = around[around.len() - 1];
            let size = (width, height);
            if has_footer && parent != 0 {
                let frame = &mut boxes[parent as usize].inside;
                let frame = frame.as_mut().expect("what holds boxes is open");
                frame.footer.get_or_insert(place);
                boxes.push(NestedBox { parent, size, inside: None });
            } else {
                boxes.push(NestedBox { parent, size, inside: Some(inside) });
                around.push(place);
            }
        }
        let count = boxes.len() as u32;
        let edges = edges.into_iter().map(|(a, b)| (a % count, b % count)).collect();
        NestedGraph { boxes, edges, aspect }
    })
}

/// Left, top, right, bottom.
fn boxes(drawing: &NestedDrawing) -> Vec<[f64; 4]> {
    let both = drawing.corners.iter().zip(&drawing.sizes);
    both.map(|(&(x, y), &(width, height))| [x, y, x + width, y + height]).collect()
}

fn is_within(inner: [f64; 4], outer: [f64; 4]) -> bool {
    inner[0] >= outer[0] - ALMOST
        && inner[1] >= outer[1] - ALMOST
        && inner[2] <= outer[2] + ALMOST
        && inner[3] <= outer[3] + ALMOST
}

fn overlap(a: [f64; 4], b: [f64; 4]) -> bool {
    a[0] < b[2] - ALMOST && b[0] < a[2] - ALMOST && a[1] < b[3] - ALMOST && b[1] < a[3] - ALMOST
}

proptest! {
    #[test]
    fn boxes_are_in_their_boxes_and_apart_from_others(graph in graphs()) {
        let drawing = draw_nested(&graph, SPACING);
        let boxes = boxes(&drawing);
        for (place, one) in graph.boxes.iter().enumerate().skip(1) {
            let around = boxes[one.parent as usize];
            prop_assert!(is_within(boxes[place], around), "{place} is not in {}", one.parent);
            for (other, beside) in graph.boxes.iter().enumerate().take(place).skip(1) {
                if beside.parent == one.parent {
                    prop_assert!(!overlap(boxes[place], boxes[other]), "{place} and {other}");
                }
            }
        }
    }

    /// Edges stay in the box that both ends are in, and touch no other box on their way.
    #[test]
    fn routes_touch_what_they_join(graph in graphs()) {
        let drawing = draw_nested(&graph, SPACING);
        let boxes = boxes(&drawing);
        let is_around = |outer: u32, mut inner: u32| loop {
            match inner {
                inner if inner == outer => return true,
                0 => return false,
                _ => inner = graph.boxes[inner as usize].parent,
            }
        };
        for (&(from, to), route) in graph.edges.iter().zip(&drawing.routes) {
            for pair in route.windows(2) {
                let [a, b] = [pair[0], pair[1]];
                let piece = [a.0.min(b.0), a.1.min(b.1), a.0.max(b.0), a.1.max(b.1)];
                for (place, &one) in boxes.iter().enumerate() {
                    let place = place as u32;
                    let is_joined = is_around(place, from) || is_around(place, to);
                    let touches = piece[2] > one[0] + ALMOST && piece[0] < one[2] - ALMOST
                        && piece[3] > one[1] + ALMOST && piece[1] < one[3] - ALMOST;
                    prop_assert!(is_joined || !touches, "{from} to {to} through {place}");
                }
            }
        }
    }

    /// What is folded elsewhere does not change the order of what is beside it in a layer.
    #[test]
    fn folding_keeps_the_order_of_neighbours(graph in graphs(), folded in 1usize..41) {
        // Columns may be cut elsewhere when boxes become larger.
        let graph = NestedGraph { aspect: None, ..graph };
        let folded = folded % graph.boxes.len();
        let drawing = draw_nested(&graph, SPACING);
        let mut other = graph.clone();
        for one in &mut other.boxes[folded.max(1)..=folded.max(1).min(graph.boxes.len() - 1)] {
            one.size = (300.0, 300.0);
        }
        let changed = draw_nested(&other, SPACING);
        let before: Vec<f64> = drawing.corners.iter().map(|corner| corner.0).collect();
        let after: Vec<f64> = changed.corners.iter().map(|corner| corner.0).collect();
        for a in 1..graph.boxes.len() {
            for b in 1..a {
                let is_beside = graph.boxes[a].parent == graph.boxes[b].parent;
                let same_layer = drawing.corners[a].1.max(drawing.corners[b].1)
                    < (drawing.corners[a].1 + drawing.sizes[a].1)
                        .min(drawing.corners[b].1 + drawing.sizes[b].1);
                if is_beside && same_layer && (before[a] - before[b]).abs() > 1.0 {
                    prop_assert_eq!(before[a] < before[b], after[a] < after[b], "{} and {}", a, b);
                }
            }
        }
    }
}

#[test]
fn edges_begin_below_headers_and_end_at_footers() {
    let inside = Inside { header: 10.0, padding: 5.0, footer: None };
    let open = |parent, footer| NestedBox {
        parent,
        size: (0.0, 0.0),
        inside: Some(Inside { footer, ..inside }),
    };
    let leaf = |parent| NestedBox { parent, size: (20.0, 10.0), inside: None };
    // A scope (1) with a tasklet (2) and an exit (3), between data before (4) and behind (5).
    let graph = NestedGraph {
        boxes: vec![open(0, None), open(0, Some(3)), leaf(1), leaf(1), leaf(0), leaf(0)],
        edges: vec![(4, 1), (1, 2), (2, 3), (3, 5)],
        aspect: None,
    };
    let drawing = draw_nested(&graph, SPACING);
    let bottom = |place: usize| drawing.corners[place].1 + drawing.sizes[place].1;
    let ends: Vec<[f64; 2]> =
        drawing.routes.iter().map(|route| [route[0].1, route[route.len() - 1].1]).collect();
    assert_eq!(ends[0], [bottom(4), drawing.corners[1].1]);
    assert_eq!(ends[1], [drawing.corners[1].1 + 10.0, drawing.corners[2].1]);
    assert_eq!(ends[2], [bottom(2), drawing.corners[3].1]);
    assert_eq!(ends[3], [bottom(1), drawing.corners[5].1]);
    assert_eq!(bottom(3), bottom(1));
    assert_eq!(drawing.sizes[3].0, drawing.sizes[1].0);
}
