//! Which of many times in order is the first from a time on.

use std::ops::Range;

const BLOCK: usize = 16;

/// Every sixteenth of times in order: searches touch these, which are few and beside each other, and one
/// stretch of all.
#[derive(Debug, Clone, Default)]
pub(super) struct Begins {
    every: Vec<i64>,
    count: usize,
}

impl Begins {
    pub(super) fn new(count: usize, begin: impl Fn(usize) -> i64) -> Begins {
        Begins { every: (0..count).step_by(BLOCK).map(begin).collect(), count }
    }

    /// The first at `time` or behind it. All before `known` are before it.
    pub(super) fn first_from(
        &self,
        known: usize,
        time: i64,
        begin: impl Fn(usize) -> i64,
    ) -> usize {
        let blocks = known / BLOCK..self.every.len();
        let block = search(blocks, |block| self.every[block] < time);
        let first = (block.max(1) - 1) * BLOCK;
        let places = first.max(known)..(block * BLOCK).min(self.count);
        // The first of a block is known.
        let mut places = places.start.min(places.end)..places.end;
        while !places.is_empty() {
            let middle = places.start + places.len() / 2;
            if begin(middle) < time {
                places.start = middle + 1;
            } else {
                places.end = middle;
            }
        }
        places.start
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.every.capacity() * 8
    }
}

/// The first of which something no longer holds; sooner found where it is near the first place.
pub(super) fn search(places: Range<usize>, holds: impl Fn(usize) -> bool) -> usize {
    let (mut first, mut end) = (places.start, places.end);
    let mut step = 1;
    while first < end && step < end - first {
        if !holds(first + step - 1) {
            end = first + step - 1;
            break;
        }
        first += step;
        step *= 2;
    }
    while first < end {
        let middle = first + (end - first) / 2;
        if holds(middle) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_from_any_time_on_is_found() {
        for count in [0, 1, 15, 16, 17, 32, 100, 5_000] {
            let times: Vec<i64> = (0..count).map(|at: i64| at * 7 / 3 % 4 + at / 5 * 4).collect();
            let mut times = times;
            times.sort_unstable();
            let begins = Begins::new(times.len(), |at| times[at]);
            for time in -1..times.last().map_or(3, |last| last + 3) {
                let expected = times.partition_point(|&one| one < time);
                for known in [0, expected / 2, expected.saturating_sub(1), expected] {
                    let found = begins.first_from(known, time, |at| times[at]);
                    assert_eq!(found, expected, "{time} of {count} from {known}");
                }
            }
        }
    }
}
