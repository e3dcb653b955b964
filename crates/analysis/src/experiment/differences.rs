//! Which functions make the difference.

use super::{Contrast, GroupValues, Pairs, Runs, contrast};
use crate::statistics::false_discovery;

/// What functions are on both sides.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Differences {
    /// Those on both sides, the largest differences that are believed first.
    pub both: Vec<Difference>,
    /// Those on one side alone, there in more than half of the runs, the largest first.
    pub one: Vec<Existing>,
    /// How many were on one side alone, but in fewer runs: a profiler that samples may have missed them
    /// on the other.
    pub rare: usize,
    /// How many were too small to be tested on their own.
    pub small: usize,
}

/// What one function is on both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The group of frames.
    pub group: usize,
    /// By how much it differs.
    pub contrast: Contrast,
    /// Of all that stay at or below a limit, at most that share is there by chance, after Benjamini
    /// and Hochberg.
    pub q: f64,
}

/// A function that only one side has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Existing {
    /// The group of frames.
    pub group: usize,
    /// Whether that is the new side.
    pub is_new: bool,
    /// Its mean there.
    pub mean: f64,
    /// Runs there in which it is, and all.
    pub runs: (usize, usize),
}

/// What is less than this share of the larger side is not tested: there are many such functions, and
/// each costs the others.
const LEAST_SHARE: f64 = 1e-4;

/// Compares every function; `limit` is the q up to which a difference is believed and stands before all
/// others.
pub fn differences(runs: &Runs, values: &GroupValues, pairs: &Pairs, limit: f64) -> Differences {
    let cells = |is_new: bool| -> Vec<usize> {
        let sides = pairs.pairs.iter();
        sides.flat_map(|(base, new)| if is_new { new } else { base }).copied().collect()
    };
    let rows = [false, true].map(|is_new| {
        let rows = cells(is_new).into_iter().flat_map(|cell| runs.cells[cell].runs.iter().copied());
        rows.collect::<Vec<usize>>()
    });
    let mut side_of = vec![None; runs.runs.len()];
    for (side, rows) in rows.iter().enumerate() {
        rows.iter().for_each(|&row| side_of[row] = Some(side));
    }
    let sums = |group: usize| {
        let mut sums = [(0.0, 0usize); 2];
        for &(run, value) in values.entries(group) {
            if let Some(side) = side_of[run as usize] {
                sums[side].0 += value;
                sums[side].1 += 1;
            }
        }
        sums
    };
    let all: Vec<[(f64, usize); 2]> = (0..values.len()).map(sums).collect();
    let whole = [0, 1].map(|side| all.iter().map(|sums| sums[side].0).sum::<f64>());
    let least = whole[0].max(whole[1]) * LEAST_SHARE;
    let mut found = Differences::default();
    for (group, sums) in all.iter().enumerate() {
        let [base, new] = *sums;
        if base.1 == 0 && new.1 == 0 {
            continue;
        }
        if base.0.abs().max(new.0.abs()) < least {
            found.small += 1;
            continue;
        }
        if base.1 == 0 || new.1 == 0 {
            let (side, (sum, count)) = if base.1 == 0 { (1, new) } else { (0, base) };
            let of = rows[side].len();
            if 2 * count <= of {
                found.rare += 1;
                continue;
            }
            let mean = sum / of.max(1) as f64;
            found.one.push(Existing { group, is_new: side == 1, mean, runs: (count, of) });
            continue;
        }
        if let Some(contrast) = contrast(runs, &values.values(group), pairs) {
            found.both.push(Difference { group, contrast, q: contrast.p });
        }
    }
    let p_values: Vec<f64> = found.both.iter().map(|one| one.contrast.p).collect();
    for (one, q) in found.both.iter_mut().zip(false_discovery(&p_values)) {
        one.q = q;
    }
    let size = |one: &Difference| one.contrast.difference.value.abs();
    found.both.sort_by(|a, b| {
        let is_believed = |one: &Difference| one.q <= limit;
        is_believed(b).cmp(&is_believed(a)).then(size(b).total_cmp(&size(a)))
    });
    found.one.sort_by(|a, b| b.mean.abs().total_cmp(&a.mean.abs()));
    found
}
