//! Values of both sides brought to one scale: means over runs, normalised totals.

use std::collections::HashMap;
use std::sync::Arc;

use profile::{ContextId, FunctionTotals, MemberId, Metric, MetricId, Profile};
use work::steps;

use super::Comparison;
use super::comparison::is_divided;
use super::sides::Side;
use super::significance::Groups;
use crate::MergeNote;
use crate::time::Length;
use crate::{
    FilterError, Filtered, FrameKeys, Granularity, Pattern, flat_values, matching_frames,
    matching_keys,
};

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

impl Comparison {
    /// The comparison with values that are means, of as many runs as each side is made of, base
    /// first, and that are normalised. Scaled values are rounded to a millionth of what the merge
    /// told them in, or to what sums leave room for. What is 0 on a side, and should be equal on
    /// both, leaves values as they are.
    pub fn scaled(
        self,
        runs: [usize; 2],
        normalise: &Normalise,
    ) -> Result<Comparison, FilterError> {
        let Comparison { mut profile, mut metrics, mut notes, mut groups, matches, frames } = self;
        let runs = runs.map(|runs| runs.max(1));
        // Values that do not add up over members are those of a run as they are.
        groups.is_mean = metrics.iter().map(is_divided).collect();
        let mut factors: Vec<[f64; 2]> = (groups.is_mean.iter())
            .map(|&is_mean| runs.map(|runs| if is_mean { 1.0 / runs as f64 } else { 1.0 }))
            .collect();
        if *normalise != Normalise::Absolute {
            let shared = Arc::new(profile);
            let mut unscaled = vec![];
            for (metric, factors) in (0..).map(MetricId).zip(&mut factors) {
                let [base, new] = totals(&shared, metric, normalise)?;
                let (base, new) = (base as f64 * factors[0], new as f64 * factors[1]);
                if base != 0.0 && new != 0.0 {
                    factors[1] *= base / new;
                } else if base != new || *normalise != Normalise::Total {
                    unscaled.push(metrics[metric.index()].name.clone());
                }
            }
            if !unscaled.is_empty() {
                notes.push(MergeNote::Unscaled(unscaled));
            }
            profile = Arc::unwrap_or_clone(shared);
        }
        if factors.iter().flatten().any(|&factor| factor != 1.0) {
            let finer: Vec<u8> = (metrics.iter().zip(&factors).zip((0..).map(MetricId)))
                .map(|((metric, factors), id)| finer(&profile, id, metric, factors))
                .collect();
            // How long something lasted is not a mean.
            let length = Length::new(&profile);
            if !length.is_unknown() {
                let points = &profile.points;
                let lengths = (0..points.len()).map(|point| length.of_point(points, point));
                let lengths = lengths.collect();
                profile.points.keep_lengths(lengths);
            }
            scale(&mut profile, &factors, &finer);
            groups.rounding = roundings(&profile, metrics.len(), &factors, runs);
            if *normalise == Normalise::Absolute {
                groups.finer.clone_from(&finer);
            }
            let columns = profile.metrics.chunks_mut(3);
            for ((metric, finer), sides) in metrics.iter_mut().zip(finer).zip(columns) {
                metric.decimals += finer;
                sides.iter_mut().for_each(|side| side.decimals = metric.decimals);
            }
        }
        let groups = Groups { runs, ..groups };
        Ok(Comparison { profile, metrics, notes, groups, matches, frames })
    }
}

/// A comparison's profile with values that are means of the runs that filters leave, where its own
/// are means of all its runs; none if these are the same. `parts` are those of a view (see
/// [`Filtered::parts`]). The points of runs that are left out keep values without a meaning.
pub fn means_of(profile: &Profile, groups: &Groups, parts: &[MemberId]) -> Option<Profile> {
    let kept = groups.kept(parts);
    if kept == groups.runs {
        return None;
    }
    let mut profile = profile.clone();
    let runs = groups.runs.map(|runs| runs as f64);
    let metrics = groups.is_mean.len();
    let (mut whole, mut shares) = (vec![[1.0; 2]; metrics], vec![[1.0; 2]; metrics]);
    let mut finer = vec![0; metrics];
    for metric in (0..metrics).filter(|&metric| groups.is_mean[metric]) {
        // No point is left of a side without runs.
        let of_kept = [0, 1].map(|side| 1.0 / kept[side].max(1) as f64);
        let unit = 10f64.powi(groups.finer[metric].into());
        // Means that are fine enough tell the sums that they came of.
        if unit > 2.0 * runs[0].max(runs[1]) {
            whole[metric] = runs.map(|runs| runs / unit);
            shares[metric] = of_kept;
            finer[metric] = groups.finer[metric];
        } else {
            shares[metric] = [0, 1].map(|side| runs[side] * of_kept[side]);
        }
    }
    scale_each(&mut profile, &whole);
    scale(&mut profile, &shares, &finer);
    Some(profile)
}

