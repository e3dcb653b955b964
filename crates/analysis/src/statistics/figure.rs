//! One number for the values of all parts.

use super::centre::quantile;
use super::trend::{Direction, Times};

/// What is said of the values of parts, such as the members of a profile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Figure {
    /// Their sum.
    Sum,
    /// The arithmetic mean.
    Mean,
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// The value in the middle.
    Median,
    /// The standard deviation of the sample, which divides by one less than there are values.
    Deviation,
    /// The value that so many percent (0 to 100) do not exceed; between two in proportion.
    Percentile(f64),
    /// That of the first part.
    First,
    /// That of the last part.
    Last,
    /// How many are not 0.
    Count,
    /// Change from a part to the next: the line of least squares. Where a few wild parts turn that
    /// against the direction that [`Times::trend`] tests, the median slope of [`Times::theil_sen`].
    Slope,
    /// [`Figure::Slope`] where values go up or down by more than chance (Mann and Kendall's test,
    /// at most [`Figure::SIGNIFICANCE`]), else 0.
    Rise,
}

impl Figure {
    /// What a trend by chance may have as its p-value.
    pub const SIGNIFICANCE: f64 = 0.05;

    /// The figure of values, one a part and in the order of the parts; parts that have no value are
    /// left out, but trends need all of them. `order` is that of as many parts. None where there is
    /// no answer; never infinite.
    pub fn of(self, values: &[Option<f64>], order: Option<&Times>) -> Option<f64> {
        if matches!(self, Figure::Slope | Figure::Rise) {
            let known: Vec<f64> = values.iter().copied().collect::<Option<_>>()?;
            let order = order.filter(|order| order.len() == known.len())?;
            let present: Vec<(u32, f64)> = (0..).zip(known.iter().copied()).collect();
            let trend = order.trend(&present)?;
            let is_chance = trend.direction(Figure::SIGNIFICANCE) == Direction::Steady;
            return if self == Figure::Rise && is_chance {
                Some(0.0)
            } else {
                order.slope(&trend, &known)
            };
        }
        match self {
            Figure::First => return values.first().copied().flatten(),
            Figure::Last => return values.last().copied().flatten(),
            _ => {}
        }
        let mut known: Vec<f64> = values.iter().copied().flatten().collect();
        let len = known.len() as f64;
        if self == Figure::Count {
            return Some(known.into_iter().filter(|&value| value != 0.0).count() as f64);
        }
        if known.is_empty() {
            return None;
        }
        let sum: f64 = known.iter().sum();
        let value = match self {
            Figure::Sum => sum,
            Figure::Mean => sum / len,
            Figure::Min => known.into_iter().fold(f64::INFINITY, f64::min),
            Figure::Max => known.into_iter().fold(f64::NEG_INFINITY, f64::max),
            Figure::Median | Figure::Percentile(_) => {
                known.sort_unstable_by(f64::total_cmp);
                let percent = if let Figure::Percentile(percent) = self { percent } else { 50.0 };
                quantile(&known, (percent / 100.0).clamp(0.0, 1.0))
            }
            _ => {
                if known.len() < 2 {
                    return None;
                }
                let mean = sum / len;
                let squares: f64 = known.iter().map(|value| (value - mean).powi(2)).sum();
                (squares / (len - 1.0)).sqrt()
            }
        };
        Some(value).filter(|value| value.is_finite())
    }
}
