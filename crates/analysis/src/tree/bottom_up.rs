//! Innermost frames first, their callers below.

use std::ops::Range;
use std::sync::Arc;

use hashbrown::HashMap;
use profile::{ContextId, MetricId};

use super::flat::{Level, PROGRAM};
use super::nodes::{Occurrence, Places, Unfolded};
use super::values::magnitude;
use super::{Collapse, Node, NodeId, Shape, Tree};
use crate::combine::without;
use crate::derived::Pair;
use crate::flat::outermost;
use crate::formula::Which;
use crate::members::{MemberSums, alone};
use crate::{Derived, FrameKey};

impl Tree {
    /// The root holds every context with a value; the first step goes to its innermost frame.
    pub(super) fn start_bottom_up(&mut self) {
        let filtered = self.filtered.clone();
        for (context, row) in filtered.self_values().iter() {
            self.occurrences.push(Occurrence { context, frame: u32::MAX });
            self.push_origin(alone(context));
            self.values.weights.extend_from_slice(row);
        }
        self.push_bottom_up_root(FrameKey::default(), None);
    }

    /// The root holds the outermost occurrences of the key with their totals.
    pub(super) fn start_callers(&mut self, key: FrameKey) {
        let filtered = self.filtered.clone();
        let keys = self.keys.clone();
        outermost(&filtered, keys.keys(), keys.len(), |context, frame, found| {
            if found == key {
                self.occurrences.push(Occurrence { context, frame });
                self.push_origin(filtered.profile().contexts.subtree(context));
                for metric in filtered.profile().metric_ids() {
                    self.values.weights.push(filtered.totals(metric).total(context));
                }
            }
        });
        let known = key.index() < self.keys.len();
        let frame = known.then(|| self.keys.representative(key).0);
        self.push_bottom_up_root(key, frame);
    }

    /// The root holds the outermost occurrences of all keys with their totals; the first step goes to them.
    pub(super) fn start_all_callers(&mut self) {
        let filtered = self.filtered.clone();
        let keys = self.keys.clone();
        // How many contexts before each have a value: filters leave none in some subtrees.
        let mut before = vec![0u32; filtered.profile().contexts.len() + 1];
        for (context, _) in filtered.self_values().iter() {
            before[context.index() + 1] = 1;
        }
        for index in 1..before.len() {
            before[index] += before[index - 1];
        }
        outermost(&filtered, keys.keys(), keys.len(), |context, frame, _| {
            let subtree = filtered.profile().contexts.subtree(context);
            if before[subtree.start as usize] == before[subtree.end as usize] {
                return;
            }
            // What is above the frame behind it is the frame.
            self.occurrences.push(Occurrence { context, frame: frame + 1 });
            self.push_origin(subtree);
            for metric in filtered.profile().metric_ids() {
                self.values.weights.push(filtered.totals(metric).total(context));
            }
        });
        self.levels.push(Level::new(None, keys));
        self.push_bottom_up_root(FrameKey::default(), None);
    }

    fn metric_count(&self) -> usize {
        self.filtered.profile().metrics.len()
    }

    fn push_bottom_up_root(&mut self, key: FrameKey, frame: Option<u32>) {
        let all = 0..self.occurrences.len();
        let weight = self.push_sums(all.clone());
        if self.form.shape == Shape::AllCallers {
            for metric in self.filtered.profile().metric_ids() {
                self.values.sums[metric.index()] = self.filtered.program_total(metric);
            }
        }
        let mut root = Node {
            parent: NodeId::ROOT,
            key,
            depth: 0,
            weight,
            total: self.values.sums.get(self.metric.base.index()).copied().unwrap_or_default(),
            frame,
            recursive: false,
            unfolded: None,
            places: Places::BottomUp(all),
        };
        self.derive_bottom_up(&mut root, 0);
        self.nodes.push(root);
    }

    /// Adds up the values of occurrences into a new row of `sums`; gives the magnitude in the
    /// tree's metric.
    fn push_sums(&mut self, range: Range<usize>) -> i64 {
        let metrics = self.metric_count();
        let start = self.values.sums.len();
        self.values.sums.resize(start + metrics, 0);
        let mut weight = 0i64;
        for index in range {
            let row = &self.values.weights[index * metrics..][..metrics];
            for (sum, value) in self.values.sums[start..].iter_mut().zip(row) {
                *sum = sum.saturating_add(*value);
            }
            let own = row.get(self.metric.base.index()).copied().unwrap_or_default();
            weight = weight.saturating_add(own.saturating_abs());
        }
        weight
    }

