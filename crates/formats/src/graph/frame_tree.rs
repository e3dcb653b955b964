//! The calling context tree with one node a frame, as formats without inlined frames have it.

use profile::{ContextId, FrameId, Profile};

/// Nodes, parents before children; node 0 is the whole program.
pub(crate) struct FrameTree {
    /// The caller's node; the root's own is 0.
    pub(crate) parent: Vec<u32>,
    /// The frame; none for the root.
    pub(crate) frame: Vec<Option<FrameId>>,
    /// The node of the innermost frame of each context.
    pub(crate) node: Vec<u32>,
}

impl FrameTree {
    pub(crate) fn new(profile: &Profile) -> FrameTree {
        let contexts = profile.contexts.len();
        let mut tree = FrameTree { parent: vec![0], frame: vec![None], node: vec![0; contexts] };
        for context in (1..contexts as u32).map(ContextId) {
            let caller = profile.contexts.parent(context).map_or(0, |parent| parent.index());
            let mut at = tree.node[caller];
            for frame in profile.frames_of(context) {
                tree.parent.push(at);
                tree.frame.push(Some(FrameId(frame)));
                at = tree.frame.len() as u32 - 1;
            }
            tree.node[context.index()] = at;
        }
        tree
    }

    /// The nodes that a node calls, by node.
    pub(crate) fn children(&self) -> Vec<Vec<u32>> {
        let mut children = vec![vec![]; self.parent.len()];
        for (node, &parent) in self.parent.iter().enumerate().skip(1) {
            children[parent as usize].push(node as u32);
        }
        children
    }
}

/// How many nanoseconds a unit of time has; none for other units.
pub(crate) fn nanoseconds_of(unit: &str) -> Option<f64> {
    match unit {
        "nanoseconds" | "nanosecond" | "ns" => Some(1.0),
        "microseconds" | "microsecond" | "us" | "µs" | "\u{3bc}s" => Some(1e3),
        "milliseconds" | "millisecond" | "ms" => Some(1e6),
        "seconds" | "second" | "s" => Some(1e9),
        _ => None,
    }
}

/// The points in the order of their times; in their own order where there are no times.
pub(crate) fn points_in_time(profile: &Profile) -> Vec<usize> {
    let mut order: Vec<usize> = (0..profile.points.len()).collect();
    if profile.points.has_times() {
        order.sort_by_key(|&point| profile.points.time(point));
    }
    order
}
