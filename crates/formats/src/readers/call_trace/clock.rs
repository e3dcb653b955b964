//! Ticks to nanoseconds.

use calltrace::Anchor;
use profile::ProfileBuilder;

use super::process::Process;

/// The clock of a process: straight lines between the times at which both clocks were read.
#[derive(Debug, Default)]
pub(super) struct Clock {
    anchors: Vec<Anchor>,
    /// Nanoseconds a tick before the second and behind the last but one.
    rate: f64,
}

impl Clock {
    /// The clocks of processes, and when the first of them began: one axis for all, which the system's clock is the
    /// same for.
    pub(super) fn of_all(processes: &[Process], builder: &mut ProfileBuilder) -> (Vec<Clock>, i64) {
        let clock =
            |process: &Process| Clock::new(&process.anchors, process.facts.clock == "monotonic");
        let clocks: Vec<Clock> = processes.iter().map(clock).collect();
        let firsts = processes.iter().zip(&clocks).filter_map(|(process, clock)| {
            process.anchors.iter().map(|anchor| clock.nanoseconds(anchor.ticks)).min()
        });
        let zero = firsts.min().unwrap_or(0);
        builder.origin.clock_ns = zero;
        builder.origin.time_ns = clocks.first().map_or(0, Clock::wall).saturating_add(zero);
        (clocks, zero)
    }

    pub(super) fn new(anchors: &[Anchor], is_monotonic: bool) -> Clock {
        let mut anchors = anchors.to_vec();
        anchors.sort_by_key(|anchor| anchor.ticks);
        anchors.dedup_by_key(|anchor| anchor.ticks);
        let rate = match (anchors.first(), anchors.last()) {
            (Some(first), Some(last)) if !is_monotonic && last.ticks > first.ticks => {
                let nanoseconds = last.monotonic_ns.saturating_sub(first.monotonic_ns) as f64;
                nanoseconds / (last.ticks - first.ticks) as f64
            }
            _ => 1.0,
        };
        Clock { anchors, rate }
    }

    /// Whether the length of a tick is known.
    pub(super) fn is_known(&self) -> bool {
        self.anchors.len() > 1
    }

    /// Nanoseconds of the system's monotonic clock.
    pub(super) fn nanoseconds(&self, ticks: u64) -> i64 {
        let behind = self.anchors.partition_point(|anchor| anchor.ticks <= ticks);
        let before = behind.saturating_sub(1);
        let Some(from) = self.anchors.get(before) else { return ticks as i64 };
        let rate = match self.anchors.get(behind) {
            Some(to) if behind > 0 => {
                let nanoseconds = to.monotonic_ns.saturating_sub(from.monotonic_ns) as f64;
                nanoseconds / (to.ticks - from.ticks) as f64
            }
            _ => self.rate,
        };
        let since = ticks.wrapping_sub(from.ticks) as i64 as f64 * rate;
        (from.monotonic_ns as i64).saturating_add(since.round() as i64)
    }

    /// Nanoseconds since 1970 at time 0 of the monotonic clock.
    pub(super) fn wall(&self) -> i64 {
        self.anchors.first().map_or(0, |one| one.wall_ns as i64 - one.monotonic_ns as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_lie_on_lines_between_anchors() {
        let anchor =
            |ticks, monotonic_ns| Anchor { ticks, monotonic_ns, wall_ns: monotonic_ns + 7 };
        let clock = Clock::new(&[anchor(1000, 500), anchor(3000, 1500), anchor(4000, 2500)], false);
        let self_times_by_path =
            [0, 1000, 2000, 3500, 4000, 7000].map(|ticks| clock.nanoseconds(ticks));
        assert_eq!(self_times_by_path, [-167, 500, 1000, 2000, 2500, 4500]);
        assert_eq!(clock.wall(), 7);
        assert!(!Clock::new(&[anchor(1, 1)], false).is_known());
    }
}
