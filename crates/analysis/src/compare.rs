//! Two profiles side by side: what became more, what less.

use std::collections::HashMap;
use std::sync::Arc;

use profile::{Combine, Combining, ContextId, FunctionTotals, MemberId, Metric, Points, Profile};

use crate::matching::Matching;
use crate::statistics::{MannWhitney, Method, false_discovery, mann_whitney};
use crate::{
    FilterError, Filtered, FrameKeys, Granularity, Match, MemberSums, Merge, MergeNote, NO_VALUE,
    NodeId, Pattern, Rules, Tree, flat_values, matching_frames, matching_keys,
};

/// A base and a new profile as one, with their metrics side by side, so that every shape and every
/// filter works on both at once.
#[derive(Debug)]
pub struct Comparison {
    /// The union of both: of each metric of the merge, three in the order of [`Side`].
    pub profile: Profile,
    /// The metrics of the merge.
    pub metrics: Vec<Metric>,
    /// What the merge of both left out or could not reconcile.
    pub notes: Vec<MergeNote>,
    /// The members of either side.
    pub groups: Groups,
    /// Which function of the base is which of the new profile; the union has both under the new
    /// one's name.
    pub matches: Vec<Match>,
}

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
}

/// What makes values of both sides comparable. Values become those of one run; then those of the
/// new profile are brought to the scale of the base.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Normalise {
    /// As they are.
    #[default]
    Absolute,
    /// Both sides have the same total in every metric.
    Total,
    /// The functions that match the expression have the same total on both sides.
    Frame(String),
}

/// Most decimals that values get when they are divided or brought to scale, and that they may have
/// then.
const MOST_SCALED_DECIMALS: u8 = 6;
const MOST_DECIMALS: u8 = 18;
/// What sums of scaled values stay below: up to there, floating-point numbers hold every one.
const LARGEST_SUM: f64 = (1u64 << 53) as f64;

/// Which values of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Those of the base.
    Base,
    /// Those of the new profile.
    New,
    /// Their sum, which is wide wherever either is: for widths and orders.
    Both,
}

impl Side {
    /// The index of this side of metric `index` of the merge.
    pub fn of(self, index: usize) -> usize {
        3 * index + self as usize
    }
}

impl Comparison {
    /// Compares two profiles, whose functions the default rules match.
    pub fn new(base: &Profile, new: &Profile) -> Comparison {
        Comparison::matched(base, new, Rules::default())
    }

    /// Compares two profiles. Contexts are the same as [`Merge`] has it, once the base has the new
    /// names of functions that `rules` match; at coarser granularities than a line, views match
    /// them by function, file or module.
    pub fn matched(base: &Profile, new: &Profile, rules: Rules) -> Comparison {
        let matching = Matching::new(base, new, rules);
        let rewritten = matching.rewritten_base();
        // Which functions are the same is for the rules to say.
        let mut merge = Merge::default().without_joining_names();
        merge.add("base", rewritten.as_ref().unwrap_or(base));
        let first_new = MemberId(base.members.len().max(1) as u32);
        merge.add("new", new);
        let merged = merge.finish();
        let metrics = merged.profile.metrics.clone();
        let profile = side_by_side(merged.profile, first_new);
        let members = [first_new.index(), new.members.len().max(1)];
        let rounding = vec![0.0; metrics.len()];
        let is_mean = metrics.iter().map(is_divided).collect();
        let groups = Groups { members, runs: [1, 1], rounding, is_mean };
        Comparison { profile, metrics, notes: merged.notes, groups, matches: matching.matches() }
    }

