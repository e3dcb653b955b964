//! What events are stamped with.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use calltrace::Anchor;

static USES_TSC: AtomicBool = AtomicBool::new(false);

/// Chooses the clock: the processor's counter where the system keeps time by it, since that is the same on
/// all processors then and takes half as long to read.
pub(crate) fn choose() {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let source = read("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    let flags = read("/proc/cpuinfo");
    let has = |flag| flags.split_whitespace().any(|one| one == flag);
    let is_steady = has("constant_tsc") && has("nonstop_tsc") && source.trim() == "tsc";
    USES_TSC.store(cfg!(target_arch = "x86_64") && is_steady, Relaxed);
}

/// What the clock is called.
pub(crate) fn name() -> &'static str {
    if USES_TSC.load(Relaxed) { "tsc" } else { "monotonic" }
}

/// The ticks now.
#[inline]
pub(crate) fn ticks() -> u64 {
    #[cfg(target_arch = "x86_64")]
    if USES_TSC.load(Relaxed) {
        // SAFETY: reads a counter that every processor of this kind has.
        return unsafe { core::arch::x86_64::_rdtsc() };
    }
    nanoseconds(libc::CLOCK_MONOTONIC)
}

/// The time by all clocks.
pub(crate) fn anchor() -> Anchor {
    // The closest of some tries: something may come in between.
    let tries = (0..5).map(|_| {
        let before = ticks();
        let anchor = Anchor {
            ticks: before,
            monotonic_ns: nanoseconds(libc::CLOCK_MONOTONIC),
            wall_ns: nanoseconds(libc::CLOCK_REALTIME),
        };
        let took = ticks().wrapping_sub(before);
        (took, Anchor { ticks: before.wrapping_add(took / 2), ..anchor })
    });
    tries.min_by_key(|(took, _)| *took).map_or(Anchor::default(), |(_, anchor)| anchor)
}

fn nanoseconds(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the system writes into `time` alone.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
