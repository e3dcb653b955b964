//! What each factor does by itself, and what two do together.

use std::collections::BTreeMap;

use super::contrast::ratio_of_ratios;
use super::{Contrast, Estimate, Pairs, Runs, Values, contrast};
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

/// A cell of the first level of a factor, and one of another level that is equal in all else.
type Pair = (usize, usize);

/// Effects of all factors on a metric. Where the first level of a factor was not measured, those of it
/// are missing. Takes as long as there are pairs of cells, for each two factors.
pub fn effects(runs: &Runs, values: &Values) -> Effects {
    let mut found = Effects::default();
    for first in 0..runs.factors.len() {
        for (a, pairs) in by_level(runs, first) {
            if let Some(contrast) = contrast(runs, values, &side_by_side(&pairs)) {
                found.single.push(Effect { factor: first, level: a, q: contrast.p, contrast });
            }
            for second in first + 1..runs.factors.len() {
                for (b, [at_base, at_new]) in within(runs, &pairs, second) {
                    let sides = [side_by_side(&at_base), side_by_side(&at_new)];
                    if let Some((ratio, p)) = ratio_of_ratios(runs, values, sides.each_ref()) {
                        let (factors, levels) = ([first, second], [a, b]);
                        found.together.push(Interaction { factors, levels, ratio, p, q: p });
                    }
                }
            }
        }
    }
    found.together.sort_by_key(|one| (one.factors, one.levels));
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

/// By each other level of a factor, its pairs with the first one.
fn by_level(runs: &Runs, factor: usize) -> BTreeMap<usize, Vec<Pair>> {
    let mut blocks: BTreeMap<Vec<Option<usize>>, BTreeMap<usize, usize>> = BTreeMap::new();
    for (number, cell) in runs.cells.iter().enumerate().filter(|(_, cell)| !cell.runs.is_empty()) {
        let Some(level) = cell.levels[factor] else { continue };
        blocks.entry(without(&cell.levels, factor)).or_default().insert(level, number);
    }
    let mut found: BTreeMap<usize, Vec<Pair>> = BTreeMap::new();
    for cells in blocks.into_values() {
        let Some(&base) = cells.get(&0) else { continue };
        for (level, new) in cells.into_iter().filter(|&(level, _)| level > 0) {
            found.entry(level).or_default().push((base, new));
        }
    }
    found
}

/// By each other level of another factor, the pairs at its first level and those at this one that are
/// equal in all else.
fn within(runs: &Runs, pairs: &[Pair], other: usize) -> BTreeMap<usize, [Vec<Pair>; 2]> {
    let mut blocks: BTreeMap<Vec<Option<usize>>, BTreeMap<usize, Pair>> = BTreeMap::new();
    for &pair in pairs {
        let levels = &runs.cells[pair.0].levels;
        let Some(level) = levels[other] else { continue };
        blocks.entry(without(levels, other)).or_default().insert(level, pair);
    }
    let mut found: BTreeMap<usize, [Vec<Pair>; 2]> = BTreeMap::new();
    for pairs in blocks.into_values() {
        let Some(&at_base) = pairs.get(&0) else { continue };
        for (level, at_new) in pairs.into_iter().filter(|&(level, _)| level > 0) {
            let sides = found.entry(level).or_default();
            sides[0].push(at_base);
            sides[1].push(at_new);
        }
    }
    found
}

fn without(levels: &[Option<usize>], factor: usize) -> Vec<Option<usize>> {
    let mut rest = levels.to_vec();
    rest[factor] = None;
    rest
}

fn side_by_side(pairs: &[Pair]) -> Pairs {
    let pairs = pairs.iter().map(|&(base, new)| (vec![base], vec![new])).collect();
    Pairs { pairs, ..Pairs::default() }
}