    /// The comparison with values that are means, of as many runs as each side is made of, base
    /// first, and that are normalised. Scaled values are rounded to a millionth of what the merge
    /// told them in, or to what sums leave room for. What is 0 on a side, and should be equal on
    /// both, leaves values as they are.
    pub fn scaled(
        self,
        runs: [usize; 2],
        normalise: &Normalise,
    ) -> Result<Comparison, FilterError> {
        let Comparison { mut profile, mut metrics, notes, mut groups, matches } = self;
        let runs = runs.map(|runs| runs.max(1));
        // Values that do not add up over members are those of a run as they are.
        groups.is_mean = metrics.iter().map(is_divided).collect();
        let mut factors: Vec<[f64; 2]> = (groups.is_mean.iter())
            .map(|&is_mean| runs.map(|runs| if is_mean { 1.0 / runs as f64 } else { 1.0 }))
            .collect();
        if *normalise != Normalise::Absolute {
            let shared = Arc::new(profile);
            for (metric, factors) in factors.iter_mut().enumerate() {
                let [base, new] = totals(&shared, metric, normalise)?;
                let (base, new) = (base as f64 * factors[0], new as f64 * factors[1]);
                if base != 0.0 && new != 0.0 {
                    factors[1] *= base / new;
                }
            }
            profile = Arc::unwrap_or_clone(shared);
        }
        if factors.iter().flatten().any(|&factor| factor != 1.0) {
            let finer: Vec<u8> = (metrics.iter().zip(&factors).enumerate())
                .map(|(index, (metric, factors))| finer(&profile, index, metric, factors))
                .collect();
            scale(&mut profile, &factors, &finer);
            groups.rounding = roundings(&profile, metrics.len(), &factors, runs);
            for (index, metric) in metrics.iter_mut().enumerate() {
                metric.decimals += finer[index];
                let sides = &mut profile.metrics[Side::Base.of(index)..=Side::Both.of(index)];
                sides.iter_mut().for_each(|side| side.decimals = metric.decimals);
            }
        }
        Ok(Comparison { profile, metrics, notes, groups: Groups { runs, ..groups }, matches })
    }
}

/// Whether the values of several runs have a mean that is their sum divided by their number.
fn is_divided(metric: &Metric) -> bool {
    metric.combining.members == Combine::Sum
}

/// The totals of both sides that normalising makes equal.
fn totals(
    profile: &Arc<Profile>,
    metric: usize,
    normalise: &Normalise,
) -> Result<[i64; 2], FilterError> {
    let sides = [Side::Base, Side::New].map(|side| side.of(metric));
    let Normalise::Frame(expression) = normalise else {
        return Ok(sides.map(|metric| profile.metric_total(metric).0));
    };
    let filtered = Filtered::new(profile.clone(), &[], true)?;
    let keys = FrameKeys::new(profile, Granularity::Function);
    let pattern = Pattern::new(expression)?;
    let matching = matching_keys(&keys, &matching_frames(&filtered, &pattern));
    // All matching functions as one group, so that what calls itself counts once.
    let group: Vec<u32> =
        keys.keys().iter().map(|&key| u32::from(!matching[key as usize])).collect();
    Ok(sides.map(|metric| flat_values(&filtered, &group, 2, metric).total_value[0]))
}

/// How many more decimals the values of a metric of the merge can have once they are scaled.
fn finer(profile: &Profile, index: usize, metric: &Metric, factors: &[f64; 2]) -> u8 {
    let values = profile.points.values(Side::Both.of(index));
    let sum: f64 = values.map(|value| value.unsigned_abs() as f64).sum();
    let scaled = sum * factors[0].abs().max(factors[1].abs());
    let room = (LARGEST_SUM / scaled.max(1.0)).log10().max(0.0) as u8;
    room.min(MOST_SCALED_DECIMALS).min(MOST_DECIMALS.saturating_sub(metric.decimals))
}

