//! Members that stand apart.

use super::Sample;

/// Tukey's fences (*Exploratory Data Analysis*, 1977): values below the lower quartile or above the
/// upper one by more than 1.5 times the distance between them stand apart.
///
/// Fences rather than deviations from the median in units of its absolute deviation, because times
/// and bytes lean to the right, for which fences make room on either side of its own; because they
/// are the whiskers of every box plot; and because zeros make the absolute deviation vanish as soon
/// as half of the members lack a context, the fences only when three quarters do. Then every member
/// that has it stands apart, which is what there is to be said of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fences {
    /// Values below stand apart.
    pub low: f64,
    /// Values above stand apart.
    pub high: f64,
}

impl Fences {
    /// How many distances between the quartiles a fence is away from its quartile.
    pub const REACH: f64 = 1.5;

    /// The fences of a sample, if it is not empty.
    pub fn new(sample: &Sample) -> Option<Fences> {
        let (lower, upper) = (sample.percentile(25.0)?, sample.percentile(75.0)?);
        let reach = Fences::REACH * (upper - lower);
        Some(Fences { low: lower - reach, high: upper + reach })
    }

    /// Whether a value stands apart.
    pub fn exclude(&self, value: i64) -> bool {
        let value = value as f64;
        value < self.low || value > self.high
    }

    /// Which of `values` stand apart, by index.
    pub fn outliers(&self, values: &[i64]) -> Vec<usize> {
        (0..values.len()).filter(|&index| self.exclude(values[index])).collect()
    }
}
