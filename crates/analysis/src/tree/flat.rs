//! Program, module, file, function.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hashbrown::HashMap;
use profile::MetricId;

use super::nodes::{Places, Unfolded};
use super::values::magnitude;
use super::{Node, NodeId, Order, Tree};
use crate::members::{GroupPlaces, MemberSums};
use crate::{Filtered, FlatValues, FrameKey, FrameKeys, Granularity, flat_values};

/// The 'level' of the whole program, above the first: one more wraps around to level 0.
pub(super) const PROGRAM: usize = usize::MAX;

/// One level of the flat tree: frames grouped by what they share down to this level.
#[derive(Debug)]
pub(super) struct Level {
    keys: Arc<FrameKeys>,
    row_of_frame: Vec<u32>,
    /// First frame and parent row of each row.
    rows: Vec<(u32, u32)>,
    /// Rows in the order of their parents.
    by_parent: Vec<u32>,
    values: Mutex<HashMap<MetricId, Arc<FlatValues>>>,
    places: OnceLock<GroupPlaces>,
}

impl Level {
    pub(super) fn keys(&self) -> &FrameKeys {
        &self.keys
    }

    /// The row of a frame.
    pub(super) fn row_of(&self, frame: Option<u32>) -> Option<u32> {
        frame.map(|frame| self.row_of_frame[frame as usize])
    }

    /// Splits the rows of `above` by `keys`.
    pub(super) fn new(above: Option<&Level>, keys: Arc<FrameKeys>) -> Level {
        let mut known = HashMap::new();
        let mut rows = vec![];
        let row_of_frame = (keys.keys().iter().enumerate())
            .map(|(frame, &key)| {
                let parent = above.map_or(0, |above| above.row_of_frame[frame]);
                *known.entry((parent, key)).or_insert_with(|| {
                    rows.push((frame as u32, parent));
                    rows.len() as u32 - 1
                })
            })
            .collect();
        let mut by_parent: Vec<u32> = (0..rows.len() as u32).collect();
        by_parent.sort_by_key(|&row| rows[row as usize].1);
        let (values, places) = (Mutex::default(), OnceLock::new());
        Level { keys, row_of_frame, rows, by_parent, values, places }
    }

    fn children_of(&self, parent: u32) -> &[u32] {
        let parent_of = |row: &u32| self.rows[*row as usize].1;
        let start = self.by_parent.partition_point(|row| parent_of(row) < parent);
        let end = self.by_parent.partition_point(|row| parent_of(row) <= parent);
        &self.by_parent[start..end]
    }

    fn values(&self, filtered: &Filtered, metric: MetricId) -> Arc<FlatValues> {
        let mut known = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(flat_values(filtered, &self.row_of_frame, self.rows.len(), metric));
        known.entry(metric).or_insert_with(new).clone()
    }

    fn places(&self, filtered: &Filtered) -> &GroupPlaces {
        self.places.get_or_init(|| GroupPlaces::new(filtered, &self.row_of_frame, self.rows.len()))
    }
}

impl Tree {
    pub(super) fn start_flat(&mut self) {
        let profile = self.filtered.profile().clone();
        let outer: &[Granularity] = match self.keys.granularity() {
            Granularity::Module => &[],
            Granularity::File => &[Granularity::Module],
            _ => &[Granularity::Module, Granularity::File],
        };
        for &granularity in outer {
            let keys = Arc::new(FrameKeys::new(&profile, granularity));
            self.levels.push(Level::new(self.levels.last(), keys));
        }
        self.levels.push(Level::new(self.levels.last(), self.keys.clone()));

        let total = if profile.metrics.is_empty() {
            0
        } else {
            self.filtered.program_total(self.metric.id)
        };
        let magnitudes =
            self.filtered.self_values().iter().map(|(_, row)| row[self.metric.base.index()]);
        let weight = match (profile.metrics.is_empty(), &self.metric.derived) {
            (true, _) => 0,
            (false, Some(_)) => magnitude(total),
            (false, None) => magnitudes.fold(0i64, |sum, v| sum.saturating_add(v.saturating_abs())),
        };
        self.nodes.push(Node {
            parent: NodeId::ROOT,
            key: FrameKey::default(),
            depth: 0,
            weight,
            total,
            frame: None,
            recursive: false,
            unfolded: None,
            places: Places::Flat { level: PROGRAM, row: 0 },
        });
    }

