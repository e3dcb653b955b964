//! A random number generator whose sequence never changes: the bench files must
//! be the same on every machine and with every version of every crate.

/// Splitmix64: small, fast, and good enough for made-up profiles.
pub(super) struct Random {
    state: u64,
}

impl Random {
    /// Generators with different seeds are independent, even if the seeds are neighbours.
    pub(super) fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0xd129_0d3c_3a1c_9d3b) }
    }

    pub(super) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, every one equally likely.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    /// A number in `low..=high`.
    pub(super) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// A number below `limit`, small ones much more likely: about what Zipf's law
    /// says, since the density falls with the inverse of the square root of the
    /// rank and twice over with `skewed(skewed(limit))`.
    pub(super) fn skewed(&mut self, limit: usize) -> usize {
        let fraction = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        (fraction * fraction * limit as f64) as usize
    }

    /// True in `percent` of a hundred cases.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
