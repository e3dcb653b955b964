//! Callers above callees, where every path that comes back to a function goes on from its first call.
//!
//! What is below a node then comes from anywhere below its first calls, so that all paths are found before
//! the first node is shown: a number for each context.

use std::ops::Range;
use std::sync::OnceLock;

use profile::{ContextId, MetricId};
use work::steps;

use super::collapse::SimplePaths;
use super::nodes::{Places, Unfolded};
use super::values::magnitude;
use super::{Node, NodeId, Tree};
use crate::derived::Pair;
use crate::formula::Which;
use crate::members::{MemberSums, alone};
use crate::{Filtered, FrameKey, FrameKeys};

/// The number of contexts that are on no path.
const NOWHERE: u32 = u32::MAX;

/// The folded paths of a profile, numbered so that those that begin with a path follow it.
#[derive(Debug, Default)]
pub(super) struct Folded {
    /// By path, the one that is a key shorter.
    parents: Vec<u32>,
    /// By path, the one past the last that begins with it.
    ends: Vec<u32>,
    keys: Vec<FrameKey>,
    /// By path, its first frame in the profile.
    frames: Vec<u32>,
    /// By path, whether a call was folded into it.
    recursive: Vec<bool>,
    /// By path, whether a sample that counts has it or goes on from it; others were only gone through.
    used: Vec<bool>,
    /// By context, its path.
    path_of: Vec<u32>,
    /// The contexts of each path after those of the one before, and where they start.
    contexts: Vec<ContextId>,
    starts: Vec<u32>,
    values: Vec<OnceLock<Values>>,
}

/// By path, values of a metric.
#[derive(Debug)]
struct Values {
    own: Vec<i64>,
    total: Vec<i64>,
    /// Sums of magnitudes.
    weight: Vec<i64>,
}

impl Folded {
    /// The paths of all contexts that count; with a key, from its outermost frames on.
    fn new(filtered: &Filtered, keys: &FrameKeys, first: Option<FrameKey>) -> Folded {
        let profile = filtered.profile();
        let contexts = &profile.contexts;
        let mut paths = SimplePaths::new(first);
        let mut frames = vec![u32::MAX];
        let mut recursive = vec![false];
        let start = if first.is_some() { NOWHERE } else { 0 };
        let mut path_of = vec![NOWHERE; contexts.len()];
        for index in steps("collapsing recursion", 0..contexts.len() as u32) {
            let context = ContextId(index);
            if !filtered.keeps_below(context) {
                continue;
            }
            let mut path = contexts.parent(context).map_or(start, |above| path_of[above.index()]);
            for frame in profile.frames_of(context).filter(|&frame| filtered.shows(context, frame))
            {
                let key = keys.keys()[frame as usize];
                if path == NOWHERE {
                    if first == Some(key) {
                        path = 0;
                        frames[0] = frames[0].min(frame);
                    }
                    continue;
                }
                let step = paths.step(path, key);
                path = step.path;
                if step.is_new {
                    frames.push(frame);
                    recursive.push(false);
                }
                recursive[path as usize] |= step.is_back;
            }
            path_of[context.index()] = path;
        }
        let SimplePaths { parents, keys, .. } = paths;
        let (order, ends) = in_order(&parents);
        let sorted = |path: u32| if path == NOWHERE { path } else { order[path as usize] };
        path_of.iter_mut().for_each(|path| *path = sorted(*path));
        let mut folded = Folded {
            parents: vec![0; keys.len()],
            keys: vec![FrameKey::default(); keys.len()],
            frames: vec![0; keys.len()],
            recursive: vec![false; keys.len()],
            ends,
            values: profile.metrics.iter().map(|_| OnceLock::new()).collect(),
            ..Folded::default()
        };
        for (path, &to) in order.iter().enumerate() {
            let to = to as usize;
            folded.parents[to] = order[parents[path] as usize];
            folded.keys[to] = keys[path];
            folded.frames[to] = frames[path];
            folded.recursive[to] = recursive[path];
        }
        folded.starts = vec![0; keys.len() + 1];
        let placed = || path_of.iter().enumerate().filter(|&(_, &path)| path != NOWHERE);
        placed().for_each(|(_, &path)| folded.starts[path as usize + 1] += 1);
        (1..folded.starts.len()).for_each(|path| folded.starts[path] += folded.starts[path - 1]);
        let mut next = folded.starts.clone();
        folded.contexts = vec![ContextId::ROOT; next[keys.len()] as usize];
        for (context, &path) in placed() {
            let place = &mut next[path as usize];
            folded.contexts[*place as usize] = ContextId(context as u32);
            *place += 1;
        }
        folded.used = vec![false; keys.len()];
        for (context, _) in filtered.self_values().iter() {
            if let Some(used) = folded.used.get_mut(path_of[context.index()] as usize) {
                *used = true;
            }
        }
        for path in (1..keys.len()).rev() {
            let above = folded.parents[path] as usize;
            folded.used[above] |= folded.used[path];
        }
        folded.path_of = path_of;
        folded
    }