    pub(super) fn flat_values_of(&self, level: usize, row: u32, metric: MetricId) -> (i64, i64) {
        match self.levels.get(level) {
            Some(level) => {
                let values = level.values(&self.filtered, metric);
                (values.self_value[row as usize], values.total_value[row as usize])
            }
            // The program: what no shown frame has is its own.
            None => {
                let total = self.filtered.program_total(metric);
                let shown = self.levels[0].values(&self.filtered, metric);
                (
                    shown.self_value.iter().fold(total, |rest, value| rest.saturating_sub(*value)),
                    total,
                )
            }
        }
    }

    pub(super) fn flat_member_sums(
        &self,
        level: usize,
        row: u32,
        metrics: &[MetricId],
    ) -> MemberSums {
        let filtered = &self.filtered;
        let (profile, points) = (filtered.profile(), filtered.points_of_contexts());
        let everything = 0..profile.contexts.len() as u32;
        match self.levels.get(level) {
            Some(level) => level.places(filtered).sums(filtered, row, metrics),
            None => MemberSums {
                own: points.sums(profile, metrics, self.levels[0].places(filtered).of_program()),
                total: points.sums(profile, metrics, std::iter::once(everything)),
            },
        }
    }

    pub(super) fn unfold_flat(&mut self, node: NodeId, level: usize, row: u32) -> Unfolded {
        let below = level.wrapping_add(1);
        let self_value = if self.filtered.profile().metrics.is_empty() {
            0
        } else {
            self.flat_values_of(level, row, self.metric.base).0
        };
        let first = self.nodes.len() as u32;
        let Some(next) = self.levels.get(below) else {
            return Unfolded { children: first..first, self_value };
        };
        let values = next.values(&self.filtered, self.metric.id);
        // What a formula is of may be in any of its metrics.
        let metrics = self.summed_metrics();
        let sums: Vec<Vec<Arc<FlatValues>>> = (self.levels[below..].iter())
            .map(|level| metrics.iter().map(|&m| level.values(&self.filtered, m)).collect())
            .collect();
        let depth = self.nodes[node.index()].depth + 1;
        let mut siblings = vec![];
        for &child in next.children_of(row) {
            let (frame, _) = next.rows[child as usize];
            let (own, total) =
                (values.self_value[child as usize], values.total_value[child as usize]);
            if has_values(&self.levels[below..], &sums, child) {
                siblings.push(Node {
                    parent: node,
                    key: next.keys.keys()[frame as usize],
                    depth,
                    weight: magnitude(own),
                    total,
                    frame: Some(frame),
                    recursive: false,
                    unfolded: None,
                    places: Places::Flat { level: below, row: child },
                });
            }
        }
        match self.form.order {
            Order::Value | Order::Total | Order::Own => self.sort_siblings(&mut siblings),
            // Keys of the outer levels are not those of the tree.
            Order::Name => {
                let profile = self.filtered.profile();
                siblings.sort_by_cached_key(|node| next.keys.name(profile, node.key).into_owned());
            }
        }
        let count = siblings.len() as u32;
        self.nodes.extend(siblings);
        Unfolded { children: first..first + count, self_value }
    }
}

/// Whether a row of the first of some levels has a value, or anything below it: what is there may
/// add up to nothing, as where memory is taken and given back.
fn has_values(levels: &[Level], sums: &[Vec<Arc<FlatValues>>], row: u32) -> bool {
    let ([_, levels @ ..], [own, sums @ ..]) = (levels, sums) else { return false };
    let at = row as usize;
    own.iter().any(|values| values.self_value[at] != 0 || values.total_value[at] != 0)
        || levels.first().is_some_and(|next| {
            next.children_of(row).iter().any(|&child| has_values(levels, sums, child))
        })
}
