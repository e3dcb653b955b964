//! Clocks of the kernel.

use rustix::time::{ClockId, clock_gettime};

/// The clock of [`std::time::Instant`], in nanoseconds.
pub(crate) fn monotonic() -> i64 {
    nanoseconds(ClockId::Monotonic)
}

/// What a clock shows, in nanoseconds.
pub(crate) fn nanoseconds(clock: ClockId) -> i64 {
    let time = clock_gettime(clock);
    time.tv_sec.saturating_mul(1_000_000_000).saturating_add(time.tv_nsec)
}
