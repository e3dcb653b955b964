//! Which lines of two texts differ, in time that depends on their lengths alone.

use std::collections::HashMap;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

/// Lines of an old text that lines of a new one stand for; one of the two may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hunk {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// Pairs of lines up to which two texts are compared as a whole. Texts without a common line cost
/// a nanosecond a pair; 5,000 lines are long for a source file.
const MOST_PAIRS: usize = 25_000_000;

/// The hunks between two texts, in order; what is between them is equal.
///
/// Long texts are first cut at the lines that occur once in both, as far as these are in the same
/// order (Cohen's patience diff). A piece that is still too long counts as changed.
pub(super) fn hunks(old: &[&str], new: &[&str]) -> Vec<Hunk> {
    if old.len().saturating_mul(new.len()) <= MOST_PAIRS {
        return piece(old, new, 0..old.len(), 0..new.len());
    }
    let mut hunks = vec![];
    let (mut old_at, mut new_at) = (0, 0);
    let end = (old.len(), new.len());
    for (old_line, new_line) in ascending(&unique_pairs(old, new)).into_iter().chain([end]) {
        let (old_range, new_range) = (old_at..old_line, new_at..new_line);
        if old_range.len().saturating_mul(new_range.len()) <= MOST_PAIRS {
            hunks.extend(piece(old, new, old_range, new_range));
        } else {
            hunks.push(Hunk { old: old_range, new: new_range });
        }
        (old_at, new_at) = (old_line + 1, new_line + 1);
    }
    hunks
}

fn piece(old: &[&str], new: &[&str], olds: Range<usize>, news: Range<usize>) -> Vec<Hunk> {
    let mut input = InternedInput::default();
    input.update_before(old[olds.clone()].iter().copied());
    input.update_after(new[news.clone()].iter().copied());
    let moved = |range: Range<u32>, by: usize| range.start as usize + by..range.end as usize + by;
    Diff::compute(Algorithm::Histogram, &input)
        .hunks()
        .map(|hunk| Hunk {
            old: moved(hunk.before, olds.start),
            new: moved(hunk.after, news.start),
        })
        .collect()
}

/// Old and new places of the lines that occur once in both texts, by old place.
fn unique_pairs(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let (olds, news) = (places(old), places(new));
    let mut pairs: Vec<(usize, usize)> =
        olds.iter().filter_map(|(line, place)| Some(((*place)?, (*news.get(line)?)?))).collect();
    pairs.sort_unstable();
    pairs
}

/// By line, where it is if it occurs once.
fn places<'a>(lines: &[&'a str]) -> HashMap<&'a str, Option<usize>> {
    let mut places = HashMap::new();
    for (place, line) in lines.iter().enumerate() {
        places.entry(*line).and_modify(|once| *once = None).or_insert(Some(place));
    }
    places
}

/// A longest part of the pairs whose second members ascend too.
fn ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // By length less one, the pair with the smallest second member that such a part ends with.
    let mut ends: Vec<usize> = vec![];
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, &(_, second)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < second);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut part: Vec<(usize, usize)> =
        std::iter::successors(ends.last().copied(), |&index| before[index])
            .map(|index| pairs[index])
            .collect();
    part.reverse();
    part
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Hunk, ascending, hunks, unique_pairs};

    #[test]
    fn long_texts_are_cut_at_unique_lines() {
        // Every hundredth line occurs once, all others are of two kinds.
        let text = |changed: usize| -> Vec<String> {
            let line = |line: usize| match line {
                _ if line == changed => "changed".to_owned(),
                _ if line.is_multiple_of(100) => format!("unique {line}"),
                _ => format!("{}", line % 2),
            };
            (0..20_000).map(line).collect()
        };
        let (old, new) = (text(usize::MAX), text(10_050));
        let (old, new): (Vec<&str>, Vec<&str>) =
            (old.iter().map(String::as_str).collect(), new.iter().map(String::as_str).collect());
        let changed = vec![Hunk { old: 10_050..10_051, new: 10_050..10_051 }];
        assert_eq!(hunks(&old, &new), changed);
    }

    #[test]
    fn what_has_nothing_in_common_ends_soon() {
        let (old, new) = (vec!["a"; 100_000], vec!["b"; 100_000]);
        assert_eq!(hunks(&old, &new), [Hunk { old: 0..100_000, new: 0..100_000 }]);
    }

    proptest! {
        #[test]
        fn cuts_are_equal_lines_in_order(
            old in prop::collection::vec("[a-m]", 0..30),
            new in prop::collection::vec("[a-m]", 0..30),
        ) {
            let (old, new): (Vec<&str>, Vec<&str>) =
                (old.iter().map(String::as_str).collect(), new.iter().map(String::as_str).collect());
            let pairs = unique_pairs(&old, &new);
            let cuts = ascending(&pairs);
            prop_assert!(cuts.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
            for &(from, to) in &cuts {
                prop_assert_eq!(old[from], new[to]);
            }
            // By brute force: the longest ascending part ending at each pair.
            let mut lengths = vec![0; pairs.len()];
            for index in 0..pairs.len() {
                let shorter = (0..index).filter(|&before| pairs[before].1 < pairs[index].1);
                lengths[index] = 1 + shorter.map(|before| lengths[before]).max().unwrap_or(0);
            }
            prop_assert_eq!(cuts.len(), lengths.into_iter().max().unwrap_or(0));
        }
    }
}
