//! What several values of a metric are together, where they do not just add up.
//!
//! In a metric that does not add up a value of 0 counts as not measured: a point has an entry for
//! every metric, whether its record had one or not.

use std::collections::BTreeMap;

use profile::{Combine, Combining, MemberId, Metric, MetricId, Profile};

use crate::NO_VALUE;

/// Takes values one by one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fold {
    combine: Combine,
    count: u64,
    /// The sum (of values times weights for means), or the one value so far.
    value: i128,
    weight: i128,
    /// When the last value was.
    at: Option<i64>,
}

impl Fold {
    pub(crate) fn new(combine: Combine) -> Fold {
        Fold { combine, count: 0, value: 0, weight: 0, at: None }
    }

    /// Takes a value, measured at a time; without a weight all weigh the same. A value of 0 is one
    /// only if it has a weight.
    pub(crate) fn add(&mut self, value: i64, weight: Option<i64>, at: Option<i64>) {
        let is_weighted = self.combine == Combine::Mean && weight.is_some();
        if value == NO_VALUE || value == 0 && !is_weighted {
            return;
        }
        let (wide, weight) = (i128::from(value), i128::from(weight.unwrap_or(1).max(0)));
        let is_first = self.count == 0;
        match self.combine {
            Combine::Sum => self.value += wide,
            Combine::Mean if weight == 0 => return,
            Combine::Mean => self.value = self.value.saturating_add(wide.saturating_mul(weight)),
            Combine::Maximum if is_first || wide > self.value => self.value = wide,
            Combine::Minimum if is_first || wide < self.value => self.value = wide,
            Combine::Last if is_first || at >= self.at => self.value = wide,
            Combine::None => self.value = wide,
            Combine::Maximum | Combine::Minimum | Combine::Last => {}
        }
        self.at = self.at.max(at);
        self.weight = self.weight.saturating_add(weight);
        self.count += 1;
    }

    /// What the values are together; [`NO_VALUE`] if there are none, or several that do not
    /// combine. Means are rounded to the metric's decimals.
    pub(crate) fn value(&self) -> i64 {
        let value = match self.combine {
            _ if self.count == 0 => return NO_VALUE,
            Combine::None if self.count > 1 => return NO_VALUE,
            Combine::Mean => {
                let half = self.weight / 2;
                let away = if self.value < 0 { -half } else { half };
                self.value.saturating_add(away) / self.weight
            }
            _ => self.value,
        };
        value.clamp(i128::from(NO_VALUE) + 1, i64::MAX.into()) as i64
    }

    fn weight(&self) -> i64 {
        self.weight.clamp(0, i64::MAX.into()) as i64
    }
}

/// The values of one metric of a node, by part: first those of each context over time, then those
/// of all contexts.
#[derive(Debug)]
pub(crate) struct PartFolds {
    metric: MetricId,
    combining: Combining,
    parts: Vec<Fold>,
    /// Of the context that is being read, by part.
    context: BTreeMap<u32, Fold>,
}

impl PartFolds {
    pub(crate) fn new(profile: &Profile, metric: MetricId, parts: usize) -> PartFolds {
        let combining = profile.metric(metric).combining;
        let parts = vec![Fold::new(combining.contexts); parts];
        PartFolds { metric, combining, parts, context: BTreeMap::new() }
    }

    /// Takes the values and the time of a point of a part.
    pub(crate) fn add(&mut self, row: &[i64], at: Option<i64>, part: u32) {
        let weight = self.combining.weight.map(|weight| row[weight.index()]);
        if self.combining.time == self.combining.contexts {
            // Means of means would be rounded twice.
            self.parts[part as usize].add(row[self.metric.index()], weight, at)
        } else {
            let fold = self.context.entry(part).or_insert(Fold::new(self.combining.time));
            fold.add(row[self.metric.index()], weight, at);
        }
    }

    /// All points of a context were read.
    pub(crate) fn end_context(&mut self) {
        while let Some((part, fold)) = self.context.pop_first() {
            let weight = self.combining.weight.map(|_| fold.weight());
            self.parts[part as usize].add(fold.value(), weight, fold.at);
        }
    }

    /// By part, the value; [`NO_VALUE`] where there is none.
    pub(crate) fn values(&self) -> impl Iterator<Item = i64> {
        self.parts.iter().map(Fold::value)
    }
}

/// Gives metrics that are means three more decimals, for a mean of whole numbers is none. Those that have as
/// many stay, so that what is written and read again has the same.
pub fn refine_means(profile: &mut Profile) {
    const MORE: u8 = 3;
    let factor = 10i64.pow(MORE.into());
    for id in profile.metric_ids() {
        let Metric { combining, decimals, .. } = profile.metric(id);
        let Combining { contexts, time, members, .. } = combining;
        let is_mean = [contexts, time, members].contains(&&Combine::Mean);
        let fits = profile.points.values(id).all(|value| value.checked_mul(factor).is_some());
        if is_mean && *decimals < MORE && fits {
            profile.points.scale(id, factor);
            profile.metrics[id.index()].decimals += MORE;
        }
    }
}

/// By member, what the values of each metric are together; [`NO_VALUE`] where there is none. Sums
/// that leave 64 bits are held at the limit. None for a profile without members.
pub fn member_totals(profile: &Profile) -> Vec<Vec<i64>> {
    let points = &profile.points;
    let mut totals = vec![vec![]; profile.members.len()];
    if totals.is_empty() {
        return totals;
    }
    // Over time a context has one value, whatever contexts are together.
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    if profile.metrics.iter().any(|metric| !metric.combining.is_sum()) {
        order.sort_by_key(|&point| points.context[point as usize]);
    }
    for id in profile.metric_ids() {
        let member = |point: usize| points.member(point);
        let values: Vec<i64> = if profile.metric(id).combining.is_sum() {
            let mut sums = vec![0i64; totals.len()];
            for point in 0..points.len() {
                let sum = &mut sums[member(point).index()];
                *sum = sum.saturating_add(points.value(point, id));
            }
            sums
        } else {
            let mut folds = PartFolds::new(profile, id, totals.len());
            let mut last = None;
            for &point in &order {
                let context = points.context[point as usize];
                if last.replace(context).is_some_and(|last| last != context) {
                    folds.end_context();
                }
                let MemberId(part) = member(point as usize);
                let at = points.time(point as usize);
                folds.add(points.row(point as usize), at, part);
            }
            folds.end_context();
            folds.values().collect()
        };
        totals.iter_mut().zip(values).for_each(|(row, value)| row.push(value));
    }
    totals
}

/// `ranges` without what lies in `less`; both are disjoint each, every one of `less` in one of
/// `ranges`.
pub(crate) fn without(
    ranges: impl IntoIterator<Item = std::ops::Range<u32>>,
    less: impl IntoIterator<Item = std::ops::Range<u32>>,
) -> Vec<std::ops::Range<u32>> {
    let mut less: Vec<_> = less.into_iter().filter(|range| !range.is_empty()).collect();
    less.sort_unstable_by_key(|range| range.start);
    let mut left = vec![];
    for range in ranges {
        let first = less.partition_point(|inner| inner.end <= range.start);
        let mut start = range.start;
        for inner in less[first..].iter().take_while(|inner| inner.start < range.end) {
            if inner.start > start {
                left.push(start..inner.start);
            }
            start = start.max(inner.end);
        }
        if start < range.end {
            left.push(start..range.end);
        }
    }
    left
}
