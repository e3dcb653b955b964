//! Functions in layers, with their calls.

use layout::{CallNode, Rect, draw_call_graph};
use proptest::prelude::*;

fn apart(a: Rect, b: Rect) -> bool {
    a.x + a.width <= b.x + 1e-6
        || b.x + b.width <= a.x + 1e-6
        || a.y + a.height <= b.y + 1e-6
        || b.y + b.height <= a.y + 1e-6
}

/// Whether a point is on the rim of a box.
fn touches(rect: Rect, (x, y): (f64, f64)) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
    let across = x >= rect.x - 1e-6 && x <= rect.x + rect.width + 1e-6;
    let along = y >= rect.y - 1e-6 && y <= rect.y + rect.height + 1e-6;
    let side = near(x, rect.x) || near(x, rect.x + rect.width);
    let end = near(y, rect.y) || near(y, rect.y + rect.height);
    (across && end) || (along && side)
}

proptest! {
    /// Boxes do not overlap, nor do loops with them, and every route leads from caller to callee.
    #[test]
    fn routes_join_boxes_that_stand_apart(
        nodes in prop::collection::vec((1..60usize, 0.0..1.0f64), 1..30),
        calls in prop::collection::vec((0..30u32, 0..30u32), 0..60),
    ) {
        let count = nodes.len() as u32;
        let mut calls: Vec<_> = calls.iter().map(|(a, b)| (a % count, b % count)).collect();
        calls.sort_unstable();
        calls.dedup();
        let nodes: Vec<_> =
            nodes.into_iter().map(|(letters, own)| CallNode { letters, own }).collect();
        let drawing = draw_call_graph(&nodes, &calls);
        for (at, one) in drawing.nodes.iter().enumerate() {
            prop_assert!(drawing.nodes[..at].iter().all(|other| apart(*one, *other)));
            prop_assert!(one.x >= -1e-6 && one.x + one.width <= drawing.size.0 + 1e-6);
            prop_assert!(one.y >= -1e-6 && one.y + one.height <= drawing.size.1 + 1e-6);
        }
        for (&(caller, callee), route) in calls.iter().zip(&drawing.routes) {
            let (first, last) = (route[0], route[route.len() - 1]);
            prop_assert!(touches(drawing.nodes[caller as usize], first), "{first:?}");
            prop_assert!(touches(drawing.nodes[callee as usize], last), "{last:?}");
            if caller == callee {
                for &(x, y) in &route[1..3] {
                    let point = Rect { x, y, width: 0.0, height: 0.0 };
                    prop_assert!(drawing.nodes.iter().all(|one| apart(*one, point)));
                }
            }
        }
    }
}

#[test]
fn what_has_more_itself_is_larger() {
    let node = |own| CallNode { letters: 10, own };
    let drawing = draw_call_graph(&[node(0.0), node(0.25), node(1.0)], &[(0, 1), (1, 2)]);
    assert_eq!(drawing.scales, [1.0, 1.4, 1.8]);
    let tops: Vec<f64> = drawing.nodes.iter().map(|one| one.y).collect();
    assert!(tops.is_sorted_by(|a, b| a < b), "callers stand above callees: {tops:?}");
}
