//! What a sample stands for.

/// Allocations are counted in these parts of one.
pub const PARTS: u64 = 1000;

/// Bytes, and [`PARTS`] of blocks, that a block which is a sample stands for; without a mean every block is one.
#[must_use]
pub fn stands_for(size: u64, mean: u64) -> (u64, u64) {
    if mean == 0 {
        return (size, PARTS);
    }
    let size = size.max(1) as f64;
    let chance = -(-size / mean as f64).exp_m1();
    ((size / chance).round() as u64, (PARTS as f64 / chance).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_blocks_stand_for_themselves_and_small_ones_for_many() {
        assert_eq!(stands_for(100, 0), (100, 1000));
        assert_eq!(stands_for(1 << 30, 1 << 16), (1 << 30, 1000));
        let (bytes, blocks) = stands_for(32, 1 << 16);
        assert_eq!((bytes, blocks), (65552, 2_048_500));
    }
}