    pub(super) fn bottom_up_values(&self, node: NodeId, metric: MetricId) -> (i64, i64) {
        let total = self.values.sums[node.index() * self.metric_count() + metric.index()];
        (self.bottom_up_self(node, total, metric), total)
    }

    /// The innermost frames have the value themselves; their callers have none of it.
    fn bottom_up_self(&self, node: NodeId, total: i64, metric: MetricId) -> i64 {
        match (self.form.shape, self.node(node).depth) {
            (Shape::BottomUp, 1) => total,
            (Shape::BottomUp, 0) => {
                let children = self.node(node).unfolded.as_ref().map(|u| u.children.clone());
                let metrics = self.metric_count();
                let below = children.into_iter().flatten();
                below.fold(total, |rest, child| {
                    rest.saturating_sub(self.values.sums[child as usize * metrics + metric.index()])
                })
            }
            (Shape::AllCallers, 0) => self.flat_values_of(PROGRAM, 0, metric).0,
            (Shape::AllCallers, 1) => {
                let row = self.levels[0].row_of(self.node(node).frame);
                row.map_or(0, |row| self.flat_values_of(0, row, metric).0)
            }
            _ => 0,
        }
    }

    pub(super) fn unfold_bottom_up(&mut self, node: NodeId, range: Range<usize>) -> Unfolded {
        let metrics = self.metric_count();
        let (above, groups) = self.steps_up(node, range);
        let places = self.join_places(above, groups.len());
        let depth = self.nodes[node.index()].depth + 1;
        let sums_start = self.values.sums.len();
        let mut nodes: Vec<Node> = vec![];
        for (group, range) in places.into_iter().enumerate() {
            let weight = self.push_sums(range.clone());
            let sums = sums_start + group * metrics;
            let mut child = Node {
                parent: node,
                key: groups[group],
                depth,
                weight,
                total: self
                    .values
                    .sums
                    .get(sums + self.metric.base.index())
                    .copied()
                    .unwrap_or_default(),
                frame: Some(self.occurrences[range.start].frame),
                recursive: false,
                unfolded: None,
                places: Places::BottomUp(range),
            };
            self.derive_bottom_up(&mut child, sums);
            nodes.push(child);
        }
        // Rows of sums follow the nodes: order both.
        let rows = self.values.sums.split_off(sums_start);
        self.sort_siblings(&mut nodes);
        let by_key: HashMap<FrameKey, usize> =
            groups.iter().enumerate().map(|(group, &key)| (key, group)).collect();
        for node in &nodes {
            let group = by_key[&node.key];
            self.values.sums.extend_from_slice(&rows[group * metrics..][..metrics]);
        }
        let first = self.nodes.len() as u32;
        let count = nodes.len() as u32;
        self.nodes.extend(nodes);
        let unfolded = Unfolded { children: first..first + count, self_value: 0 };
        self.nodes[node.index()].unfolded = Some(unfolded.clone());
        let total = self
            .values
            .sums
            .get(node.index() * metrics + self.metric.base.index())
            .copied()
            .unwrap_or_default();
        let self_value = self.bottom_up_self(node, total, self.metric.base);
        Unfolded { self_value, ..unfolded }
    }

    /// Where a step up leads: number of the key there, place, and occurrence it is from, in the order of
    /// places; and the keys.
    fn steps_up(
        &mut self,
        node: NodeId,
        range: Range<usize>,
    ) -> (Vec<(u32, Occurrence, usize)>, Vec<FrameKey>) {
        let own = self.nodes[node.index()].key;
        let is_frame = self.nodes[node.index()].frame.is_some();
        let skip_own = self.form.collapse == Collapse::Direct && is_frame;
        let goes_out = self.form.collapse == Collapse::All && is_frame;
        let mut above: Vec<(u32, Occurrence, usize)> = vec![];
        let mut groups: Vec<FrameKey> = vec![];
        for index in range {
            let mut at = self.occurrences[index];
            if goes_out {
                at = self.outermost_of(at, own);
            }
            while let Some(up) = self.step_up(at) {
                let key = self.keys.keys()[up.frame as usize];
                if skip_own && key == own {
                    at = up;
                    continue;
                }
                let slot = &mut self.child_of_key[key.index()];
                if *slot == u32::MAX {
                    *slot = groups.len() as u32;
                    groups.push(key);
                }
                above.push((*slot, up, index));
                break;
            }
        }
        for key in &groups {
            self.child_of_key[key.index()] = u32::MAX;
        }
        above.sort_unstable();
        (above, groups)
    }

