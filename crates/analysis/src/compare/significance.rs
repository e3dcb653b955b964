//! Whether runs differ by more than chance.

use std::collections::HashMap;
use std::hash::Hash;

use profile::{MemberId, MetricId};
use work::long_steps;

use super::comparison::measured;
use super::sides::Side;
use crate::statistics::{LEVEL, Reason, Shift, Verdict, false_discovery};
use crate::{MemberSums, NodeId, Tree};

/// The runs on either side of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Groups {
    /// How many members each side has, base first.
    pub members: [usize; 2],
    /// How many runs each side is the mean of, base first; 1 where values are as they were
    /// measured.
    pub runs: [usize; 2],
    /// By metric of the merge, how far rounding may have moved the value that a run has of a node:
    /// values no further apart than twice as much are equal to a test.
    pub rounding: Vec<f64>,
    /// By metric of the merge, whether values of a side are sums over its members divided by the
    /// runs.
    pub is_mean: Vec<bool>,
    /// By metric of the merge, how many decimals values got when sums became means; 0 where sums
    /// cannot be had again from means.
    pub finer: Vec<u8>,
}

/// How likely chance alone makes the runs of a node differ as they do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Significance {
    /// By how much its runs differ, and the test of it alone.
    pub shift: Shift,
    /// Its p-value adjusted for all nodes that were tested.
    pub adjusted: f64,
}

impl Significance {
    /// Nodes with less than this share of the program are not tested: too few samples, too many
    /// tests.
    pub const LEAST_SHARE: f64 = 0.01;

    /// Whether the difference is to be believed.
    pub fn is_believed(&self) -> bool {
        self.adjusted <= LEVEL
    }

    /// What can be said of it, where changes up to a share of its value are none.
    pub fn verdict(&self, margin: f64) -> Verdict {
        self.shift.verdict(self.adjusted, margin)
    }
}

impl Groups {
    /// Whether a view of these parts has runs enough on both sides to tell change from noise, each
    /// of them a member.
    pub fn can_test(&self, parts: &[MemberId]) -> bool {
        self.are_members() && self.kept(parts).iter().all(|&runs| runs > 1)
    }

    /// Whether each run is a member.
    pub fn are_members(&self) -> bool {
        self.runs == self.members
    }

    /// How many runs each side is the mean of in a view of these parts, base first: filters may
    /// leave some of the runs, and none of a side.
    pub fn kept(&self, parts: &[MemberId]) -> [usize; 2] {
        if !self.are_members() {
            return self.runs;
        }
        let base = self.base_parts(parts);
        [base, parts.len() - base]
    }

    /// The values of the runs of either side, given those of [`Side::Both`] by part; each in what
    /// one run has, in a metric of the merge.
    pub fn values(&self, parts: &[MemberId], metric: MetricId, by_part: &[i64]) -> [Vec<f64>; 2] {
        let all = self.of_runs(parts, metric, by_part);
        let all: Vec<f64> = all.into_iter().map(|value| value as f64).collect();
        let (base, new) = all.split_at(self.base_parts(parts).min(all.len()));
        [base.to_vec(), new.to_vec()]
    }

    /// Values of [`Side::Both`] by part, as what one run has: as they were measured, where means are
    /// fine enough to tell.
    pub fn of_runs(&self, parts: &[MemberId], metric: MetricId, by_part: &[i64]) -> Vec<i64> {
        let is_mean = self.is_mean[metric.index()];
        let kept = if is_mean { self.kept(parts) } else { [1, 1] };
        let base = self.base_parts(parts);
        let measured_unit = 10i64.checked_pow(self.finer[metric.index()].into());
        let unit = measured_unit.filter(|&unit| self.rounding[metric.index()] * 2.0 < unit as f64);
        let of_run = |(part, &value): (usize, &i64)| {
            let runs = kept[usize::from(part >= base)] as i64;
            let value = measured(value).saturating_mul(runs);
            let Some(unit) = unit.filter(|_| is_mean) else { return value };
            let beyond = value.rem_euclid(unit);
            let down = value.saturating_sub(beyond);
            if beyond * 2 < unit { down } else { down.saturating_add(unit) }
        };
        by_part.iter().enumerate().map(of_run).collect()
    }