/// Brings values to scale: by metric of the merge, the factors of base and new, and by how many
/// decimals values become finer.
///
/// What rounding takes from a point the next one of its context gets, so that the sum of a context
/// is rounded once: equal means of other numbers of runs stay equal.
fn scale(profile: &mut Profile, factors: &[[f64; 2]], finer: &[u8]) {
    let scaled = |value: i64, factor: f64| (value as f64 * factor).round() as i64;
    let mut sums = HashMap::<(ContextId, usize), (i64, i64)>::new();
    for point in 0..profile.points.len() as u32 {
        let context = profile.points.context[point as usize];
        let row = profile.points.row_mut(profile::PointId(point));
        let mut scaled = |column: usize, row: &[i64], factor: f64| {
            // Nothing to carry where values do not add up: they are only made finer.
            if row[column] == 0 || factor.fract() == 0.0 {
                return scaled(row[column], factor);
            }
            let (sum, given) = sums.entry((context, column)).or_default();
            *sum = sum.saturating_add(row[column]);
            let all = scaled(*sum, factor);
            let own = all.saturating_sub(*given);
            *given = all;
            own
        };
        for (metric, (factors, &finer)) in factors.iter().zip(finer).enumerate() {
            let [base, new] = factors.map(|factor| factor * 10f64.powi(finer.into()));
            let of = |side: Side| side.of(metric);
            row[of(Side::Base)] = scaled(of(Side::Base), row, base);
            row[of(Side::New)] = scaled(of(Side::New), row, new);
            // A point has a value on one side only.
            row[of(Side::Both)] = row[of(Side::Base)].saturating_add(row[of(Side::New)]);
        }
    }
    // Of the three columns of a metric, those of a side are 0 in the rows of the other.
    let totals = &mut profile.function_totals;
    let width = totals.metrics.len().max(1);
    for row in totals.values.chunks_mut(width) {
        for (sides, &column) in row.chunks_mut(3).zip(totals.metrics.iter().step_by(3)) {
            let finer = 10f64.powi(finer[column / 3].into());
            let [base, new] = factors[column / 3].map(|factor| factor * finer);
            sides[0] = scaled(sides[0], base);
            sides[1] = scaled(sides[1], new);
            sides[2] = sides[0].saturating_add(sides[1]);
        }
    }
}

/// By metric of the merge, how far scaling may have moved the value that a run has of a node: every
/// point was rounded to a whole number and lost what floating-point numbers do not hold.
fn roundings(
    profile: &Profile,
    metrics: usize,
    factors: &[[f64; 2]],
    runs: [usize; 2],
) -> Vec<f64> {
    let runs = runs[0].max(runs[1]) as f64;
    let mut points = vec![vec![0u64; metrics]; profile.members.len().max(1)];
    let mut largest = vec![0u64; metrics];
    for point in 0..profile.points.len() {
        let counts = &mut points[profile.points.member(point).index()];
        let row = profile.points.row(point);
        for (metric, count) in counts.iter_mut().enumerate() {
            let value = row[Side::Both.of(metric)].unsigned_abs();
            *count += u64::from(value != 0);
            largest[metric] = largest[metric].max(value);
        }
    }
    (0..metrics)
        .map(|metric| match factors[metric] {
            [1.0, 1.0] => 0.0,
            _ => {
                let most = points.iter().map(|counts| counts[metric]).max().unwrap_or(0) as f64;
                most * runs * (1.0 + largest[metric] as f64 * 2.0 * f64::EPSILON)
            }
        })
        .collect()
}

/// How likely chance alone makes the runs of a node differ as they do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Significance {
    /// The test of the node alone.
    pub test: MannWhitney,
    /// Its p-value adjusted for all nodes that were tested.
    pub adjusted: f64,
}

impl Significance {
    /// What the share of chance findings among those believed may be.
    pub const LEVEL: f64 = 0.05;
    /// Nodes with less than this share of the program are not tested: too few samples, too many
    /// tests.
    pub const LEAST_SHARE: f64 = 0.01;

    /// Whether the difference is to be believed.
    pub fn is_believed(&self) -> bool {
        self.adjusted <= Significance::LEVEL
    }
}

impl Groups {
    /// Whether there are runs enough on both sides to tell change from noise, each of them a
    /// member.
    pub fn can_test(&self) -> bool {
        self.runs == self.members && self.runs.iter().all(|&runs| runs > 1)
    }

