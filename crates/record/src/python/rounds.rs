//! When samples are taken.
//!
//! ```text
//! period   0       1       2       3       4
//!          |   x   |x      |     x |   !   |     x
//! ```
//! One in each period, at a random place in it: samples keep no step with what the program does
//! regularly. A period whose sample could not be taken is missed, which is counted; the next sample stands
//! for it, too.

/// Rounds of samples, in periods from the start of the recording.
#[derive(Debug)]
pub(super) struct Rounds {
    /// Nanoseconds.
    period: u64,
    next: u64,
    missed: u64,
    random: u64,
}

/// A round that is to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Planned {
    period: u64,
    /// When: nanoseconds from the start.
    pub(super) at: u64,
}

impl Rounds {
    pub(super) fn new(period: u64, seed: u64) -> Rounds {
        Rounds { period: period.max(1), next: 0, missed: 0, random: seed }
    }

    /// The next round: in the period that runs, if that has none yet.
    pub(super) fn plan(&mut self, now: u64) -> Planned {
        self.skip_to(now / self.period);
        let at = self.next * self.period + self.random() % self.period;
        Planned { period: self.next, at: at.max(now) }
    }

    /// The round is taken now; the period that it is of.
    pub(super) fn take(&mut self, planned: Planned, now: u64) -> u64 {
        self.skip_to((now / self.period).max(planned.period));
        self.next += 1;
        self.next - 1
    }

    /// Nothing is to be sampled before now, so nothing was missed.
    pub(super) fn begin(&mut self, now: u64) {
        self.next = self.next.max(now / self.period);
    }

    /// Periods that have no sample.
    pub(super) fn missed(&self) -> u64 {
        self.missed
    }

    fn skip_to(&mut self, period: u64) {
        self.missed += period.saturating_sub(self.next);
        self.next = self.next.max(period);
    }

    /// SplitMix64.
    fn random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_period_has_one_sample_at_any_place_in_it() {
        let mut rounds = Rounds::new(1000, 7);
        let mut now = 0;
        let mut places = [0; 10];
        for period in 0..10_000 {
            let planned = rounds.plan(now);
            assert_eq!(planned.at / 1000, period);
            places[(planned.at % 1000 / 100) as usize] += 1;
            now = planned.at;
            assert_eq!(rounds.take(planned, now), period);
        }
        assert_eq!(rounds.missed(), 0);
        assert!(places.iter().all(|count| (800..1200).contains(count)), "{places:?}");
    }

    #[test]
    fn what_comes_late_counts_where_it_is_and_the_rest_is_missed() {
        let mut rounds = Rounds::new(1000, 7);
        rounds.begin(5_500);
        let first = rounds.plan(5_500);
        assert!((5_500..6_000).contains(&first.at));
        // Asleep for too long: 5 to 7 are missed.
        assert_eq!(rounds.take(first, 8_100), 8);
        assert_eq!(rounds.missed(), 3);
        // Reading took until 10: 9 is missed, 10 still has its sample.
        let next = rounds.plan(10_900);
        assert_eq!((next.period, next.at / 1000, rounds.missed()), (10, 10, 4));
    }
}
