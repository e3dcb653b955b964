//! What a program holds in memory and where it got it, as samples of its allocations tell it.
//!
//! ```text
//! bytes     ....|........|..|...............|.....       marks at random distances, `mean` bytes on average
//! blocks    [ ][    ][ ][][      ][ ][  ]  [ ][ ]        a block with a mark in it is a sample
//! ```
//! A block of `size` bytes is a sample with probability `1 - exp(-size / mean)`, and counts as the inverse of
//! that many blocks, so that sums are right on average whatever the sizes are.

mod ledger;
mod rows;

pub use ledger::{Block, Ledger, Taken};
pub use rows::{Most, Row, Snapshot, Step, pack, unpack};

/// Stands for the context that has none above it.
pub const NO_PARENT: u32 = u32::MAX;

/// Steps with functions from here on are of no function, but of what the number says.
pub const FIRST_OTHER: u32 = u32::MAX - 4;
/// The thread that `line` is the number of; contexts begin with one.
pub const THREAD: u32 = u32::MAX;
/// What was allocated without the interpreter: nobody may look at its stacks then.
pub const WITHOUT_INTERPRETER: u32 = u32::MAX - 1;
/// What was allocated by another interpreter of the process.
pub const OTHER_INTERPRETER: u32 = u32::MAX - 2;
/// Calls that are further out than stacks are followed.
pub const FURTHER_OUT: u32 = u32::MAX - 3;
/// What was allocated while no function of Python ran.
pub const NO_FUNCTION: u32 = FIRST_OTHER;

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
