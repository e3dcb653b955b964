//! A linear axis with round ticks.

/// Most steps between two ticks of an axis.
const MOST_STEPS: f64 = 6.0;

/// A linear axis from a tick to a tick, which holds 0.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearScale {
    /// Its ticks, the first at its begin and the last at its end: round and evenly apart.
    pub ticks: Vec<f64>,
}

impl LinearScale {
    /// The shortest such axis that holds all of `values` (those that are numbers) and 0.
    pub fn around(values: impl IntoIterator<Item = f64>) -> LinearScale {
        let finite = values.into_iter().filter(|value| value.is_finite());
        let (low, high) =
            finite.fold((0.0f64, 0.0f64), |(low, high), value| (low.min(value), high.max(value)));
        if low == high {
            return LinearScale { ticks: vec![0.0, 1.0] };
        }
        let step = round_up((high - low) / MOST_STEPS);
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        let ticks = (first as i64..=last as i64).map(|tick| tick as f64 * step).collect();
        LinearScale { ticks }
    }
}

/// The least of 1, 2 and 5 times a power of ten that is not below a value.
fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    // What is a step but for rounding is one.
    let factor = steps.into_iter().find(|factor| factor * power >= value * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}
