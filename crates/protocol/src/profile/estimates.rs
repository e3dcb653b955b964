//! Functions whose calls are exact up to some number.

use serde::{Deserialize, Serialize};

/// Result of [`crate::ProfileRequest::Estimates`]; empty at the granularity of files and modules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EstimatesResult {
    /// One entry a function that is not exact to its end.
    pub rows: Vec<EstimateInfo>,
}

/// How far a function is exact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EstimateInfo {
    /// Its identity at the view's granularity.
    pub key: u32,
    /// Whether something of it was measured then, and estimated by that.
    pub measured: bool,
    /// Up to which call, and what is known of the rest, with its interval.
    pub text: String,
}
