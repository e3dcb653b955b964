//! What a program holds in memory and where it got it, as samples of its allocations tell it.
//!
//! ```text
//! bytes     ....|........|..|...............|.....       marks at random distances, `mean` bytes on average
//! blocks    [ ][    ][ ][][      ][ ][  ]  [ ][ ]        a block with a mark in it is a sample
//! ```
//! A block of `size` bytes is a sample with probability `1 - exp(-size / mean)`, and counts as the inverse of
//! that many blocks, so that sums are right on average whatever the sizes are.

mod ledger;
mod reserved;
mod rows;
mod weight;

pub use ledger::{Block, Ledger, Taken};
pub use reserved::{
    FIRST_OTHER, FURTHER_OUT, NO_FUNCTION, NO_PARENT, OTHER_INTERPRETER, THREAD,
    WITHOUT_INTERPRETER,
};
pub use rows::{Most, Row, Snapshot, Step, pack, unpack};
pub use weight::{PARTS, stands_for};