    /// The values of the runs of either side, given those of [`Side::Both`] by part; each in what
    /// one run has, in a metric of the merge.
    pub fn values(&self, parts: &[MemberId], metric: usize, by_part: &[i64]) -> [Vec<f64>; 2] {
        let (base, new) = by_part.split_at(self.base_parts(parts).min(by_part.len()));
        let of_run = |values: &[i64], runs: usize| -> Vec<f64> {
            values.iter().map(|&value| measured(value) as f64 * runs as f64).collect()
        };
        let [of_base, of_new] = if self.is_mean[metric] { self.runs } else { [1, 1] };
        [of_run(base, of_base), of_run(new, of_new)]
    }

    /// Tests the total values of the nodes of a tree down from the root, whose shares are not too
    /// small, in a metric of the merge. Mann and Whitney's test, which takes few and skewed runs;
    /// Benjamini and Hochberg's control of false discoveries over all nodes that are tested.
    pub fn significance(&self, tree: &mut Tree, metric: usize) -> HashMap<u32, Significance> {
        if !self.can_test() {
            return HashMap::new();
        }
        let both = Side::Both.of(metric);
        let total = tree.filtered().program_total(both) as f64;
        let least = total * Significance::LEAST_SHARE;
        let mut nodes: Vec<u32> = vec![NodeId::ROOT.0];
        let mut open = vec![NodeId::ROOT];
        while let Some(node) = open.pop() {
            for child in tree.children(node) {
                let (_, value) = tree.values(NodeId(child), both);
                if value as f64 >= least && nodes.len() < Groups::MOST_TESTS {
                    nodes.push(child);
                    open.push(NodeId(child));
                }
            }
        }
        let parts = tree.filtered().parts().to_vec();
        let sums = nodes.into_iter().map(|node| {
            let MemberSums { total, .. } = tree.member_sums(NodeId(node), &[both]);
            (node, total)
        });
        self.test(&parts, metric, sums)
    }

    /// How many of the parts belong to the base.
    pub fn base_parts(&self, parts: &[MemberId]) -> usize {
        parts.partition_point(|part| part.index() < self.members[0])
    }

    /// Tests numbered things, each with its values of [`Side::Both`] of a metric of the merge by
    /// part.
    pub fn test(
        &self,
        parts: &[MemberId],
        metric: usize,
        things: impl Iterator<Item = (u32, Vec<i64>)>,
    ) -> HashMap<u32, Significance> {
        let tests: Vec<(u32, MannWhitney)> = things
            .filter_map(|(thing, by_member)| {
                let [mut base, mut new] = self.values(parts, metric, &by_member);
                bring_together(&mut base, &mut new, 2.0 * self.rounding[metric]);
                Some((thing, mann_whitney(&base, &new, Method::Divisions)?))
            })
            .collect();
        let p_values: Vec<f64> = tests.iter().map(|(_, test)| test.p_value).collect();
        let adjusted = false_discovery(&p_values);
        let found = |((thing, test), adjusted)| (thing, Significance { test, adjusted });
        tests.into_iter().zip(adjusted).map(found).collect()
    }

    /// Most nodes that are tested, the outer ones first along each path.
    const MOST_TESTS: usize = 20_000;
}

/// Makes values equal that are no further apart than `tolerance`, from the smallest on.
fn bring_together(base: &mut [f64], new: &mut [f64], tolerance: f64) {
    let mut all: Vec<&mut f64> = base.iter_mut().chain(new).collect();
    all.sort_unstable_by(|a, b| a.total_cmp(b));
    let mut first = f64::NEG_INFINITY;
    for value in all {
        if *value - first <= tolerance { *value = first } else { first = *value }
    }
}

