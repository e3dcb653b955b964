//! By how much two groups differ.

use super::Centre;
use super::centre::quantile;
use super::random::Random;

/// A difference and where it may lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The difference of the groups as they are.
    pub estimate: f64,
    /// Where the interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

/// The centre of the second group less that of the first, with a percentile interval of the
/// bootstrap (Efron, *Bootstrap methods: another look at the jackknife*, 1979): both groups are
/// drawn again, with replacement, `resamples` times, and the middle `confidence` (such as 0.95) of
/// the differences is the interval. The same `seed` gives the same interval. Takes `resamples`
/// times the number of values. The groups the other way round have the same interval with the
/// signs changed.
///
/// None if a group is empty, a value is not finite, `resamples` is 0, `confidence` is not between
/// 0 and 1, or a difference is beyond all numbers. Groups of less than some ten values know little
/// of their own spread: the interval is then too narrow.
pub fn bootstrap(
    first: &[f64],
    second: &[f64],
    centre: Centre,
    confidence: f64,
    resamples: usize,
    seed: u64,
) -> Option<Interval> {
    let finite = first.iter().chain(second).all(|value| value.is_finite());
    if first.is_empty() || second.is_empty() || !finite {
        return None;
    }
    if resamples == 0 || !(confidence > 0.0 && confidence < 1.0) {
        return None;
    }
    let order = first.iter().zip(second).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
    let order = order.unwrap_or(first.len().cmp(&second.len()));
    if order.is_gt() {
        return drawn(second, first, centre, confidence, resamples, seed).map(Interval::negated);
    }
    let interval = drawn(first, second, centre, confidence, resamples, seed)?;
    Some(if order.is_eq() { interval.symmetric() } else { interval })
}

impl Interval {
    fn negated(self) -> Interval {
        // Not -0.
        Interval { estimate: 0.0 - self.estimate, low: 0.0 - self.high, high: 0.0 - self.low }
    }

    /// Of two equal groups neither side is the larger.
    fn symmetric(self) -> Interval {
        let end = self.low.abs().max(self.high.abs());
        Interval { low: 0.0 - end, high: end, ..self }
    }
}

fn drawn(
    first: &[f64],
    second: &[f64],
    centre: Centre,
    confidence: f64,
    resamples: usize,
    seed: u64,
) -> Option<Interval> {
    let (mut from, mut to) = (first.to_vec(), second.to_vec());
    let estimate = centre.of(&mut to) - centre.of(&mut from);
    let mut random = Random::new(seed);
    let mut draw = |drawn: &mut [f64], group: &[f64]| {
        drawn.iter_mut().for_each(|value| *value = group[random.below(group.len())]);
        centre.of(drawn)
    };
    let mut differences: Vec<f64> = (0..resamples)
        .map(|_| {
            let from = draw(&mut from, first);
            draw(&mut to, second) - from
        })
        .collect();
    differences.sort_unstable_by(f64::total_cmp);
    let tail = (1.0 - confidence) / 2.0;
    let low = quantile(&differences, tail);
    let high = quantile(&differences, 1.0 - tail);
    let finite = [estimate, low, high].iter().all(|value| value.is_finite());
    finite.then_some(Interval { estimate, low, high })
}
