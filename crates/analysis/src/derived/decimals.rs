//! How many decimals the values of a formula have: large ones have room in 64 bits, small ones keep digits.

use std::collections::HashMap;

use profile::{Metric, MetricId, Profile, unit_scale};

use super::metrics::Definition;
use super::{Derived, Pair};
use crate::formula::{Formula, Which};
use crate::statistics::Times;

/// Least and most decimals of ratios and of values with a unit, where their size asks for no others.
const RATIO: (u8, u8) = (6, 12);
const WITH_UNIT: (u8, u8) = (3, 9);

/// How far a formula may exceed the largest of what it is of before its values reach 64 bits.
const HEADROOM: f64 = 1e6;

/// Small values have so many digits at least, and then as many as are wanted if there is room.
const LEAST_DIGITS: f64 = 6.0;
const WANTED_DIGITS: f64 = 9.0;

/// What 64 bits hold, as a power of 10, with some room; and with more of it for parts that are larger than
/// those that were looked at.
const MOST_OF_WHOLE: f64 = 18.5;
const MOST_OF_POINTS: f64 = 17.5;

/// Of so many points, spread over all of them, it is looked at how large values are.
const MOST_POINTS: usize = 1000;
/// The same of contexts, where values of members are compared.
const MOST_CONTEXTS: usize = 200;

/// The decimals for values of a formula over a profile.
pub(super) fn of(derived: &Derived, profile: &Profile) -> u8 {
    let Definition::Formula(formula) = &derived.definition else { return derived.metric.decimals };
    let decimals = f64::from(by_inputs(formula, profile));
    let sizes = Sizes::new(derived, profile);
    let Sizes { whole, usual, largest } = sizes;
    // What grew and what fell cancel each other in the whole.
    let Some(size) = whole.into_iter().chain(usual).reduce(f64::max) else {
        return decimals as u8;
    };
    let size = size.floor();
    let wanted = if size + decimals + 1.0 < LEAST_DIGITS {
        (WANTED_DIGITS - 1.0 - size).max(decimals)
    } else {
        decimals
    };
    // Ratios of parts may be larger than that of the whole.
    let part = largest.filter(|&part| whole.is_none_or(|whole| part > whole));
    let room = |most: f64, size: Option<f64>| size.map_or(18.0, |size| most - size);
    let room = room(MOST_OF_WHOLE, whole).min(room(MOST_OF_POINTS, part));
    wanted.min(room.floor()).clamp(0.0, 18.0) as u8
}

/// As many as the sizes of what it is of leave room for.
fn by_inputs(formula: &Formula, profile: &Profile) -> u8 {
    let (least, most) = if formula.unit().is_ratio() { RATIO } else { WITH_UNIT };
    let magnitude = |metric: MetricId| -> f64 {
        let sum: f64 = profile.points.values(metric).map(|value| value.unsigned_abs() as f64).sum();
        let Metric { unit, decimals, .. } = profile.metric(metric);
        // In the unit of the formula, if that is finer.
        let finer = unit_scale(unit).0 as f64 / unit_scale(&formula.unit().to_string()).0 as f64;
        sum / 10f64.powi((*decimals).into()) * finer.max(1.0)
    };
    let largest = formula.inputs().iter().map(|input| magnitude(input.metric)).fold(1.0, f64::max);
    let room = (i64::MAX as f64 / (largest * HEADROOM)).log10().floor();
    room.clamp(least.into(), most.into()) as u8
}

/// How large values are, as powers of 10; none where all are 0 or there is none.
#[derive(Default)]
struct Sizes {
    /// Of the whole program, where it is made of sums.
    whole: Option<f64>,
    /// Of its parts: the mean of powers.
    usual: Option<f64>,
    largest: Option<f64>,
}

