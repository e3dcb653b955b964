//! Where a history of values jumps.

use crate::statistics::{student_quantile, student_two_sided};

/// What was measured at one point of a history.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The values of its runs.
    pub values: Vec<f64>,
}

/// A history of values, oldest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    /// In order.
    pub steps: Vec<Step>,
}

/// Where values change, and by how much.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangePoint {
    /// The first step after the change.
    pub step: usize,
    /// Mean of the runs since the change before, or since the beginning.
    pub before: f64,
    /// Mean of the runs until the next change, or until the end.
    pub after: f64,
    /// The difference of the two means is between these, in 95 of 100 histories.
    pub low: f64,
    /// See `low`.
    pub high: f64,
    /// How likely runs that do not change have a jump as large anywhere: the p of the best place, times
    /// the number of places.
    pub p: f64,
}

/// All changes that chance alone makes with a probability of at most `rate`, found by dividing at the
/// surest place, and again what is left on either side (Scott and Knott 1974; Welch's test instead of
/// theirs, held by Bonferroni for the number of places). The scatter is that of single runs, so runs of
/// one step must not have more in common than those of different steps: steps that were measured at
/// different times should take turns.
pub fn changes(history: &History, rate: f64) -> Vec<ChangePoint> {
    let mut bounds = vec![0, history.steps.len()];
    let mut sure = vec![];
    let mut open = vec![(0, history.steps.len())];
    while let Some((from, to)) = open.pop() {
        let places = to.saturating_sub(from).saturating_sub(1);
        let best = (from + 1..to)
            .filter_map(|at| {
                Some((at, welch(&history.values(from..at), &history.values(at..to))?.p))
            })
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((at, p)) = best else { continue };
        if p * places as f64 <= rate {
            sure.push((at, places));
            bounds.push(at);
            open.extend([(from, at), (at, to)]);
        }
    }
    bounds.sort_unstable();
    sure.sort_by_key(|&(at, _)| at);
    let of = |(at, places): (usize, usize)| {
        let place = bounds.binary_search(&at).ok()?;
        let (from, to) = (*bounds.get(place.checked_sub(1)?)?, *bounds.get(place + 1)?);
        let test = welch(&history.values(from..at), &history.values(at..to))?;
        let [before, after] = test.means;
        Some(ChangePoint {
            step: at,
            before,
            after,
            low: after - before - test.half,
            high: after - before + test.half,
            p: (test.p * places as f64).min(1.0),
        })
    };
    sure.into_iter().filter_map(of).collect()
}

impl History {
    fn values(&self, steps: std::ops::Range<usize>) -> Vec<f64> {
        self.steps[steps].iter().flat_map(|step| step.values.iter().copied()).collect()
    }
}

struct Welch {
    means: [f64; 2],
    half: f64,
    p: f64,
}

/// Welch's test of two means; none where one side has a single value or none.
fn welch(before: &[f64], after: &[f64]) -> Option<Welch> {
    let moments = |values: &[f64]| {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        (values.len() > 1).then(|| (mean, squares / (count - 1.0) / count, count - 1.0))
    };
    let ((a, va, fa), (b, vb, fb)) = (moments(before)?, moments(after)?);
    let variance = va + vb;
    if variance == 0.0 {
        return Some(Welch { means: [a, b], half: 0.0, p: if a == b { 1.0 } else { 0.0 } });
    }
    let freedom = variance * variance / (va * va / fa + vb * vb / fb);
    let half = student_quantile(0.05, freedom)? * variance.sqrt();
    let p = student_two_sided((b - a) / variance.sqrt(), freedom);
    Some(Welch { means: [a, b], half, p })
}
