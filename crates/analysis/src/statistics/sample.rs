//! The values of a context in all members, and what is said of them.

/// Values, most of which may be zero. Sorted, so that the order they came in makes no difference.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sample {
    /// Those that are not zero, in ascending order.
    present: Vec<i64>,
    /// How many of them are negative.
    negative: usize,
    zeros: usize,
}

/// The usual figures of a sample, in the unit of its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// How many values there are, zeros among them.
    pub len: usize,
    /// How many are not zero: the members that have the context.
    pub present: usize,
    /// Sum of all.
    pub sum: i128,
    /// The smallest.
    pub min: i64,
    /// The largest.
    pub max: i64,
    /// The arithmetic mean.
    pub mean: f64,
    /// The median.
    pub median: f64,
    /// The standard deviation of the sample, which divides by `len - 1`; none for a single value.
    pub deviation: Option<f64>,
}

impl Sample {
    /// A sample of `values`, in any order, and as many `zeros`. Zeros among `values` count too.
    pub fn new(mut values: Vec<i64>, zeros: usize) -> Sample {
        let given = values.len();
        values.retain(|&value| value != 0);
        values.sort_unstable();
        let negative = values.partition_point(|&value| value < 0);
        let zeros = zeros.saturating_add(given - values.len());
        let zeros = zeros.min(usize::MAX - values.len());
        Sample { present: values, negative, zeros }
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.present.len() + self.zeros
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values that are not zero, in ascending order.
    pub fn present(&self) -> &[i64] {
        &self.present
    }

    /// How many zeros there are.
    pub fn zeros(&self) -> usize {
        self.zeros
    }

    /// The value at `index` in ascending order; the index must be below the length.
    fn at(&self, index: usize) -> i64 {
        if index < self.negative {
            self.present[index]
        } else if index < self.negative + self.zeros {
            0
        } else {
            self.present[index - self.zeros]
        }
    }

    /// The smallest value.
    pub fn min(&self) -> Option<i64> {
        (!self.is_empty()).then(|| self.at(0))
    }

    /// The largest value.
    pub fn max(&self) -> Option<i64> {
        (!self.is_empty()).then(|| self.at(self.len() - 1))
    }

    /// The exact sum.
    pub fn sum(&self) -> i128 {
        self.present.iter().map(|&value| i128::from(value)).sum()
    }

    /// The mean as a whole number and what it is short of the mean, from 0 to 1.
    fn exact_mean(&self) -> Option<(i128, f64)> {
        let len = i128::try_from(self.len()).ok().filter(|&len| len > 0)?;
        let (whole, rest) = (self.sum().div_euclid(len), self.sum().rem_euclid(len));
        Some((whole, rest as f64 / len as f64))
    }

    /// The arithmetic mean.
    pub fn mean(&self) -> Option<f64> {
        self.exact_mean().map(|(whole, rest)| whole as f64 + rest)
    }

    /// The median.
    pub fn median(&self) -> Option<f64> {
        self.percentile(50.0)
    }

    /// The standard deviation of the sample, which divides by `len - 1`; none for less than two
    /// values. Deviations are taken from the exact mean, so large values that hardly differ lose
    /// nothing, and equal ones give exactly 0.
    pub fn deviation(&self) -> Option<f64> {
        let (whole, rest) = self.exact_mean().filter(|_| self.len() > 1)?;
        let square = |value: i64| ((i128::from(value) - whole) as f64 - rest).powi(2);
        let squares = self.present.iter().map(|&value| square(value)).sum::<f64>()
            + self.zeros as f64 * square(0);
        Some((squares / (self.len() - 1) as f64).sqrt())
    }

    /// The value that `percent` (0 to 100) of the values do not exceed, between two of them in
    /// proportion: definition 7 of Hyndman and Fan, *Sample quantiles in statistical packages*
    /// (1996), the default of numpy and R. None without values or for a percentage that is none.
    pub fn percentile(&self, percent: f64) -> Option<f64> {
        if self.is_empty() || !(0.0..=100.0).contains(&percent) {
            return None;
        }
        let last = self.len() - 1;
        let place = percent / 100.0 * last as f64;
        let low = (place.floor() as usize).min(last);
        let (from, to) = (self.at(low), self.at((low + 1).min(last)));
        let step = (i128::from(to) - i128::from(from)) as f64;
        // Held, so that percentiles never go down.
        Some((from as f64 + step * place.fract()).min(to as f64))
    }

    /// The usual figures, if there is a value.
    pub fn summary(&self) -> Option<Summary> {
        Some(Summary {
            len: self.len(),
            present: self.present.len(),
            sum: self.sum(),
            min: self.min()?,
            max: self.max()?,
            mean: self.mean()?,
            median: self.median()?,
            deviation: self.deviation(),
        })
    }
}
