//! How values spread, in bins of the same width.

use super::Sample;

/// Into how many bins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bins {
    /// As many as the values call for: bins of twice the distance between the quartiles over the
    /// cube root of the number of values (Freedman and Diaconis, *On the histogram as a density
    /// estimator*, 1981); where the quartiles are the same `log2(n) + 1` (Sturges, 1926), so that
    /// a few values among zeros still show. Not narrower than 1.
    #[default]
    Automatic,
    /// This many; at least one, at most [`Histogram::MAX_BINS`].
    Number(usize),
}

/// Counts by bin.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    /// Where bins begin, and where the last one ends: one more than there are bins, ascending.
    /// A value on an edge counts above it; the largest counts in the last bin.
    pub edges: Vec<f64>,
    /// How many values each bin has.
    pub counts: Vec<usize>,
}

impl Histogram {
    /// The most bins there are.
    pub const MAX_BINS: usize = 1000;

    /// The histogram of a sample from its smallest to its largest value; where they are the same,
    /// one bin of width 1 around it. None without values.
    pub fn new(sample: &Sample, bins: Bins) -> Option<Histogram> {
        let (min, max) = (sample.min()?, sample.max()?);
        if min == max {
            let middle = min as f64;
            let edges = vec![middle - 0.5, middle + 0.5];
            return Some(Histogram { edges, counts: vec![sample.len()] });
        }
        let width = i128::from(max) - i128::from(min);
        let bins = match bins {
            Bins::Number(bins) => bins,
            Bins::Automatic => automatic(sample, width)?,
        };
        let bins = bins.clamp(1, Histogram::MAX_BINS);
        // In whole numbers: no value falls on the wrong side of an edge.
        let bin = |value: i64| {
            let bin = (i128::from(value) - i128::from(min)) * bins as i128 / width;
            (bin as usize).min(bins - 1)
        };
        let mut counts = vec![0; bins];
        for &value in sample.present() {
            counts[bin(value)] += 1;
        }
        if sample.zeros() > 0 {
            counts[bin(0)] += sample.zeros();
        }
        let edge = |index: usize| {
            let (parts, bins) = (width * index as i128, bins as i128);
            let whole = i128::from(min) + parts / bins;
            whole as f64 + (parts % bins) as f64 / bins as f64
        };
        Some(Histogram { edges: (0..=bins).map(edge).collect(), counts })
    }
}

fn automatic(sample: &Sample, width: i128) -> Option<usize> {
    let len = sample.len() as f64;
    let quartiles = sample.percentile(75.0)? - sample.percentile(25.0)?;
    let bins = if quartiles > 0.0 {
        width as f64 / (2.0 * quartiles / len.cbrt()).max(1.0)
    } else {
        (len.log2() + 1.0).min(width as f64)
    };
    Some(bins.ceil() as usize)
}
