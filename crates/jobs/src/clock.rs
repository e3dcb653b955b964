//! Time that leases are measured with.

use std::fs;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, clock_gettime};

/// A point in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// Which start of the machine it belongs to; moments of two starts cannot be compared.
    pub boot: String,
    /// How long the machine has been up, with the time that it slept. Setting its clock does not change
    /// this.
    pub up: Duration,
    /// Nanoseconds since 1970, for people alone.
    pub wall: i64,
}

/// Where the time comes from.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Moment;
}

/// The clock of this machine.
#[derive(Debug)]
pub struct SystemClock {
    boot: String,
}

impl SystemClock {
    /// Looks which start of the machine this is. Where the system does not tell, all starts are one,
    /// so that a lease may last a little longer after a restart.
    pub fn new() -> SystemClock {
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        SystemClock { boot: boot.trim().to_owned() }
    }
}

impl Default for SystemClock {
    fn default() -> SystemClock {
        SystemClock::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Moment {
        let up = clock_gettime(ClockId::Boottime);
        let up = Duration::new(
            u64::try_from(up.tv_sec).unwrap_or(0),
            u32::try_from(up.tv_nsec).unwrap_or(0),
        );
        Moment { boot: self.boot.clone(), up, wall: wall_now() }
    }
}

/// Nanoseconds since 1970.
pub(crate) fn wall_now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
