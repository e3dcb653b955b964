//! Functions as boxes in layers, with their calls between them.
//!
//! ```text
//!        +------+
//!        | main |          callers stand above callees as far as cycles let them; the more a
//!        +------+          function has itself, the larger it is drawn
//!         |    \
//!   +--------+  +-----+
//!   |  fib   |) | run |    a direct call of itself is a loop at its right side
//!   +--------+  +-----+
//! ```

use crate::layered::{LayeredGraph, Spacing, draw};
use crate::squarify::Rect;

/// Room between boxes: numbers stand on edges between layers.
const SPACING: Spacing = Spacing { across: 26.0, along: 58.0 };
/// Height of a box with a name and its figures.
const HEIGHT: f64 = 50.0;
/// Width of a letter, about, and what is beside a name.
const LETTER: f64 = 6.9;
const BESIDE: f64 = 20.0;
/// The narrowest and the widest box; longer names are cut by who draws them.
const NARROWEST: f64 = 150.0;
const WIDEST: f64 = 250.0;
/// By so much a box is larger that has everything itself.
const GROWTH: f64 = 0.8;
/// Room of a loop beside its box.
const LOOP: f64 = 30.0;

/// A function to place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CallNode {
    /// Letters of its name.
    pub letters: usize,
    /// Share that it has itself, 0 to 1.
    pub own: f64,
}

/// Where functions and calls are, in view units.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CallGraphDrawing {
    /// By function.
    pub nodes: Vec<Rect>,
    /// By function, how much larger than the smallest it is drawn.
    pub scales: Vec<f64>,
    /// By call, points from caller to callee.
    pub routes: Vec<Vec<(f64, f64)>>,
    /// Width and height of all.
    pub size: (f64, f64),
}

/// Draws functions and the calls between them, as places in `nodes`.
pub fn draw_call_graph(nodes: &[CallNode], calls: &[(u32, u32)]) -> CallGraphDrawing {
    let scales: Vec<f64> =
        nodes.iter().map(|node| 1.0 + GROWTH * node.own.clamp(0.0, 1.0).sqrt()).collect();
    let mut has_loop = vec![false; nodes.len()];
    for &(caller, callee) in calls {
        has_loop[caller as usize] |= caller == callee;
    }
    let width = |node: &CallNode| (node.letters as f64 * LETTER + BESIDE).clamp(NARROWEST, WIDEST);
    let boxes: Vec<(f64, f64)> = (nodes.iter().zip(&scales))
        .map(|(node, scale)| (width(node) * scale, HEIGHT * scale))
        .collect();
    let room = |(&(width, height), &has_loop): (&(f64, f64), &bool)| {
        (width + if has_loop { LOOP } else { 0.0 }, height)
    };
    let sizes = boxes.iter().zip(&has_loop).map(room).collect();
    let graph = LayeredGraph { sizes, edges: calls.to_vec(), ..LayeredGraph::default() };
    let drawing = draw(&graph, SPACING);
    let places: Vec<Rect> = (drawing.nodes.iter().zip(&boxes))
        .map(|(&(x, y), &(width, height))| Rect { x, y, width, height })
        .collect();
    // Ends are spread over the room of a box, of which its loop is not a part: what goes straight to an
    // end moves with it.
    let onto_box = |of: u32, [end, before]: [&mut (f64, f64); 2]| {
        if has_loop[of as usize] {
            let Rect { x, width, .. } = places[of as usize];
            let moved = x + (end.0 - x) * width / (width + LOOP);
            if before.0 == end.0 {
                before.0 = moved;
            }
            end.0 = moved;
        }
    };
    let routes = (calls.iter().zip(drawing.routes))
        .map(|(&(caller, callee), mut route)| {
            if caller == callee {
                return loop_at(places[caller as usize]);
            }
            // A route of two points has no straight piece of its own at each end.
            if let [first, second, .., before, last] = &mut route[..] {
                onto_box(caller, [first, second]);
                onto_box(callee, [last, before]);
            } else if let [first, .., last] = &mut route[..] {
                onto_box(caller, [first, &mut (f64::NAN, 0.0)]);
                onto_box(callee, [last, &mut (f64::NAN, 0.0)]);
            }
            route
        })
        .collect();
    CallGraphDrawing { nodes: places, scales, routes, size: drawing.size }
}

/// Out at the right side of a box and in again below.
fn loop_at(Rect { x, y, width, height }: Rect) -> Vec<(f64, f64)> {
    let (side, out) = (x + width, x + width + LOOP * 0.6);
    let (from, to) = (y + height * 0.3, y + height * 0.7);
    vec![(side, from), (out, from), (out, to), (side, to)]
}
