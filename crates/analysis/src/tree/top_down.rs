//! Callers above callees.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use profile::{ContextId, MetricId};
use work::steps;

use super::nodes::{Occurrence, Places, Unfolded};
use super::values::magnitude;
use super::{Collapse, Node, NodeId, Tree};
use crate::FrameKey;
use crate::combine::without;
use crate::derived::Pair;
use crate::flat::outermost;
use crate::formula::Which;
use crate::members::MemberSums;

impl Tree {
    pub(super) fn start_top_down(&mut self) {
        // The root context has no frames: an occurrence 'before its first frame'.
        self.occurrences.push(Occurrence { context: ContextId::ROOT, frame: u32::MAX });
        self.push_root(FrameKey::default(), None);
    }

    pub(super) fn start_callees(&mut self, key: FrameKey) {
        let mut places = vec![];
        outermost(&self.filtered, self.keys.keys(), self.keys.len(), |context, frame, found| {
            if found == key {
                places.push(Occurrence { context, frame });
            }
        });
        self.occurrences = places;
        let frame = self.occurrences.first().map(|o| o.frame);
        let fallback = key.index() < self.keys.len();
        let frame = frame.or(fallback.then(|| self.keys.representative(key).0));
        self.push_root(key, frame);
        if self.form.collapse == Collapse::Direct {
            self.absorb_recursion(0);
        }
    }

    fn push_root(&mut self, key: FrameKey, frame: Option<u32>) {
        let all = 0..self.occurrences.len();
        let (total, weight) = self.sum(&self.occurrences);
        let mut root = Node {
            parent: NodeId::ROOT,
            key,
            depth: 0,
            weight,
            total,
            frame,
            recursive: false,
            unfolded: None,
            places: Places::TopDown { inner: all.end, all },
        };
        self.derive_top_down(&mut root);
        self.nodes.push(root);
    }

    pub(super) fn top_down_total(&self, node: NodeId, metric: MetricId) -> i64 {
        self.outer_total(&self.node(node).places, metric)
    }

    fn outer(&self, places: &Places) -> &[Occurrence] {
        match places {
            Places::TopDown { all, inner } => &self.occurrences[all.start..*inner],
            _ => &[],
        }
    }

    fn outer_total(&self, places: &Places, metric: MetricId) -> i64 {
        let totals = self.filtered.totals(metric);
        let outer = self.outer(places).iter();
        outer.fold(0i64, |sum, o| sum.saturating_add(totals.total(o.context)))
    }

    /// How the total of a node spread over its frames, each with its line: largest first. None
    /// where a node does not stand for calls of one function, as in the other shapes.
    pub fn line_totals(&self, node: NodeId, metric: MetricId) -> Option<Vec<(u32, i64)>> {
        let node = self.node(node);
        node.frame.filter(|_| matches!(node.places, Places::TopDown { .. }))?;
        let totals = self.filtered.totals(metric);
        let mut by_frame = HashMap::<u32, i64>::new();
        for occurrence in self.outer(&node.places) {
            let sum = by_frame.entry(occurrence.frame).or_default();
            *sum = sum.saturating_add(totals.total(occurrence.context));
        }
        let mut all: Vec<_> = by_frame.into_iter().collect();
        all.sort_by_key(|&(frame, value)| (Reverse(value.saturating_abs()), frame));
        Some(all)
    }

