//! Whether the centres of two groups differ.

use super::Centre;
use super::random::Random;

/// The answer of [`permutation`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Permutation {
    /// The centre of the second group less that of the first.
    pub difference: f64,
    /// The share of the divisions into groups of these sizes whose difference is at least as far
    /// from zero.
    pub p_value: f64,
    /// Whether every division was looked at.
    pub exact: bool,
}

/// Fisher's permutation test of the difference of centres, two-sided. Where there are at most
/// `divisions` ways to divide the values, all are looked at; else so many are drawn by chance, and
/// the one that was observed counts among them, so that no p-value is zero (Phipson and Smyth,
/// *Permutation p-values should never be zero*, 2010). The same `seed` gives the same answer. Takes
/// `divisions` times the number of values.
///
/// None if a group is empty, a value is not finite, or a difference is beyond all numbers.
pub fn permutation(
    first: &[f64],
    second: &[f64],
    centre: Centre,
    divisions: usize,
    seed: u64,
) -> Option<Permutation> {
    let mut values = [first, second].concat();
    if first.is_empty() || second.is_empty() || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let own = first.len();
    let mut drawn = values.clone();
    let mut difference_of = |values: &[f64]| {
        drawn.copy_from_slice(values);
        let (first, second) = drawn.split_at_mut(own);
        centre.of(second) - centre.of(first)
    };
    let difference = difference_of(&values);
    if !difference.is_finite() {
        return None;
    }
    // Sums in another order round differently: what is as far must not seem nearer.
    let largest = values.iter().fold(0.0f64, |largest, value| largest.max(value.abs()));
    let reach = difference.abs() - 1e-13 * largest;
    let ways = ways(values.len(), own).filter(|&ways| ways <= divisions);
    let (mut far, mut seen) = (0usize, 0usize);
    let mut count = |values: &[f64]| {
        far += usize::from(difference_of(values).abs() >= reach);
        seen += 1;
    };
    if ways.is_some() {
        let mut chosen: Vec<usize> = (0..own).collect();
        let mut divided = values.clone();
        loop {
            divide(&values, &chosen, &mut divided);
            count(&divided);
            if !advance(&mut chosen, values.len()) {
                break;
            }
        }
    } else {
        count(&values);
        let mut random = Random::new(seed);
        for _ in 0..divisions {
            for index in 0..own {
                let from = index + random.below(values.len() - index);
                values.swap(index, from);
            }
            count(&values);
        }
    }
    Some(Permutation { difference, p_value: far as f64 / seen as f64, exact: ways.is_some() })
}

/// In how many ways `own` of `all` can be chosen, if that can be counted.
fn ways(all: usize, own: usize) -> Option<usize> {
    (1..=own.min(all - own)).try_fold(1usize, |ways, i| {
        let more = ways as u128 * (all - i + 1) as u128 / i as u128;
        usize::try_from(more).ok()
    })
}

/// Puts the chosen values first.
fn divide(values: &[f64], chosen: &[usize], divided: &mut [f64]) {
    let (mut first, mut second) = (0, chosen.len());
    for (index, &value) in values.iter().enumerate() {
        let place = if chosen.get(first) == Some(&index) { &mut first } else { &mut second };
        divided[*place] = value;
        *place += 1;
    }
}

/// The next choice in order; false after the last.
fn advance(chosen: &mut [usize], all: usize) -> bool {
    let own = chosen.len();
    let Some(place) = (0..own).rev().find(|&place| chosen[place] < all - own + place) else {
        return false;
    };
    chosen[place] += 1;
    for later in place + 1..own {
        chosen[later] = chosen[later - 1] + 1;
    }
    true
}
