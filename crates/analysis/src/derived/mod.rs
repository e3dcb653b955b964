//! Metrics that formulas define, beside those that were measured.

mod decimals;
mod metrics;

pub(crate) use metrics::Pair;
pub use metrics::{Derived, DerivedMetrics, NO_VALUE, distinct_names};