    /// What places reach: the contexts whose points are in their totals.
    fn reach<'a>(&'a self, places: &'a Places) -> impl Iterator<Item = Range<u32>> {
        let contexts = &self.filtered.profile().contexts;
        self.outer(places).iter().map(|o| contexts.subtree(o.context))
    }

    pub(super) fn top_down_member_sums(
        &self,
        node: NodeId,
        children: Range<u32>,
        metrics: &[MetricId],
    ) -> MemberSums {
        let (profile, points) = (self.filtered.profile(), self.filtered.points_of_contexts());
        let total = points.sums(profile, metrics, self.reach(&self.node(node).places));
        let below = children.flat_map(|child| self.reach(&self.node(NodeId(child)).places));
        let own = without(self.reach(&self.node(node).places), below);
        MemberSums { own: points.sums(profile, metrics, own), total }
    }

    /// Total and weight of a node in a derived metric.
    fn derive_top_down(&self, node: &mut Node) {
        let Some(derived) = &self.metric.derived else { return };
        if node.frame.is_none() {
            node.total = self.filtered.derived_total(derived);
            node.weight = magnitude(node.total);
            return;
        }
        // What is not the node's own is below it, which is not unfolded yet.
        let below = if derived.uses_self() { self.called_below(node) } else { vec![] };
        let pair = |metric: Option<MetricId>| {
            let Some(metric) = metric else { return Pair::default() };
            let total = self.outer_total(&node.places, metric);
            let totals = self.filtered.totals(metric);
            let called = below.iter().map(|o| totals.total(o.context));
            Pair { own: total.saturating_sub(called.fold(0, i64::saturating_add)), total }
        };
        let values: Vec<Pair> = derived.summed_inputs().map(pair).collect();
        let mut parts = vec![];
        if derived.needs_parts() {
            let (profile, points) = (self.filtered.profile(), self.filtered.points_of_contexts());
            let total = points.sums(profile, derived.metrics(), self.reach(&node.places));
            let called = below.iter().map(|o| profile.contexts.subtree(o.context));
            let own = without(self.reach(&node.places), called);
            let own = points.sums(profile, derived.metrics(), own);
            parts = MemberSums { own, total }.pairs();
        }
        node.total = derived.value(Which::Total, &values, &parts, self.filtered.order());
        node.weight = magnitude(node.total);
    }

    /// The occurrences that a node's children will have: what shows directly below its own, where
    /// recursion is collapsed below its recursive calls too.
    pub(super) fn called_below(&self, node: &Node) -> Vec<Occurrence> {
        let skips_own = self.form.collapse == Collapse::Direct && node.frame.is_some();
        let mut open = self.outer(&node.places).to_vec();
        let (mut called, mut next) = (vec![], vec![]);
        while let Some(occurrence) = open.pop() {
            self.step_down(occurrence, &mut next);
            for below in next.drain(..) {
                let is_own = self.keys.keys()[below.frame as usize] == node.key;
                if skips_own && is_own { open.push(below) } else { called.push(below) }
            }
        }
        called
    }

    pub(super) fn unfold_top_down(&mut self, node: NodeId, all: Range<usize>) -> Unfolded {
        let own = self.nodes[node.index()].key;
        let skip_own =
            self.form.collapse == Collapse::Direct && self.nodes[node.index()].frame.is_some();
        let mut below = vec![];
        // Nothing of the tree has changed yet: here it may be left.
        for index in steps("unfolding", all) {
            self.step_down(self.occurrences[index], &mut below);
        }
        let keys = self.keys.clone();
        let key_of = |o: &Occurrence| keys.keys()[o.frame as usize];

        // Group by key, keeping the order of first appearance.
        let mut groups: Vec<(FrameKey, usize)> = vec![];
        for occurrence in &below {
            let key = key_of(occurrence);
            if skip_own && key == own {
                continue;
            }
            let slot = &mut self.child_of_key[key.index()];
            if *slot == u32::MAX {
                *slot = groups.len() as u32;
                groups.push((key, 0));
            }
            groups[*slot as usize].1 += 1;
        }
        let mut starts = Vec::with_capacity(groups.len());
        let mut next = self.occurrences.len();
        for (_, count) in &groups {
            starts.push(next);
            next += count;
        }
        let unset = Occurrence { context: ContextId::ROOT, frame: 0 };
        self.occurrences.resize(next, unset);
        let mut cursors = starts.clone();
        for occurrence in below {
            let key = key_of(&occurrence);
            if skip_own && key == own {
                continue;
            }
            let cursor = &mut cursors[self.child_of_key[key.index()] as usize];
            self.occurrences[*cursor] = occurrence;
            *cursor += 1;
        }
        for (key, _) in &groups {
            self.child_of_key[key.index()] = u32::MAX;
        }

        let depth = self.nodes[node.index()].depth + 1;
        let mut siblings: Vec<Node> = groups
            .iter()
            .zip(starts)
            .map(|(&(key, count), start)| {
                let all = start..start + count;
                let (total, weight) = self.sum(&self.occurrences[all.clone()]);
                Node {
                    parent: node,
                    key,
                    depth,
                    weight,
                    total,
                    frame: Some(self.occurrences[start].frame),
                    recursive: false,
                    unfolded: None,
                    places: Places::TopDown { inner: all.end, all },
                }
            })
            .collect();
        let below = siblings.iter().fold(0i64, |sum, child| sum.saturating_add(child.total));
        siblings.iter_mut().for_each(|sibling| self.derive_top_down(sibling));
        self.sort_siblings(&mut siblings);
        let first = self.nodes.len() as u32;
        let count = siblings.len() as u32;
        self.nodes.extend(siblings);
        if self.form.collapse == Collapse::Direct {
            (first..first + count).for_each(|child| self.absorb_recursion(child as usize));
        }
        let self_value = self.nodes[node.index()].total.saturating_sub(below);
        Unfolded { children: first..first + count, self_value }
    }

    /// Folds the direct recursive calls of a node into it.
    fn absorb_recursion(&mut self, node: usize) {
        let key = self.nodes[node].key;
        let Places::TopDown { all, .. } = self.nodes[node].places.clone() else { return };
        let mut inner: Vec<Occurrence> = vec![];
        let mut frontier = self.occurrences[all.clone()].to_vec();
        let mut below = vec![];
        while let Some(occurrence) = frontier.pop() {
            below.clear();
            self.step_down(occurrence, &mut below);
            let keys = self.keys.keys();
            let same = below.iter().copied().filter(|o| keys[o.frame as usize] == key);
            let before = inner.len();
            inner.extend(same);
            frontier.extend_from_slice(&inner[before..]);
        }
        if inner.is_empty() {
            return;
        }
        // The node's occurrences must follow each other: move them to the end of the arena.
        let start = self.occurrences.len();
        self.occurrences.extend_from_within(all.clone());
        let boundary = self.occurrences.len();
        self.occurrences.extend(inner);
        self.nodes[node].recursive = true;
        self.nodes[node].places =
            Places::TopDown { all: start..self.occurrences.len(), inner: boundary };
    }

    /// Total and weight of outermost occurrences.
    fn sum(&self, outer: &[Occurrence]) -> (i64, i64) {
        let totals = self.filtered.totals(self.metric.base);
        outer.iter().fold((0i64, 0i64), |(total, weight), o| {
            let (t, w) = (totals.total(o.context), totals.weight(o.context));
            (total.saturating_add(t), weight.saturating_add(w))
        })
    }

    /// The frames that show directly below an occurrence.
    fn step_down(&self, from: Occurrence, out: &mut Vec<Occurrence>) {
        let filtered = &self.filtered;
        let profile = filtered.profile();
        let first_shown = |context: ContextId, frames: Range<u32>| {
            let frame = frames.into_iter().find(|&frame| filtered.shows(context, frame))?;
            Some(Occurrence { context, frame })
        };
        let own = profile.frames_of(from.context);
        if let Some(inner) = first_shown(from.context, from.frame.saturating_add(1)..own.end) {
            out.push(inner);
            return;
        }
        // Contexts without a shown frame are looked through.
        let contexts = &profile.contexts;
        let subtree = contexts.subtree(from.context);
        let mut next = subtree.start + 1;
        while next < subtree.end {
            let context = ContextId(next);
            if !filtered.keeps_below(context) {
                next = contexts.end(context);
                continue;
            }
            match first_shown(context, profile.frames_of(context)) {
                Some(occurrence) => {
                    out.push(occurrence);
                    next = contexts.end(context);
                }
                None => next += 1,
            }
        }
    }
}