    /// What values of [`Side::Both`] of a part are multiplied by to get what one run has, but for
    /// rounding.
    pub fn scale_of_runs(&self, parts: &[MemberId], metric: MetricId, part: usize) -> f64 {
        if !self.is_mean[metric.index()] {
            return 1.0;
        }
        self.kept(parts)[usize::from(part >= self.base_parts(parts))] as f64
    }

    /// Tests the total values of the nodes of a tree down from the root, whose shares are not too
    /// small, in a metric of the merge. [`Shift`] says how; Benjamini and Hochberg's control of false discoveries over all nodes that are tested. None
    /// where there are no runs to test.
    pub fn significance(
        &self,
        tree: &mut Tree,
        metric: MetricId,
    ) -> Option<HashMap<NodeId, Significance>> {
        let parts = tree.filtered().parts().to_vec();
        if !self.can_test(&parts) {
            return None;
        }
        let both = Side::Both.of(metric);
        let total = tree.filtered().program_total(both) as f64;
        let least = total * Significance::LEAST_SHARE;
        let mut nodes = vec![NodeId::ROOT];
        let mut open = vec![NodeId::ROOT];
        while let Some(node) = open.pop() {
            for child in tree.children(node).map(NodeId) {
                let (_, value) = tree.values(child, both);
                if value as f64 >= least && nodes.len() < Groups::MOST_TESTS {
                    nodes.push(child);
                    open.push(child);
                }
            }
        }
        let sums = nodes.into_iter().map(|node| {
            let MemberSums { total, .. } = tree.member_sums(node, &[both]);
            (node, total)
        });
        Some(self.test(&parts, metric, sums))
    }

    /// How many of the parts belong to the base.
    pub fn base_parts(&self, parts: &[MemberId]) -> usize {
        parts.partition_point(|part| part.index() < self.members[0])
    }

    /// Tests things, each with its values of [`Side::Both`] of a metric of the merge by
    /// part.
    pub fn test<T: Eq + Hash>(
        &self,
        parts: &[MemberId],
        metric: MetricId,
        things: impl Iterator<Item = (T, Vec<i64>)>,
    ) -> HashMap<T, Significance> {
        let things: Vec<(T, Vec<i64>)> = things.collect();
        let tests: Vec<(T, Shift)> = long_steps("testing runs", things)
            .filter_map(|(thing, by_member)| {
                let [mut base, mut new] = self.values(parts, metric, &by_member);
                bring_together(&mut base, &mut new, 2.0 * self.rounding[metric.index()]);
                Some((thing, Shift::new(&base, &new)?))
            })
            .collect();
        let p_values: Vec<f64> = tests.iter().map(|(_, shift)| shift.p_value).collect();
        let adjusted = false_discovery(&p_values);
        let found = |((thing, shift), adjusted)| (thing, Significance { shift, adjusted });
        tests.into_iter().zip(adjusted).map(found).collect()
    }

    /// What can be said of something that was not tested: its runs are too few, or it is too small.
    pub fn untested(&self, parts: &[MemberId]) -> Verdict {
        Verdict::Unknown(if self.can_test(parts) { Reason::Small } else { Reason::OneRun })
    }

    /// Most nodes that are tested, the outer ones first along each path.
    const MOST_TESTS: usize = 20_000;
}

/// Makes values equal that are not further apart than `tolerance`, from the smallest on.
fn bring_together(base: &mut [f64], new: &mut [f64], tolerance: f64) {
    let mut all: Vec<&mut f64> = base.iter_mut().chain(new).collect();
    all.sort_unstable_by(|a, b| a.total_cmp(b));
    let mut first = f64::NEG_INFINITY;
    for value in all {
        if *value - first <= tolerance { *value = first } else { first = *value }
    }
}
