//! Time on processors of other processes.

/// What a process had of processors since it began, all of its threads together: nanoseconds. None where it is
/// gone, or may not be asked.
///
/// A clock of the kernel: `clock_getcpuclockid(3)` makes its number of a process's like this.
#[allow(unsafe_code, reason = "libraries know the clock of their own process only")]
pub(crate) fn processor_time(pid: i32) -> Option<u64> {
    const CPUCLOCK_SCHED: i32 = 2;
    let clock = !pid << 3 | CPUCLOCK_SCHED;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the kernel writes a time there.
    let failed = unsafe { libc::clock_gettime(clock, &raw mut time) };
    let seconds = u64::try_from(time.tv_sec).ok()?;
    (failed == 0).then(|| seconds.saturating_mul(1_000_000_000) + time.tv_nsec as u64)
}
