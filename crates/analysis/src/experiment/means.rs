//! What a condition was, by itself.

use super::contrast::{CONFIDENCE, moments};
use super::{Estimate, Runs, Values};
use crate::statistics::student_quantile;

/// The mean of the runs of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellMean {
    /// With its interval, by Student's distribution.
    pub mean: Estimate,
    /// Runs in which it was measured.
    pub runs: usize,
    /// Whether there is an interval: not of a single run.
    pub is_known: bool,
}

/// The mean of a cell; none where no run of it was measured.
pub fn cell_mean(runs: &Runs, values: &Values, cell: usize) -> Option<CellMean> {
    let moments = moments(runs, values, cell)?;
    let half = moments.variance.and_then(|variance| {
        Some(student_quantile(CONFIDENCE, moments.freedom)? * variance.sqrt())
    });
    let (value, is_known) = (moments.mean, half.is_some());
    let half = half.unwrap_or(0.0);
    let mean = Estimate { value, low: value - half, high: value + half };
    Some(CellMean { mean, runs: moments.runs, is_known })
}