    /// Brings equal places together; gives the occurrences of each key.
    fn join_places(
        &mut self,
        above: Vec<(u32, Occurrence, usize)>,
        groups: usize,
    ) -> Vec<Range<usize>> {
        let mut places: Vec<Range<usize>> = Vec::with_capacity(groups);
        let mut last: Option<(u32, Occurrence)> = None;
        let (metrics, keeps_origins) = (self.metric_count(), self.keeps_origins());
        for (group, place, index) in above {
            let row = self.values.weights[index * metrics..][..metrics].to_vec();
            if last == Some((group, place)) {
                let start = self.values.weights.len() - metrics;
                for (sum, value) in self.values.weights[start..].iter_mut().zip(row) {
                    *sum = sum.saturating_add(value);
                }
                if keeps_origins {
                    self.join_origins(index);
                }
                continue;
            }
            if places.len() <= group as usize {
                let start = self.occurrences.len();
                places.push(start..start);
            }
            self.occurrences.push(place);
            self.values.weights.extend(row);
            if keeps_origins {
                self.values.origins_of.push(self.values.origins.len()..self.values.origins.len());
                self.join_origins(index);
            }
            places[group as usize].end = self.occurrences.len();
            last = Some((group, place));
        }
        places
    }

    /// Whether occurrences know the contexts whose values they have: where someone will ask for the
    /// values by member.
    fn keeps_origins(&self) -> bool {
        let needs_parts = |derived: &Arc<Derived>| derived.needs_parts();
        self.filtered.profile().members.len() > 2
            || self.metric.derived.as_ref().is_some_and(needs_parts)
    }

    fn push_origin(&mut self, contexts: Range<u32>) {
        if self.keeps_origins() {
            let start = self.values.origins.len();
            self.values.origins.push(contexts);
            self.values.origins_of.push(start..start + 1);
        }
    }

    /// Adds the origins of an occurrence to those of the last one.
    fn join_origins(&mut self, index: usize) {
        self.values.origins.extend_from_within(self.values.origins_of[index].clone());
        if let Some(last) = self.values.origins_of.last_mut() {
            last.end = self.values.origins.len();
        }
    }

    /// The contexts whose own points are in the total of places.
    fn origins(&self, places: &Places) -> impl Iterator<Item = Range<u32>> {
        let range = if let Places::BottomUp(range) = places { range.clone() } else { 0..0 };
        let lists = self.values.origins_of[range].iter();
        lists.flat_map(|list| self.values.origins[list.clone()].iter().cloned())
    }

    pub(super) fn bottom_up_member_sums(
        &self,
        node: NodeId,
        children: Range<u32>,
        metrics: &[MetricId],
    ) -> MemberSums {
        let (profile, points) = (self.filtered.profile(), self.filtered.points_of_contexts());
        let ranges = |node: NodeId| -> Vec<Range<u32>> {
            if self.keeps_origins() {
                return self.origins(&self.node(node).places).collect();
            }
            let within = self.contains_context(node);
            let own = self.filtered.self_values().iter().map(|(context, _)| context);
            own.filter(|&context| within(context)).map(alone).collect()
        };
        let total = ranges(node);
        if self.form.shape == Shape::AllCallers && self.node(node).depth < 2 {
            // A function's own value is not what its callers have of it.
            let row = self.levels[0].row_of(self.node(node).frame);
            let (level, row) = row.map_or((PROGRAM, 0), |row| (0, row));
            return self.flat_member_sums(level, row, metrics);
        }
        let own = match (self.form.shape, self.node(node).depth) {
            (Shape::BottomUp, 1) => total.clone(),
            (Shape::BottomUp, 0) => {
                let below = children.flat_map(|child| ranges(NodeId(child)));
                without(total.iter().cloned(), below)
            }
            _ => vec![],
        };
        let [own, total] = [own, total].map(|ranges| points.sums(profile, metrics, ranges));
        MemberSums { own, total }
    }

