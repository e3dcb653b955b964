//! What else the machine did during a run.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The kernel's accounts at some time.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Weather {
    /// Nanoseconds of all processors that were busy.
    busy_ns: u64,
    /// Nanoseconds in which others had them who share the machine below us.
    steal_ns: u64,
    /// Nanoseconds that this process was on processors.
    own_ns: u64,
}

/// Of what one processor could do, others may have so much.
const OTHERS: f64 = 0.25;
/// Accounts are kept in steps of 10 ms for each processor.
const LEAST: Duration = Duration::from_millis(60);
/// Of what one processor could do, so much may be stolen.
const STOLEN: f64 = 0.05;

impl Weather {
    pub(super) fn now() -> Weather {
        let text = std::fs::read_to_string("/proc/stat").unwrap_or_default();
        let own = clock_gettime(ClockId::ProcessCPUTime);
        let own_ns = own.tv_sec as u64 * 1_000_000_000 + own.tv_nsec as u64;
        Weather { own_ns, ..Weather::of(&text, rustix::param::clock_ticks_per_second()) }
    }

    /// From `/proc/stat`, in ticks: user nice system idle iowait irq softirq steal.
    fn of(text: &str, ticks: u64) -> Weather {
        let line = text.lines().next().unwrap_or_default();
        let fields: Vec<u64> =
            line.split_whitespace().skip(1).filter_map(|n| n.parse().ok()).collect();
        let field = |at: usize| fields.get(at).copied().unwrap_or(0);
        let ns = |count: u64| count.saturating_mul(1_000_000_000 / ticks.max(1));
        let busy = field(0) + field(1) + field(2) + field(5) + field(6);
        Weather { busy_ns: ns(busy), steal_ns: ns(field(7)), own_ns: 0 }
    }

    /// Why a run that began then and ends now is not to be trusted; empty where nothing was in the
    /// way. `cpu_ns` is what the command and its recorder took beside this process.
    pub(super) fn disturbed(&self, now: &Weather, wall_ns: u64, cpu_ns: u64) -> String {
        let own = cpu_ns + (now.own_ns - self.own_ns.min(now.own_ns));
        let others = now.busy_ns.saturating_sub(self.busy_ns).saturating_sub(own);
        let stolen = now.steal_ns.saturating_sub(self.steal_ns);
        let wall = wall_ns.max(1) as f64;
        let share = |ns: u64| ns as f64 / wall;
        if share(others) > OTHERS && others > LEAST.as_nanos() as u64 {
            return format!(
                "other programs had {:.0} % of a processor meanwhile",
                share(others) * 100.0
            );
        }
        if share(stolen) > STOLEN && stolen > LEAST.as_nanos() as u64 {
            return format!(
                "other machines had {:.0} % of a processor meanwhile",
                share(stolen) * 100.0
            );
        }
        String::new()
    }
}

/// Processes that run or wait for a processor, over the last minute.
pub(super) fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or(0.0)
}

/// How the kernel chooses the frequency of the first processor; empty where it does not tell.
pub(super) fn governor() -> String {
    let file = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
    std::fs::read_to_string(file).unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_do_is_told() {
        let at = |user: u64, steal: u64, own_ns| {
            let text = format!("cpu  {user} 0 10 900 5 0 0 {steal} 0 0\ncpu0 1 1 1\n");
            Weather { own_ns, ..Weather::of(&text, 100) }
        };
        let before = at(100, 0, 0);
        let second = 1_000_000_000;
        // Its own second, and half of one of somebody else.
        let alone = before.disturbed(&at(200, 0, 0), second, second);
        let other = before.disturbed(&at(250, 0, 0), second, second);
        let sampler = before.disturbed(&at(250, 0, second / 2), second, second);
        let stolen = before.disturbed(&at(200, 10, 0), second, second);
        assert_eq!((alone.as_str(), sampler.as_str()), ("", ""));
        assert_eq!(other, "other programs had 50 % of a processor meanwhile");
        assert_eq!(stolen, "other machines had 10 % of a processor meanwhile");
        // A tick that is counted late is nobody's.
        assert_eq!(before.disturbed(&at(104, 0, 0), second / 10, 0), "");
        assert_eq!(Weather::of("", 100).busy_ns, 0);
    }
}