    fn values(&self, filtered: &Filtered, metric: MetricId) -> &Values {
        self.values[metric.index()].get_or_init(|| {
            let mut own = vec![0i64; self.ends.len()];
            let mut weight = own.clone();
            for (context, value) in filtered.kept_values(metric) {
                let path = self.path_of[context.index()];
                if path != NOWHERE {
                    let path = path as usize;
                    own[path] = own[path].saturating_add(value);
                    weight[path] = weight[path].saturating_add(value.saturating_abs());
                }
            }
            let mut total = own.clone();
            for path in steps("adding up paths", (1..total.len()).rev()) {
                let above = self.parents[path] as usize;
                for sums in [&mut total, &mut weight] {
                    sums[above] = sums[above].saturating_add(sums[path]);
                }
            }
            Values { own, total, weight }
        })
    }

    /// The paths that a path begins, itself first.
    fn within(&self, path: u32) -> Range<u32> {
        path..self.ends[path as usize]
    }

    /// The paths that are one key longer and that samples have.
    fn below(&self, path: u32) -> impl Iterator<Item = u32> {
        let mut next = path + 1;
        let end = self.ends[path as usize];
        let all = std::iter::from_fn(move || {
            let child = Some(next).filter(|&child| child < end)?;
            next = self.ends[child as usize];
            Some(child)
        });
        all.filter(|&child| self.used[child as usize])
    }

    /// The contexts of paths that follow each other.
    fn contexts(&self, paths: Range<u32>) -> impl Iterator<Item = Range<u32>> {
        let [start, end] = [paths.start, paths.end].map(|path| self.starts[path as usize] as usize);
        self.contexts[start..end].iter().map(|&context| alone(context))
    }

    /// By path, how many before it end in one of some keys; one more than paths.
    pub(super) fn before(&self, is_marked: impl Fn(FrameKey) -> bool) -> Vec<u32> {
        let mut before = vec![0u32; self.keys.len() + 1];
        for (path, &key) in self.keys.iter().enumerate() {
            before[path + 1] = before[path] + u32::from(self.used[path] && is_marked(key));
        }
        before
    }
}

/// New numbers of paths, so that those that begin with a path follow it, and by new number the end of those.
fn in_order(parents: &[u32]) -> (Vec<u32>, Vec<u32>) {
    // Parents have smaller numbers: sizes add up from behind, and places are known from the front.
    let mut size = vec![1u32; parents.len()];
    for path in (1..parents.len()).rev() {
        size[parents[path] as usize] += size[path];
    }
    let mut order = vec![0u32; parents.len()];
    let mut next: Vec<u32> = vec![1; parents.len()];
    for path in 1..parents.len() {
        let parent = parents[path] as usize;
        order[path] = next[parent];
        next[parent] += size[path];
        next[path] = order[path] + 1;
    }
    let mut ends = vec![0u32; parents.len()];
    for (path, &to) in order.iter().enumerate() {
        ends[to as usize] = to + size[path];
    }
    (order, ends)
}