/// Splits every metric by whether the member of a point comes before `first_new`.
fn side_by_side(mut profile: Profile, first_new: MemberId) -> Profile {
    let old = std::mem::take(&mut profile.points);
    let mut points = Points::new(3 * profile.metrics.len());
    points.reserve(old.len());
    let mut row = vec![0; 3 * profile.metrics.len()];
    for index in 0..old.len() {
        let point = old.get(index);
        let side = if point.member < first_new { Side::Base } else { Side::New };
        row.fill(0);
        for (metric, &value) in old.row(index).iter().enumerate() {
            row[side.of(metric)] = value;
            row[Side::Both.of(metric)] = value;
        }
        points.push_point(point, &row);
    }
    profile.points = points;
    let named = |metric: &Metric, side: Side, word: &str| {
        let weight = metric.combining.weight.map(|weight| side.of(weight));
        let combining = Combining { weight, ..metric.combining };
        Metric { name: format!("{} ({word})", metric.name), combining, ..metric.clone() }
    };
    let sides = [(Side::Base, "base"), (Side::New, "new"), (Side::Both, "both")];
    profile.metrics = (profile.metrics.iter())
        .flat_map(|metric| sides.map(|(side, word)| named(metric, side, word)))
        .collect();
    profile.function_totals = sided_totals(&profile.function_totals, first_new);
    profile.origin.default_metric = Side::Both.of(profile.origin.default_metric);
    profile
}

/// Stored totals with three columns for each metric: those of base, new and both.
fn sided_totals(totals: &FunctionTotals, first_new: MemberId) -> FunctionTotals {
    let sides = [Side::Base, Side::New, Side::Both];
    let metrics = totals.metrics.iter().flat_map(|&metric| sides.map(|side| side.of(metric)));
    let mut sided = FunctionTotals::new(metrics.collect());
    let width = totals.metrics.len();
    for (row, (&function, &member)) in totals.function.iter().zip(&totals.member).enumerate() {
        let is_new = member >= first_new;
        let own = |value: i64| if is_new { [0, value, value] } else { [value, 0, value] };
        let values = &totals.values[row * width..][..width];
        let values: Vec<i64> = values.iter().flat_map(|&value| own(value)).collect();
        sided.push(function, member, &values);
    }
    sided
}

/// A value, or 0 where there is none.
fn measured(value: i64) -> i64 {
    if value == NO_VALUE { 0 } else { value }
}

/// How a value changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Change {
    /// In the base.
    pub base: i64,
    /// In the new profile.
    pub new: i64,
}

/// What kind of change it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tag {
    /// Only the new profile has it.
    Added,
    /// Only the base has it.
    Deleted,
    /// More in the new profile.
    Larger,
    /// Less in the new profile.
    Smaller,
    /// The same, but for noise.
    Unchanged,
}

impl Tag {
    /// Its sign, which stands beside names.
    pub fn sign(self) -> &'static str {
        match self {
            Tag::Added => "[A]",
            Tag::Deleted => "[D]",
            Tag::Larger => "[+]",
            Tag::Smaller => "[-]",
            Tag::Unchanged => "[=]",
        }
    }
}

impl Change {
    /// New less base; held at the limits of 64 bits.
    pub fn difference(self) -> i64 {
        measured(self.new).saturating_sub(measured(self.base))
    }

    /// New over base; none if the base is 0, or a side has no value.
    pub fn ratio(self) -> Option<f64> {
        let has_both = self.base != NO_VALUE && self.new != NO_VALUE;
        (self.base != 0 && has_both).then(|| self.new as f64 / self.base as f64)
    }

    /// The kind of change. Differences up to `noise` of the larger value (0.01 is one percent) are
    /// none.
    pub fn tag(self, noise: f64) -> Tag {
        let (base, new) = (measured(self.base), measured(self.new));
        let larger = base.unsigned_abs().max(new.unsigned_abs()) as f64;
        match (base, new) {
            (base, new) if base == new => Tag::Unchanged,
            (0, _) => Tag::Added,
            (_, 0) => Tag::Deleted,
            (base, new) if base.abs_diff(new) as f64 <= noise * larger => Tag::Unchanged,
            (base, new) if new > base => Tag::Larger,
            _ => Tag::Smaller,
        }
    }
}
