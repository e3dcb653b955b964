//! Whether an address may be that of a sample: what almost all blocks that are given back are answered by.
//!
//! A byte for each KiB of addresses says how many samples begin there. Neighbours of a program's heap are neighbours
//! here, so that the bytes which are looked at are in the cache; addresses a GiB apart share one.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

const BITS: u32 = 10;
const BYTES: usize = 1 << 20;

/// Counts; one that reached the most stays.
static COUNTS: [AtomicU8; BYTES] = [const { AtomicU8::new(0) }; BYTES];

#[inline]
fn count(address: usize) -> &'static AtomicU8 {
    &COUNTS[address >> BITS & (BYTES - 1)]
}

/// Whether a sample may be at an address.
#[inline]
pub(super) fn may_be(address: usize) -> bool {
    count(address).load(Relaxed) != 0
}

/// A sample is there. One thread at a time adds and removes.
pub(super) fn add(address: usize) {
    let count = count(address);
    count.store(count.load(Relaxed).saturating_add(1), Relaxed);
}

/// It is no longer there.
pub(super) fn remove(address: usize) {
    let count = count(address);
    let now = count.load(Relaxed);
    if now != u8::MAX {
        count.store(now.saturating_sub(1), Relaxed);
    }
}

/// None is anywhere.
pub(super) fn clear() {
    for count in &COUNTS {
        // What was never written takes no memory, and stays so.
        if count.load(Relaxed) != 0 {
            count.store(0, Relaxed);
        }
    }
}
