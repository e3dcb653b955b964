//! The middle of some numbers.

/// What stands for a group of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Centre {
    /// The arithmetic mean: answers for sums, but one wild member moves it.
    Mean,
    /// The value in the middle, or half way between the two there: one wild member does not move
    /// it.
    #[default]
    Median,
}

impl Centre {
    /// The centre of values, which may be put in another order; the values must not be empty.
    pub(super) fn of(self, values: &mut [f64]) -> f64 {
        match self {
            Centre::Mean => values.iter().sum::<f64>() / values.len() as f64,
            Centre::Median => median(values),
        }
    }
}

fn median(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    let odd = values.len() % 2 == 1;
    let (below, &mut high, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    let low = below.iter().copied().max_by(f64::total_cmp);
    match low {
        Some(low) if !odd => low / 2.0 + high / 2.0,
        _ => high,
    }
}

/// The value at `fraction` of the way through sorted values that are not empty, between two of
/// them in proportion: definition 7 of Hyndman and Fan, *Sample quantiles in statistical packages*
/// (1996), the default of numpy and R.
pub(super) fn quantile(sorted: &[f64], fraction: f64) -> f64 {
    let place = fraction * (sorted.len() - 1) as f64;
    let low = sorted[place.floor() as usize];
    let high = sorted[place.ceil() as usize];
    // In two steps, neither of which can overflow; held, so that quantiles never go down.
    let step = (high / 2.0 - low / 2.0) * place.fract();
    (low + step + step).min(high)
}