impl Tree {
    pub(super) fn start_folded(&mut self, first: Option<FrameKey>) {
        self.folded = Folded::new(&self.filtered, &self.keys, first);
        let found = Some(self.folded.frames[0]).filter(|&frame| frame != u32::MAX);
        let frame = first.and_then(|key| {
            let known = key.index() < self.keys.len();
            found.or(known.then(|| self.keys.representative(key).0))
        });
        let mut root = self.folded_node(NodeId::ROOT, 0, 0);
        (root.frame, root.key) = (frame, first.unwrap_or_default());
        // Only now it is known to stand for a function, or for the program.
        self.derive_folded(&mut root);
        self.nodes.push(root);
    }

    fn folded_node(&self, parent: NodeId, path: u32, depth: u32) -> Node {
        let at = path as usize;
        let known = (!self.filtered.profile().metrics.is_empty())
            .then(|| self.folded.values(&self.filtered, self.metric.base));
        Node {
            parent,
            key: self.folded.keys[at],
            depth,
            weight: known.map_or(0, |values| values.weight[at]),
            total: known.map_or(0, |values| values.total[at]),
            frame: Some(self.folded.frames[at]),
            recursive: self.folded.recursive[at],
            unfolded: None,
            places: Places::Folded(path),
        }
    }

    pub(super) fn folded_values(&self, path: u32, metric: MetricId) -> (i64, i64) {
        let values = self.folded.values(&self.filtered, metric);
        (values.own[path as usize], values.total[path as usize])
    }

    pub(super) fn folded_member_sums(&self, path: u32, metrics: &[MetricId]) -> MemberSums {
        let (profile, points) = (self.filtered.profile(), self.filtered.points_of_contexts());
        let sums = |paths| points.sums(profile, metrics, self.folded.contexts(paths));
        MemberSums { own: sums(path..path + 1), total: sums(self.folded.within(path)) }
    }

    /// Total and weight of a node in a derived metric.
    fn derive_folded(&self, node: &mut Node) {
        let (Some(derived), &Places::Folded(path)) = (&self.metric.derived, &node.places) else {
            return;
        };
        node.total = if node.frame.is_none() {
            self.filtered.derived_total(derived)
        } else {
            let pair = |metric: Option<MetricId>| {
                let (own, total) = metric.map_or((0, 0), |metric| self.folded_values(path, metric));
                Pair { own, total }
            };
            let values: Vec<Pair> = derived.summed_inputs().map(pair).collect();
            let mut parts = vec![];
            if derived.needs_parts() {
                parts = self.folded_member_sums(path, derived.metrics()).pairs();
            }
            derived.value(Which::Total, &values, &parts, self.filtered.order())
        };
        node.weight = magnitude(node.total);
    }

    pub(super) fn unfold_folded(&mut self, node: NodeId, path: u32) -> Unfolded {
        let depth = self.nodes[node.index()].depth + 1;
        let below: Vec<u32> = self.folded.below(path).collect();
        let mut siblings = vec![];
        // Nothing of the tree has changed yet: here it may be left.
        for child in steps("unfolding", below) {
            let mut child = self.folded_node(node, child, depth);
            self.derive_folded(&mut child);
            siblings.push(child);
        }
        self.sort_siblings(&mut siblings);
        let first = self.nodes.len() as u32;
        let children = first..first + siblings.len() as u32;
        self.nodes.extend(siblings);
        let has_values = !self.filtered.profile().metrics.is_empty();
        let self_value = if has_values { self.folded_values(path, self.metric.base).0 } else { 0 };
        Unfolded { children, self_value }
    }

    /// Whether the path of a context begins with one.
    pub(super) fn folded_contains(&self, path: u32, context: ContextId) -> bool {
        self.folded.within(path).contains(&self.folded.path_of[context.index()])
    }

    /// Whether something below a path is marked; `before` comes from [`Folded::before`].
    pub(super) fn folded_leads_to(&self, path: u32, before: &[u32]) -> bool {
        let end = self.folded.ends[path as usize] as usize;
        before[end] > before[path as usize + 1]
    }
}
