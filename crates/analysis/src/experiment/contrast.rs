//! How much larger something is on one side than on the other.

use super::{Pairs, Runs, Values};
use crate::statistics::{Interval, Shift, student_quantile, student_two_sided};

/// What a difference is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contrast {
    /// Means of the two sides: each pair counts alike, in it each cell.
    pub base: f64,
    /// The same of the new side.
    pub new: f64,
    /// How many times the base the new side is: the geometric mean over pairs. None where a cell has
    /// a mean of 0 or below, or where scatter is not known.
    pub ratio: Option<Estimate>,
    /// By how much the new side is larger, in the unit: the mean over pairs.
    pub difference: Estimate,
    /// How likely chance alone makes a difference as large, if there is none; 1 where scatter is not
    /// known.
    pub p: f64,
    /// Whether the scatter is known, so that intervals say something: every cell has several runs.
    pub is_known: bool,
    /// Pairs that were compared.
    pub pairs: usize,
    /// Runs that counted on both sides together.
    pub runs: usize,
}

/// A value with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// In 95 of 100 experiments the true value is between these; the value itself on both sides where
    /// the scatter is not known.
    pub low: f64,
    /// See `low`.
    pub high: f64,
}

/// Mean and scatter of a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moments {
    pub(super) mean: f64,
    /// Variance of the mean; none of a single run.
    pub(super) variance: Option<f64>,
    pub(super) freedom: f64,
    pub(super) runs: usize,
}

/// A weighted sum of independent estimates with their variances.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    value: f64,
    variance: f64,
    /// Sum of squares of variances over their degrees of freedom, after Welch and Satterthwaite.
    squares: f64,
    is_known: bool,
}

pub(super) const CONFIDENCE: f64 = 0.05;

impl Sum {
    fn new() -> Sum {
        Sum { is_known: true, ..Sum::default() }
    }

    fn add(&mut self, weight: f64, value: f64, variance: Option<f64>, freedom: f64) {
        self.value += weight * value;
        match variance {
            Some(variance) if freedom > 0.0 => {
                let part = weight * weight * variance;
                self.variance += part;
                self.squares += part * part / freedom;
            }
            _ => self.is_known = false,
        }
    }

    fn freedom(&self) -> f64 {
        if self.squares > 0.0 { self.variance * self.variance / self.squares } else { f64::MAX }
    }

    fn estimate(&self) -> Estimate {
        let half = self.half();
        Estimate { value: self.value, low: self.value - half, high: self.value + half }
    }

    fn half(&self) -> f64 {
        if !self.is_known || self.variance == 0.0 {
            return 0.0;
        }
        let quantile = student_quantile(CONFIDENCE, self.freedom().min(1e6)).unwrap_or(0.0);
        quantile * self.variance.sqrt()
    }

    fn p(&self) -> f64 {
        if !self.is_known {
            return 1.0;
        }
        if self.variance == 0.0 {
            // Counts that are the same in every run.
            return if self.value == 0.0 { 1.0 } else { 0.0 };
        }
        student_two_sided(self.value / self.variance.sqrt(), self.freedom().min(1e6))
    }
}

/// What a metric is on both sides of pairs, of which those count where both sides were measured; none
/// where no pair was.
pub fn contrast(runs: &Runs, values: &Values, pairs: &Pairs) -> Option<Contrast> {
    let cell = |cell: usize| moments(runs, values, cell);
    let side =
        |cells: &[usize]| -> Option<Vec<Moments>> { cells.iter().map(|&c| cell(c)).collect() };
    let measured: Vec<(Vec<Moments>, Vec<Moments>)> =
        pairs.pairs.iter().filter_map(|(base, new)| side(base).zip(side(new))).collect();
    if measured.is_empty() {
        return None;
    }
    let (mut difference, mut ratio) = (Sum::new(), Sum::new());
    let (mut base_mean, mut new_mean) = (0.0, 0.0);
    let each = 1.0 / measured.len() as f64;
    let mut is_positive = true;
    let mut count = 0;
    for (base, new) in &measured {
        for (moments, sign) in base.iter().map(|m| (m, -1.0)).chain(new.iter().map(|m| (m, 1.0))) {
            let size = if sign < 0.0 { base.len() } else { new.len() } as f64;
            let weight = each / size;
            count += moments.runs;
            *(if sign < 0.0 { &mut base_mean } else { &mut new_mean }) += weight * moments.mean;
            difference.add(sign * weight, moments.mean, moments.variance, moments.freedom);
            if moments.mean > 0.0 {
                // By the delta method.
                let relative = moments.variance.map(|variance| variance / moments.mean.powi(2));
                ratio.add(sign * weight, moments.mean.ln(), relative, moments.freedom);
            } else {
                is_positive = false;
            }
        }
    }
    // Two cells are two sets of runs, compared as everywhere.
    if let [(base, new)] = &measured[..]
        && let ([_], [_]) = (&base[..], &new[..])
        && let Some(shift) = of_two_cells(runs, values, pairs)
    {
        let estimate = |of: Interval| Estimate { value: of.estimate, low: of.low, high: of.high };
        return Some(Contrast {
            base: base_mean,
            new: new_mean,
            ratio: shift.ratio.map(estimate),
            difference: estimate(shift.difference),
            p: shift.p_value,
            is_known: true,
            pairs: 1,
            runs: count,
        });
    }
    let times = is_positive.then(|| {
        let Estimate { value, low, high } = ratio.estimate();
        Estimate { value: value.exp(), low: low.exp(), high: high.exp() }
    });
    Some(Contrast {
        base: base_mean,
        new: new_mean,
        ratio: times,
        difference: difference.estimate(),
        // Times scatter in proportion to what they are.
        p: if is_positive { ratio.p() } else { difference.p() },
        is_known: difference.is_known,
        pairs: measured.len(),
        runs: count,
    })
}