/// The totals of both sides that normalising makes equal.
fn totals(
    profile: &Arc<Profile>,
    metric: MetricId,
    normalise: &Normalise,
) -> Result<[i64; 2], FilterError> {
    let sides = [Side::Base, Side::New].map(|side| side.of(metric));
    let Normalise::Frame(expression) = normalise else {
        return Ok(sides.map(|metric| profile.metric_total(metric).0));
    };
    let filtered = Filtered::new(profile.clone(), &[], true)?;
    let keys = FrameKeys::new(profile, Granularity::Function);
    let pattern = Pattern::typed(expression)?;
    let matching = matching_keys(&keys, &matching_frames(&filtered, &pattern));
    // All matching functions as one group, so that what calls itself counts once.
    let group: Vec<u32> =
        keys.keys().iter().map(|&key| u32::from(!matching[key.index()])).collect();
    Ok(sides.map(|metric| flat_values(&filtered, &group, 2, metric).total_value[0]))
}

/// How many more decimals the values of a metric of the merge can have once they are scaled.
fn finer(profile: &Profile, id: MetricId, metric: &Metric, factors: &[f64; 2]) -> u8 {
    let values = profile.points.values(Side::Both.of(id));
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
    let mut sums = HashMap::<(ContextId, usize), (i64, i64)>::new();
    for point in steps("scaling", 0..profile.points.len() as u32) {
        let context = profile.points.context[point as usize];
        let row = profile.points.row_mut(profile::PointId(point));
        let mut carried = |column: usize, row: &[i64], factor: f64| {
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
        for (metric, (factors, &finer)) in (0..).map(MetricId).zip(factors.iter().zip(finer)) {
            let [base, new] = factors.map(|factor| factor * 10f64.powi(finer.into()));
            let of = |side: Side| side.of(metric).index();
            row[of(Side::Base)] = carried(of(Side::Base), row, base);
            row[of(Side::New)] = carried(of(Side::New), row, new);
            // A point has a value on one side only.
            row[of(Side::Both)] = row[of(Side::Base)].saturating_add(row[of(Side::New)]);
        }
    }
    let factors: Vec<[f64; 2]> = (factors.iter().zip(finer))
        .map(|(factors, &finer)| factors.map(|factor| factor * 10f64.powi(finer.into())))
        .collect();
    scale_totals(&mut profile.function_totals, &factors);
}

/// Brings the value of each point to scale, and stored totals.
fn scale_each(profile: &mut Profile, factors: &[[f64; 2]]) {
    for point in steps("scaling", 0..profile.points.len() as u32) {
        let row = profile.points.row_mut(profile::PointId(point));
        row.chunks_mut(3).zip(factors).for_each(|(sides, &factors)| scale_sides(sides, factors));
    }
    scale_totals(&mut profile.function_totals, factors);
}

/// Brings stored totals to scale, by metric of the merge.
fn scale_totals(totals: &mut FunctionTotals, factors: &[[f64; 2]]) {
    let width = totals.metrics.len().max(1);
    for row in totals.values.chunks_mut(width) {
        for (sides, &column) in row.chunks_mut(3).zip(totals.metrics.iter().step_by(3)) {
            scale_sides(sides, factors[Side::metric_of(column).index()]);
        }
    }
}

/// Brings the three columns of a metric to scale: those of a side are 0 in the rows of the other.
fn scale_sides(sides: &mut [i64], [base, new]: [f64; 2]) {
    sides[0] = scaled(sides[0], base);
    sides[1] = scaled(sides[1], new);
    sides[2] = sides[0].saturating_add(sides[1]);
}

fn scaled(value: i64, factor: f64) -> i64 {
    (value as f64 * factor).round() as i64
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
        for (metric, count) in (0..).map(MetricId).zip(counts) {
            let value = row[Side::Both.of(metric).index()].unsigned_abs();
            *count += u64::from(value != 0);
            let largest = &mut largest[metric.index()];
            *largest = value.max(*largest);
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