impl Sizes {
    fn new(derived: &Derived, profile: &Profile) -> Sizes {
        // What combines in other ways is not larger than its points.
        let is_sum = derived.inputs.iter().all(|(combining, _)| combining.is_sum());
        let mut sizes = Sizes::default();
        if derived.formula().is_some_and(Formula::needs_parts) {
            let order = Times::of_order(profile.members.len().max(1));
            let all = ByMember::of(derived, profile);
            sizes.whole = all.size(derived, order.as_ref()).filter(|_| is_sum);
            let stride = profile.contexts.len() / MOST_CONTEXTS + 1;
            let contexts = (0..profile.contexts.len() as u32).step_by(stride);
            let mut parts: HashMap<u32, ByMember> =
                contexts.map(|context| (context, ByMember::new(derived, profile))).collect();
            for point in 0..profile.points.len() {
                if let Some(part) = parts.get_mut(&profile.points.context[point].0) {
                    part.add(derived, profile, point);
                }
            }
            sizes.add(parts.values().filter_map(|part| part.size(derived, order.as_ref())));
        } else {
            let sum = |&metric: &MetricId| profile.metric_total(metric).0;
            let sums: Vec<i64> = derived.metrics.iter().map(sum).collect();
            sizes.whole = size(derived, &sums, &sums, None).filter(|_| is_sum);
            let points = (0..profile.points.len()).step_by(profile.points.len() / MOST_POINTS + 1);
            sizes.add(points.filter_map(|point| {
                let row = profile.points.row(point);
                let row: Vec<i64> = derived.metrics.iter().map(|of| row[of.index()]).collect();
                size(derived, &row, &row, None)
            }));
        }
        sizes
    }

    fn add(&mut self, parts: impl Iterator<Item = f64>) {
        let (mut sum, mut count) = (0.0, 0.0);
        for size in parts {
            (sum, count) = (sum + size, count + 1.0);
            self.largest = Some(self.largest.map_or(size, |most| most.max(size)));
        }
        self.usual = (count > 0.0).then(|| sum / count);
    }
}

/// The size of a value of these totals; the larger one of that of a leaf and of what only calls.
fn size(derived: &Derived, totals: &[i64], parts: &[i64], order: Option<&Times>) -> Option<f64> {
    let of = |is_leaf: bool| {
        let pair = |&total: &i64| Pair { own: if is_leaf { total } else { 0 }, total };
        let values: Vec<Pair> = totals[..derived.inputs.len()].iter().map(pair).collect();
        let parts: Vec<Pair> = parts.iter().map(pair).collect();
        let value = derived.exact(Which::Total, &values, &parts, order)?;
        Some(value.abs().log10()).filter(|size| size.is_finite())
    };
    of(true).into_iter().chain(of(false)).reduce(f64::max)
}

/// Sums by member and needed metric.
struct ByMember(Vec<i64>);

impl ByMember {
    fn new(derived: &Derived, profile: &Profile) -> ByMember {
        ByMember(vec![0; profile.members.len().max(1) * derived.metrics.len()])
    }

    fn of(derived: &Derived, profile: &Profile) -> ByMember {
        let mut sums = ByMember::new(derived, profile);
        (0..profile.points.len()).for_each(|point| sums.add(derived, profile, point));
        sums
    }

    fn add(&mut self, derived: &Derived, profile: &Profile, point: usize) {
        let first = profile.points.member(point).index() * derived.metrics.len();
        let row = profile.points.row(point);
        for (sum, metric) in self.0[first..].iter_mut().zip(&derived.metrics) {
            *sum = sum.saturating_add(row[metric.index()]);
        }
    }

    fn size(&self, derived: &Derived, order: Option<&Times>) -> Option<f64> {
        let metrics = derived.metrics.len();
        let sum = |metric: usize| {
            self.0
                .iter()
                .skip(metric)
                .step_by(metrics)
                .fold(0, |sum: i64, one| sum.saturating_add(*one))
        };
        let totals: Vec<i64> = (0..metrics).map(sum).collect();
        size(derived, &totals, &self.0, order)
    }
}