/// The runs of the only pair of single cells of which both were measured.
fn of_two_cells(runs: &Runs, values: &Values, pairs: &Pairs) -> Option<Shift> {
    let of = |cells: &[usize]| -> Vec<f64> {
        let all = cells.iter().flat_map(|&cell| runs.cells[cell].runs.iter());
        all.filter_map(|&run| values[run]).collect()
    };
    let both = pairs.pairs.iter().map(|(base, new)| (of(base), of(new)));
    let mut both = both.filter(|(base, new)| !base.is_empty() && !new.is_empty());
    let (base, new) = both.next()?;
    Shift::new(&base, &new)
}

/// Whether two factors act together: by how much the ratio of one side of `first` is another on the new
/// side of `second`. `pairs` are the pairs of the one within each level of the other.
pub(super) fn ratio_of_ratios(
    runs: &Runs,
    values: &Values,
    [at_base, at_new]: [&Pairs; 2],
) -> Option<(Estimate, f64)> {
    let mut sum = Sum::new();
    for (pairs, sign) in [(at_base, -1.0), (at_new, 1.0)] {
        let each = 1.0 / pairs.pairs.len() as f64;
        for (base, new) in &pairs.pairs {
            for (cells, side) in [(base, -1.0), (new, 1.0)] {
                for &cell in cells {
                    let moments = moments(runs, values, cell).filter(|m| m.mean > 0.0)?;
                    let relative = moments.variance.map(|variance| variance / moments.mean.powi(2));
                    let weight = sign * side * each / cells.len() as f64;
                    sum.add(weight, moments.mean.ln(), relative, moments.freedom);
                }
            }
        }
    }
    let Estimate { value, low, high } = sum.estimate();
    let told = Estimate { value: value.exp(), low: low.exp(), high: high.exp() };
    Some((told, sum.p()))
}

/// Of two measurements of one cell, each of as many runs as cells have, 95 of 100 pairs differ by less
/// than this share, by the scatter within cells; none where no cell ran twice.
pub fn noise_floor(runs: &Runs, values: &Values) -> Option<f64> {
    let mut shares = vec![];
    for cell in 0..runs.cells.len() {
        let Some(moments) = moments(runs, values, cell) else { continue };
        let Some(variance) = moments.variance.filter(|_| moments.mean > 0.0) else { continue };
        shares.push(variance / moments.mean.powi(2));
    }
    let count = shares.len() as f64;
    (count > 0.0).then(|| 1.96 * (2.0 * shares.iter().sum::<f64>() / count).sqrt())
}

/// Mean and scatter of the runs of a cell that were measured; none where none was.
pub(super) fn moments(runs: &Runs, values: &Values, cell: usize) -> Option<Moments> {
    let all: Vec<f64> = runs.cells[cell].runs.iter().filter_map(|&run| values[run]).collect();
    let count = all.len() as f64;
    if all.is_empty() {
        return None;
    }
    let mean = all.iter().sum::<f64>() / count;
    let squares: f64 = all.iter().map(|value| (value - mean).powi(2)).sum();
    let variance = (all.len() > 1).then(|| squares / (count - 1.0) / count);
    Some(Moments { mean, variance, freedom: count - 1.0, runs: all.len() })
}
