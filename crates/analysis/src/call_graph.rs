//! Who calls whom: the tree folded into a graph.

use hashbrown::HashMap;
use profile::{ContextId, MetricId};
use work::steps;

use crate::{Filtered, FrameKey, FrameKeys};

/// A call from one group of frames to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Key of the caller.
    pub caller: FrameKey,
    /// Key of the callee.
    pub callee: FrameKey,
    /// Value of the samples that have the call on their stack, each counted once.
    pub value: i64,
}

/// The calls between groups of frames. A function that directly calls itself has an edge to itself,
/// which is none of its callers and callees.
#[derive(Debug)]
pub struct CallGraph {
    edges: Vec<Edge>,
}

impl CallGraph {
    /// Folds the shown frames. With `only`, just the calls that the key takes part in.
    pub fn new(
        filtered: &Filtered,
        keys: &FrameKeys,
        metric: MetricId,
        only: Option<FrameKey>,
    ) -> CallGraph {
        let profile = filtered.profile();
        let totals = filtered.totals(metric);
        let mut edges = HashMap::<(FrameKey, FrameKey), (i64, u32)>::new();
        // Contexts whose descendants are being visited, with their innermost shown key and how
        // many calls they added to `calls`.
        let mut open: Vec<(ContextId, Option<FrameKey>, usize)> = vec![];
        let mut calls: Vec<(FrameKey, FrameKey)> = vec![];
        let contexts = 1..profile.contexts.len() as u32;
        for context in steps("following calls", contexts).map(ContextId) {
            while let Some(&(last, _, added)) = open.last() {
                if profile.contexts.end(last) > context.0 {
                    break;
                }
                open.pop();
                for call in calls.drain(calls.len() - added..) {
                    if let Some((_, on_path)) = edges.get_mut(&call) {
                        *on_path -= 1;
                    }
                }
            }
            let mut innermost = open.last().and_then(|&(_, key, _)| key);
            let before = calls.len();
            for frame in profile.frames_of(context) {
                if !filtered.shows(context, frame) {
                    continue;
                }
                let key = keys.keys()[frame as usize];
                if let Some(caller) = innermost
                    && only.is_none_or(|only| only == caller || only == key)
                {
                    let (value, on_path) = edges.entry((caller, key)).or_default();
                    if *on_path == 0 {
                        *value = value.saturating_add(totals.total(context));
                    }
                    *on_path += 1;
                    calls.push((caller, key));
                }
                innermost = Some(key);
            }
            open.push((context, innermost, calls.len() - before));
        }
        let mut edges: Vec<Edge> = edges
            .into_iter()
            .map(|((caller, callee), (value, _))| Edge { caller, callee, value })
            .collect();
        edges.sort_unstable_by_key(|edge| {
            (std::cmp::Reverse(edge.value.saturating_abs()), edge.caller, edge.callee)
        });
        CallGraph { edges }
    }

    /// All calls, the largest first.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Callers of `key`, largest first.
    pub fn callers(&self, key: FrameKey) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(move |edge| edge.callee == key && edge.caller != key)
    }

    /// What `key` calls, largest first.
    pub fn callees(&self, key: FrameKey) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(move |edge| edge.caller == key && edge.callee != key)
    }
}
