//! How much happened at once.

use serde::{Deserialize, Serialize};

#[cfg(doc)]
use crate::TracksResult;
use crate::ViewSpec;
use crate::columns::columns;

/// Parameters of [`crate::ProfileRequest::ConcurrencyChart`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ConcurrencyChartParams {
    /// The view.
    pub view: ViewSpec,
    /// The identifier of a row of [`crate::ListKind::Concurrency`].
    pub row: String,
    /// From when on, in nanoseconds after [`TracksResult::origin`].
    pub from: f64,
    /// Until when.
    pub to: f64,
    /// In how many cells of one length, at most 4,096; fewer where they would be shorter than a nanosecond.
    pub cells: u32,
}

/// Result of [`crate::ProfileRequest::ConcurrencyChart`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ConcurrencyChartResult {
    /// What it is of.
    pub title: String,
    /// The most at once in any cell.
    pub most: f64,
}

columns! {
    /// Columns of [`crate::ProfileRequest::ConcurrencyChart`], one entry a cell.
    ConcurrencyChartColumns {
        /// The most at once.
        most: f64,
        /// The mean.
        mean: f64,
    }
}
