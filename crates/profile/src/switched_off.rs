//! Functions whose calls were measured up to some number.

use crate::{FunctionId, Profile};

/// A function that its recorder watched call by call and no longer did after so many, so that its cost stays
/// bounded. What it did then is an estimate, or is in the values of its callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SwitchedOff {
    /// The function; it has one row.
    pub function: FunctionId,
    /// Calls that are exact; of several processes the least.
    pub exact_calls: u64,
    /// What was estimated; none where nobody looked.
    pub estimate: Option<LaterEstimate>,
    /// Whether there are processes in which nobody looked.
    pub is_partial: bool,
}

/// What a function did after that, as samples found it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LaterEstimate {
    /// Time in it and in what it called, in nanoseconds.
    pub time_ns: i64,
    /// Samples of it.
    pub samples: u64,
    /// All samples since it was no longer watched.
    pub of_samples: u64,
}

impl SwitchedOff {
    /// Adds rows to a table, which is by function.
    pub fn add_all(table: &mut Vec<SwitchedOff>, rows: impl IntoIterator<Item = SwitchedOff>) {
        table.extend(rows);
        table.sort_by_key(|one| one.function);
        table.dedup_by(|more, one| {
            let is_same = more.function == one.function;
            if is_same {
                one.add(more);
            }
            is_same
        });
    }

    /// The same function in another process or another profile.
    pub fn add(&mut self, other: &SwitchedOff) {
        self.exact_calls = self.exact_calls.min(other.exact_calls);
        self.is_partial |= other.is_partial || self.estimate.is_some() != other.estimate.is_some();
        if let Some(more) = &other.estimate {
            match &mut self.estimate {
                Some(estimate) => estimate.add(more),
                none => *none = Some(*more),
            }
        }
    }
}

impl Profile {
    /// How far the calls of a function were measured; none where they all were.
    pub fn switched_off_of(&self, function: FunctionId) -> Option<&SwitchedOff> {
        let row = self.switched_off.binary_search_by_key(&function, |one| one.function).ok()?;
        self.switched_off.get(row)
    }
}

impl LaterEstimate {
    /// The sum with what other samples found.
    pub fn add(&mut self, other: &LaterEstimate) {
        self.time_ns = self.time_ns.saturating_add(other.time_ns);
        self.samples = self.samples.saturating_add(other.samples);
        self.of_samples = self.of_samples.saturating_add(other.of_samples);
    }

    /// By how much the time may differ, in nanoseconds: in 95 of 100 recordings it is less. Samples are drawn, so
    /// that their number is binomial; this is Agresti and Coull's interval, which is none of length 0 where all
    /// samples, or none, are of the function.
    pub fn plus_minus_ns(&self) -> i64 {
        if self.samples == 0 || self.of_samples == 0 {
            return 0;
        }
        let (samples, all) = (self.samples as f64, self.of_samples.max(self.samples) as f64);
        let share = (samples + 2.0) / (all + 4.0);
        let half = 1.96 * (share * (1.0 - share) / (all + 4.0)).sqrt();
        (half / (samples / all) * self.time_ns as f64).round() as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_samples_tell_more_and_sums_keep_what_is_not_known() {
        let of = |samples, of_samples| LaterEstimate { time_ns: 1_000_000, samples, of_samples };
        // R: binom::binom.confint(200, 800, methods = "agresti-coull"), half of the interval over 0.25.
        let half = of(200, 800).plus_minus_ns();
        assert!((118_000..=122_000).contains(&half), "{half}");
        assert!(of(20_000, 80_000).plus_minus_ns() < half / 9);
        assert!(of(800, 800).plus_minus_ns() > 0);
        let one = SwitchedOff {
            function: FunctionId(1),
            exact_calls: 30,
            estimate: Some(of(1, 2)),
            is_partial: false,
        };
        let mut sum = one;
        sum.add(&SwitchedOff { exact_calls: 20, ..one });
        assert_eq!((sum.exact_calls, sum.is_partial), (20, false));
        assert_eq!(sum.estimate.map(|sum| (sum.time_ns, sum.samples)), Some((2_000_000, 2)));
        sum.add(&SwitchedOff { estimate: None, ..one });
        assert!(sum.is_partial);
    }
}
