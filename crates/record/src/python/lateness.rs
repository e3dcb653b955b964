//! Rounds that come too late to be of their instant.
//!
//! Where all processors are busy, who wakes up waits until the program lets it: at a system call,
//! mostly. Such samples would find the program at system calls much more often than it is there.

use super::durations::Durations;

/// How late rounds are.
#[derive(Debug, Default)]
pub(super) struct Lateness {
    /// Of all rounds.
    pub(super) all: Durations,
    /// Rounds that were left out.
    pub(super) left_out: u64,
    /// Later than this is too late, nanoseconds; found out as rounds come.
    latest: u64,
}

/// No program waits so little, nanoseconds.
const PROMPT: u64 = 100_000;
/// Where clocks are slow, the promptest of this share have to do.
const LEAST: f64 = 0.2;

impl Lateness {
    /// Whether a round that comes so late, in nanoseconds, is still of its instant.
    pub(super) fn is_in_time(&mut self, late: u64) -> bool {
        self.all.add(late);
        if self.all.len() % 64 == 1 {
            self.latest = PROMPT.max(2 * self.all.quantile(LEAST));
        }
        let is_in_time = late <= self.latest;
        self.left_out += u64::from(!is_in_time);
        is_in_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_late_is_left_out_unless_all_do() {
        let mut lateness = Lateness::default();
        let mut taken = |late: u64| (0..1000).filter(|_| lateness.is_in_time(late)).count();
        assert_eq!(taken(50_000), 1000);
        assert_eq!(taken(400_000), 0);
        assert_eq!(lateness.left_out, 1000);
        let mut slow = Lateness::default();
        assert!((0..1000).all(|_| slow.is_in_time(400_000)));
    }
}
