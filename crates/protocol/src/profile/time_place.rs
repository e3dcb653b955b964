//! Where lists of what happened when lead.

use serde::{Deserialize, Serialize};

#[cfg(doc)]
use crate::TracksResult;

/// A stretch of time, to go to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TimePlace {
    /// Its track; none where it is of several, or of a thread without one.
    pub track: Option<u32>,
    /// The row in which its span is drawn.
    pub row: Option<u32>,
    /// 1 and the row of the span that stands for it; 0 for none.
    pub span: u32,
    /// Its begin in nanoseconds after [`TracksResult::origin`].
    pub begin: f64,
    /// Its length on the axis; 0 for an instant.
    pub length: f64,
    /// Its length as it was measured: another one where its recording is stretched.
    pub lasts: f64,
}