    /// Total and weight of a node in a derived metric; `sums` is where its row of sums starts.
    fn derive_bottom_up(&self, node: &mut Node, sums: usize) {
        let Some(derived) = &self.metric.derived else { return };
        if node.frame.is_none() {
            node.total = self.filtered.derived_total(derived);
            node.weight = magnitude(node.total);
            return;
        }
        // As in `bottom_up_self`.
        let itself = match (self.form.shape, node.depth) {
            (Shape::AllCallers, 1) => self.levels[0].row_of(node.frame),
            _ => None,
        };
        let is_innermost = self.form.shape == Shape::BottomUp && node.depth == 1;
        let pair = |total: i64, nothing: i64| Pair {
            own: if is_innermost { total } else { nothing },
            total,
        };
        let summed = |metric: Option<MetricId>| {
            let total = metric.map_or(0, |metric| self.values.sums[sums + metric.index()]);
            match (metric, itself) {
                (Some(metric), Some(row)) => {
                    Pair { own: self.flat_values_of(0, row, metric).0, total }
                }
                _ => pair(total, 0),
            }
        };
        let values: Vec<Pair> = derived.summed_inputs().map(summed).collect();
        let mut parts = vec![];
        if derived.needs_parts() {
            let (profile, points) = (self.filtered.profile(), self.filtered.points_of_contexts());
            let sums = points.sums(profile, derived.metrics(), self.origins(&node.places));
            let nothing = match itself {
                Some(row) => self.flat_member_sums(0, row, derived.metrics()).own,
                None => points.sums(profile, derived.metrics(), []),
            };
            parts = sums.into_iter().zip(nothing).map(|(sum, none)| pair(sum, none)).collect();
        }
        node.total = derived.value(Which::Total, &values, &parts, self.filtered.order());
        node.weight = magnitude(node.total);
    }

    /// The frame that shows directly above an occurrence; above `u32::MAX` is the innermost.
    pub(super) fn step_up(&self, from: Occurrence) -> Option<Occurrence> {
        let below = (from.frame != u32::MAX).then_some(from.frame);
        let (context, frame) = self.filtered.innermost_shown(from.context, below)?;
        Some(Occurrence { context, frame })
    }

    /// The outermost frame of a key at or above an occurrence of it, from which a path goes on that has no
    /// function twice.
    pub(super) fn outermost_of(&self, from: Occurrence, key: FrameKey) -> Occurrence {
        let mut outermost = from;
        let mut at = from;
        while let Some(up) = self.step_up(at) {
            if self.keys.keys()[up.frame as usize] == key {
                outermost = up;
            }
            at = up;
        }
        outermost
    }

    /// Whether the shown stack of a context ends with these keys, innermost first.
    pub(super) fn contexts_ending_with(
        &self,
        keys: Vec<FrameKey>,
    ) -> Box<dyn Fn(ContextId) -> bool + '_> {
        let (callers_of, keys) = match self.form.shape {
            Shape::Callers(key) => (Some(key), keys),
            Shape::AllCallers => match keys.split_first() {
                Some((&key, callers)) => (Some(key), callers.to_vec()),
                None => (None, keys),
            },
            _ => (None, keys),
        };
        let collapse = self.form.collapse;
        Box::new(move |context| {
            let mut at = Occurrence { context, frame: u32::MAX };
            let key_of = |o: Occurrence| self.keys.keys()[o.frame as usize];
            if let Some(function) = callers_of {
                // Go up to the outermost occurrence of the function.
                let mut found = None;
                while let Some(up) = self.step_up(at) {
                    if key_of(up) == function {
                        found = Some(up);
                    }
                    at = up;
                }
                match found {
                    Some(outermost) => at = outermost,
                    None => return false,
                }
            }
            let mut below = callers_of;
            keys.iter().all(|&key| {
                if let Some(below) = below.filter(|_| collapse == Collapse::All) {
                    at = self.outermost_of(at, below);
                }
                let mut up = self.step_up(at);
                while collapse == Collapse::Direct && up.is_some_and(|up| below == Some(key_of(up)))
                {
                    up = up.and_then(|up| self.step_up(up));
                }
                let Some(up) = up else { return false };
                at = up;
                below = Some(key_of(up));
                key_of(up) == key
            })
        })
    }
}
