//! Functions by their calls and their time a call.

use serde::{Deserialize, Serialize};

use crate::columns::columns;
use crate::{FunctionInfo, ViewSpec};

/// Parameters of [`crate::ProfileRequest::Scatter`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ScatterParams {
    /// The view; its shape does not matter.
    pub view: ViewSpec,
    /// What is divided by calls.
    pub of: ScatterOf,
    /// Most functions to place: those with the largest totals.
    pub most: u32,
}

/// What of a function stands upwards, and which calls stand to the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ScatterOf {
    /// Self by all calls.
    OwnValue,
    /// Total, which counts once under recursion, by primitive calls.
    TotalValue,
}

/// Result of [`crate::ProfileRequest::Scatter`]. Positions are shares of the plot from its left and
/// lower edge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ScatterResult {
    /// What is told: by all calls where primitive ones are not known.
    pub of: ScatterOf,
    /// The metric that is divided: where the view's is a change, both sides of the same.
    pub metric: u32,
    /// Why primitive calls are not known; none where they are.
    pub primitive_unknown: Option<String>,
    /// Functions in all, those that are not placed among them.
    pub total_rows: u32,
    /// One entry a placed function, the largest first. Of `colours`, the step of self says instead
    /// which share of its calls is recursive.
    pub rows: Vec<FunctionInfo>,
    /// Calls at the left and the right edge of the plot.
    pub across: [f64; 2],
    /// The same for values a call, at its lower and its upper edge.
    pub up: [f64; 2],
    /// Lines of equal products, calls times value a call.
    pub diagonals: Vec<ScatterDiagonal>,
}

/// A line of equal products.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ScatterDiagonal {
    /// The product, in the unit of the metric.
    pub product: f64,
    /// Its upper end.
    pub begin: [f64; 2],
    /// Its lower end.
    pub end: [f64; 2],
}

columns! {
    /// Columns of [`crate::ProfileRequest::Scatter`], one entry a placed function; and `scale`, whose
    /// entries are the total of the program, self of all functions that are not placed, and the
    /// largest total.
    ScatterColumns {
        /// 0 in the plot, 1 without calls, 2 with calls and without a value.
        zone: u32,
        /// From the left.
        x: f64,
        /// From the bottom.
        y: f64,
        /// As a share of the largest.
        radius: f64,
        /// Calls, recursive ones too.
        calls: i64,
        /// Calls from outside of the function; what has no value where they are not known.
        primitive: i64,
        /// Self value.
        self_value: i64,
        /// Total value.
        total_value: i64,
        /// What stands upwards, in the unit of the metric.
        mean: f64,
        /// Total of the program, self of what is not placed, the largest total.
        scale: i64,
    }
}
