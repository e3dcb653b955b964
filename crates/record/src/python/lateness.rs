//! Rounds that come too late to be of their instant.
//!
//! Where all processors are busy, who wakes up waits until the program lets it: at a system call,
//! mostly. Such samples would find the program at system calls much more often than it is there. They are left
//! out where others come soon enough: the next one stands for their time, too.

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
    /// Rounds in a row that were left out.
    in_a_row: u32,
}

/// No program waits so little, nanoseconds.
const PROMPT: u64 = 100_000;
/// Where clocks are slow, the promptest of this share have to do.
const LEAST: f64 = 0.2;
/// So many in a row are left out, at most: a sample stands for no more than ten periods.
const MOST_IN_A_ROW: u32 = 4;

impl Lateness {
    /// Whether a round that comes so late, in nanoseconds, is taken.
    pub(super) fn is_taken(&mut self, late: u64) -> bool {
        self.all.add(late);
        if self.all.len() % 64 == 1 {
            self.latest = PROMPT.max(2 * self.all.quantile(LEAST));
        }
        let is_taken = late <= self.latest || self.in_a_row >= MOST_IN_A_ROW;
        self.in_a_row = if is_taken { 0 } else { self.in_a_row + 1 };
        self.left_out += u64::from(!is_taken);
        is_taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_late_is_left_out_unless_all_do() {
        let mut lateness = Lateness::default();
        let mut taken = |late: u64| (0..1000).filter(|_| lateness.is_taken(late)).count();
        assert_eq!(taken(50_000), 1000);
        assert_eq!(taken(400_000), 200, "every fifth: others did not come");
        assert_eq!(lateness.left_out, 800);
        let mut slow = Lateness::default();
        assert!((0..1000).all(|_| slow.is_taken(400_000)));
    }
}
