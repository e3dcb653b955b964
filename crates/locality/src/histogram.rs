//! How often which stack distance occurred.

use rustc_hash::FxHashMap;

/// Distances below are counted in a table.
const SMALL: usize = 1024;

/// Counts by stack distance.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Histogram {
    small: Vec<u64>,
    large: FxHashMap<u64, u64>,
    /// First touches of a line.
    pub cold: u64,
    /// Touches of lines that were touched before, further away than was followed.
    pub far: u64,
}

/// Misses of a fully associative cache that gives way to what was least recently used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Misses {
    /// First touches of a line.
    pub cold: u64,
    /// Others, which a larger cache would not have.
    pub capacity: u64,
}

impl Misses {
    /// Both.
    pub fn all(self) -> u64 {
        self.cold + self.capacity
    }
}

impl Histogram {
    /// Counts touches of a distance.
    pub(crate) fn add(&mut self, distance: u64, times: u64) {
        match usize::try_from(distance) {
            Ok(small) if small < SMALL => {
                if self.small.is_empty() {
                    self.small = vec![0; SMALL];
                }
                self.small[small] += times;
            }
            _ => *self.large.entry(distance).or_default() += times,
        }
    }

    /// Counts what there is more than before, so many times again.
    pub(crate) fn repeat(&mut self, before: &Histogram, times: u64) {
        for (at, own) in self.small.iter_mut().enumerate() {
            let old = before.small.get(at).copied().unwrap_or(0);
            *own += (*own - old) * times;
        }
        for (distance, own) in &mut self.large {
            let old = before.large.get(distance).copied().unwrap_or(0);
            *own += (*own - old) * times;
        }
        self.cold += (self.cold - before.cold) * times;
        self.far += (self.far - before.far) * times;
    }

    /// Counts what another has, too.
    pub fn merge(&mut self, other: &Histogram) {
        for (distance, count) in other.counts() {
            self.add(distance, count);
        }
        self.cold += other.cold;
        self.far += other.far;
    }

    /// Distances that occurred and how often, in no order.
    pub fn counts(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let small = (0u64..).zip(self.small.iter().copied()).filter(|(_, count)| *count > 0);
        small.chain(self.large.iter().map(|(&distance, &count)| (distance, count)))
    }

    /// All touches.
    pub fn total(&self) -> u64 {
        self.counts().map(|(_, count)| count).sum::<u64>() + self.cold + self.far
    }

    /// Misses in a cache of so many lines; right for as many as were followed.
    pub fn misses(&self, lines: u64) -> Misses {
        let near = self.counts().filter(|(distance, _)| *distance >= lines);
        Misses { cold: self.cold, capacity: near.map(|(_, count)| count).sum::<u64>() + self.far }
    }

    /// The smallest, the median (the lower of the two in the middle) and the largest distance; none of
    /// what was touched once, and none that is beyond what was followed.
    pub fn summary(&self) -> Option<[u64; 3]> {
        let mut counts: Vec<(u64, u64)> = self.counts().collect();
        counts.sort_unstable();
        let all: u64 = counts.iter().map(|(_, count)| count).sum();
        let mut rest = all.checked_sub(1)? / 2;
        let middle = counts.iter().find(|(_, count)| match rest.checked_sub(*count) {
            Some(left) => {
                rest = left;
                false
            }
            None => true,
        });
        Some([counts.first()?.0, middle?.0, counts.last()?.0])
    }
}
