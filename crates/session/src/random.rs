//! Numbers that are other ones in every process.

use std::hash::{BuildHasher as _, RandomState};

/// A number that is another one in every process, from what seeds hash tables.
pub(crate) fn random() -> u64 {
    RandomState::new().hash_one(0)
}
