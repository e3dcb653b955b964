//! What each factor does by itself, and what two do together.

use super::contrast::ratio_of_ratios;
use super::{Contrast, Estimate, Pairs, Runs, Selection, Values, contrast};
use crate::statistics::false_discovery;

/// Effects of all factors.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Effects {
    /// Of each level but the first of each factor, against that.
    pub single: Vec<Effect>,
    /// Of each two factors, for each two levels, against their first ones.
    pub together: Vec<Interaction>,
}

/// What one level of a factor does.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// The factor.
    pub factor: usize,
    /// The level, against the first one.
    pub level: usize,
    /// By how much, on average over all levels of the others.
    pub contrast: Contrast,
    /// See [`Difference::q`](super::Difference::q), over all effects of both kinds.
    pub q: f64,
}

/// What two factors do that neither does alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Interaction {
    /// The factors.
    pub factors: [usize; 2],
    /// The level of each, against its first one.
    pub levels: [usize; 2],
    /// How many times the product of the two effects it is: 1 where they act independently.
    pub ratio: Estimate,
    /// How likely chance alone makes it as far from 1.
    pub p: f64,
    /// As that of effects.
    pub q: f64,
}

/// Effects of all factors on a metric. Where the first level of a factor was not measured, those of it
/// are missing.
pub fn effects(runs: &Runs, values: &Values) -> Effects {
    let mut found = Effects::default();
    let of = |factor: usize, level: usize| {
        let factor = &runs.factors[factor];
        Selection::level(&factor.name, &factor.levels[level])
    };
    for (factor, one) in runs.factors.iter().enumerate() {
        for level in 1..one.levels.len() {
            let pairs = Pairs::of(runs, &of(factor, 0), &of(factor, level));
            if let Some(contrast) = contrast(runs, values, &pairs) {
                found.single.push(Effect { factor, level, q: contrast.p, contrast });
            }
        }
    }
    for first in 0..runs.factors.len() {
        for second in first + 1..runs.factors.len() {
            for a in 1..runs.factors[first].levels.len() {
                for b in 1..runs.factors[second].levels.len() {
                    let within = |level: usize| within(runs, (first, a), (second, level));
                    let (at_base, at_new) = common(runs, second, within(0), within(b));
                    if at_base.pairs.is_empty() {
                        continue;
                    }
                    let told = ratio_of_ratios(runs, values, [&at_base, &at_new]);
                    if let Some((ratio, p)) = told {
                        let (factors, levels) = ([first, second], [a, b]);
                        found.together.push(Interaction { factors, levels, ratio, p, q: p });
                    }
                }
            }
        }
    }
    let p_values: Vec<f64> = found
        .single
        .iter()
        .map(|one| one.contrast.p)
        .chain(found.together.iter().map(|one| one.p))
        .collect();
    let q_values = false_discovery(&p_values);
    let (single, together) = q_values.split_at(found.single.len());
    found.single.iter_mut().zip(single).for_each(|(one, &q)| one.q = q);
    found.together.iter_mut().zip(together).for_each(|(one, &q)| one.q = q);
    found
}

/// Pairs of a level with the first one of a factor, where another factor has a level.
fn within(
    runs: &Runs,
    (factor, level): (usize, usize),
    (other, other_level): (usize, usize),
) -> Pairs {
    let selection = |level: usize| {
        let factor = &runs.factors[factor];
        Selection::level(&factor.name, &factor.levels[level])
    };
    let mut pairs = Pairs::of(runs, &selection(0), &selection(level));
    let has = |&cell: &usize| runs.cells[cell].levels[other] == Some(other_level);
    pairs.pairs.retain(|(base, new)| base.iter().chain(new).all(has));
    pairs
}

/// The pairs of both that have partners there: the same levels of all factors but `besides`.
fn common(runs: &Runs, besides: usize, mut one: Pairs, mut other: Pairs) -> (Pairs, Pairs) {
    let rest = |cells: &[usize]| -> Vec<Vec<Option<usize>>> {
        let of = |&cell: &usize| {
            let mut levels = runs.cells[cell].levels.clone();
            levels[besides] = None;
            levels
        };
        cells.iter().map(of).collect()
    };
    let key = |(base, new): &(Vec<usize>, Vec<usize>)| (rest(base), rest(new));
    let [first, second] =
        [&one, &other].map(|pairs| pairs.pairs.iter().map(key).collect::<Vec<_>>());
    one.pairs.retain(|pair| second.contains(&key(pair)));
    other.pairs.retain(|pair| first.contains(&key(pair)));
    (one, other)
}
