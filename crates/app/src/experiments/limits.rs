//! How much is run and sent at most.

/// Most runs of a plan.
pub(super) const MOST_RUNS: u32 = 1000;
/// Most seconds that a run may take.
pub(super) const MOST_SECONDS: f64 = 3600.0;
/// Most bytes of a file that is sent.
pub(super) const MOST_UPLOAD_BYTES: u64 = 64 << 20;
