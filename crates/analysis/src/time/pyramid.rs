//! Sums and the longest of any range of lengths, in time that depends on the logarithm of how many there
//! are: blocks of 16, blocks of 16 of these, and so on.

use std::ops::Range;

const BLOCK: usize = 16;

/// A length that has no room in 32 bits.
pub(super) const LONG: u32 = u32::MAX;

/// Blocks of lengths, about a byte a length.
#[derive(Debug, Clone, Default)]
pub(super) struct Pyramid {
    /// From blocks of 16 lengths on, each level a sixteenth of the one before.
    levels: Vec<Vec<Block>>,
}

#[derive(Debug, Clone, Copy)]
struct Block {
    longest: u32,
    /// That of the longest, or [`LONG`].
    length: u32,
    sum: i64,
}

/// What a range of lengths is together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Together {
    /// Place and length of the longest; of equal ones the first.
    pub(super) longest: (usize, i64),
    /// Held at the limit of 64 bits.
    pub(super) sum: i64,
}

impl Together {
    fn with(known: Option<Together>, place: usize, length: i64, sum: i64) -> Together {
        match known {
            None => Together { longest: (place, length), sum },
            Some(Together { longest, sum: before }) => {
                let is_longer =
                    (length, std::cmp::Reverse(place)) > (longest.1, std::cmp::Reverse(longest.0));
                let longest = if is_longer { (place, length) } else { longest };
                Together { longest, sum: before.saturating_add(sum) }
            }
        }
    }
}

impl Block {
    fn length(&self, length: impl Fn(usize) -> i64) -> i64 {
        match self.length {
            LONG => length(self.longest as usize),
            known => known.into(),
        }
    }
}

impl Pyramid {
    /// `part` is what of a length counts in sums.
    pub(super) fn new(
        count: usize,
        length: impl Fn(usize) -> i64,
        part: impl Fn(usize) -> i64,
    ) -> Pyramid {
        let mut levels: Vec<Vec<Block>> = vec![];
        let mut below = count;
        while below > BLOCK {
            let blocks = below.div_ceil(BLOCK);
            let mut level = Vec::with_capacity(blocks);
            for block in 0..blocks {
                let mut together = None;
                for place in block * BLOCK..((block + 1) * BLOCK).min(below) {
                    together = Some(match levels.last() {
                        None => Together::with(together, place, length(place), part(place)),
                        Some(level) => {
                            let block = level[place];
                            Together::with(
                                together,
                                block.longest as usize,
                                block.length(&length),
                                block.sum,
                            )
                        }
                    });
                }
                if let Some(Together { longest, sum }) = together {
                    let length = u32::try_from(longest.1).unwrap_or(LONG);
                    level.push(Block { longest: longest.0 as u32, length, sum });
                }
            }
            levels.push(level);
            below = blocks;
        }
        Pyramid { levels }
    }

    /// Nothing for an empty range.
    pub(super) fn range(
        &self,
        range: Range<usize>,
        length: impl Fn(usize) -> i64,
        part: impl Fn(usize) -> i64,
    ) -> Option<Together> {
        let (mut first, mut end) = (range.start, range.end);
        let mut together = None;
        let mut level = None;
        let take = |together: &mut Option<Together>, level: Option<usize>, place: usize| {
            *together = Some(match level {
                None => Together::with(*together, place, length(place), part(place)),
                Some(level) => {
                    let block = self.levels[level][place];
                    Together::with(
                        *together,
                        block.longest as usize,
                        block.length(&length),
                        block.sum,
                    )
                }
            });
        };
        loop {
            let above = level.map_or(0, |level| level + 1);
            let is_top = above >= self.levels.len();
            while first < end && (is_top || !first.is_multiple_of(BLOCK)) {
                take(&mut together, level, first);
                first += 1;
            }
            while first < end && !end.is_multiple_of(BLOCK) {
                end -= 1;
                take(&mut together, level, end);
            }
            if first >= end {
                return together;
            }
            (first, end) = (first / BLOCK, end / BLOCK);
            level = Some(above);
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.levels.iter().map(|level| level.capacity() * size_of::<Block>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_range_is_what_its_lengths_are() {
        let lengths: Vec<i64> = (0..10_000i64).map(|one| one * 7919 % 1013).collect();
        let of = |place: usize| lengths[place];
        let part = |place: usize| lengths[place] * (place as i64 % 3) / 2;
        let pyramid = Pyramid::new(lengths.len(), of, part);
        assert_eq!(pyramid.range(5..5, of, part), None);
        for (first, end) in [
            (0, 10_000),
            (0, 1),
            (63, 65),
            (64, 128),
            (1, 9_999),
            (4096, 8192),
            (100, 4200),
            (9_999, 10_000),
        ] {
            let longest = (first..end).rev().max_by_key(|&place| of(place)).unwrap_or(0);
            let sum = (first..end).map(part).sum();
            let expected = Together { longest: (longest, of(longest)), sum };
            assert_eq!(pyramid.range(first..end, of, part), Some(expected), "{first}..{end}");
        }
    }
}
