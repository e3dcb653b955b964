//! Values that go up and never come back.

/// A series is high once it has this share of its largest value.
const HIGH: f64 = 0.8;

/// What stays above this share of the largest value after that was never given back.
const KEPT: f64 = 0.5;

/// Shorter series tell nothing.
const LEAST_MEMBERS: usize = 4;

/// A series that is high and never given back, as leaks are that have stopped growing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kept {
    /// The first value that is high.
    pub since: usize,
    /// The smallest value from there on, as a share of the largest.
    pub least: f64,
}

/// Whether a series of values that are not negative reaches four fifths of its largest value in its
/// first half and never falls below half of it after that.
pub fn kept(values: &[i64]) -> Option<Kept> {
    let largest = values.iter().copied().max().filter(|&largest| largest > 0)? as f64;
    let share = |value: i64| value as f64 / largest;
    if values.len() < LEAST_MEMBERS || values.iter().any(|&value| value < 0) {
        return None;
    }
    let since = values.iter().position(|&value| share(value) >= HIGH)?;
    let least = values[since..].iter().map(|&value| share(value)).fold(1.0, f64::min);
    (since * 2 <= values.len() && least >= KEPT).then_some(Kept { since, least })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_high_and_stays_so_is_kept() {
        let since = |values: &[i64]| kept(values).map(|kept| (kept.since, kept.least));
        assert_eq!(since(&[0, 50, 100, 98, 95, 90, 90]), Some((2, 0.9)));
        assert_eq!(since(&[100, 100, 100, 100]), Some((0, 1.0)));
        // Given back, late, short, nothing, negative.
        assert_eq!(since(&[0, 100, 90, 10, 100, 100]), None);
        assert_eq!(since(&[0, 0, 0, 0, 100, 100]), None);
        assert_eq!(since(&[100, 100, 100]), None);
        assert_eq!(since(&[0, 0, 0, 0]), None);
        assert_eq!(since(&[-1, 100, 100, 100]), None);
    }
}
