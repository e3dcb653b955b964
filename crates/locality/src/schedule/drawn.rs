//! Which thread is done next.

/// Threads and the iterations that they end, in the order in which they do.
pub(super) fn drawn(threads: u64, count: u64, seed: u64) -> Vec<(u64, u64)> {
    // Splitmix64.
    let mut state = seed;
    let mut draw = |below: u64| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut all = state;
        all = (all ^ (all >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        all = (all ^ (all >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (all ^ (all >> 31)) % below
    };
    let mut held: Vec<(u64, u64)> = (0..threads.min(count)).map(|own| (own, own)).collect();
    let mut next = held.len() as u64;
    let mut out = vec![];
    while !held.is_empty() {
        let at = draw(held.len() as u64) as usize;
        out.push(held[at]);
        if next < count {
            held[at].1 = next;
            next += 1;
        } else {
            held.remove(at);
        }
    }
    out
}
