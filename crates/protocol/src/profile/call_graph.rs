//! Functions and their calls as a drawn graph.

use serde::{Deserialize, Serialize};

use crate::columns::columns;
use crate::{FunctionInfo, ViewSpec};

/// Parameters of [`crate::ProfileRequest::CallGraph`]. What is cut off is told as counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CallGraphParams {
    /// The view; its shape does not matter.
    pub view: ViewSpec,
    /// Share of the program that the total of a drawn function is at least, 0 to 1.
    pub least_node: f64,
    /// Share of the program that the value of a drawn call is at least, 0 to 1.
    pub least_edge: f64,
    /// Most functions to draw: those with the largest totals.
    pub most: u32,
}

/// Result of [`crate::ProfileRequest::CallGraph`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CallGraphResult {
    /// Functions in all, those that are not drawn among them.
    pub total_rows: u32,
    /// Functions whose totals are below the least share.
    pub below: u32,
    /// Functions that are not drawn because there would be too many.
    pub beyond: u32,
    /// Calls between drawn functions whose values are below the least share.
    pub calls_below: u32,
    /// Calls that a function which is not drawn takes part in.
    pub calls_apart: u32,
    /// Whether call paths are estimated, and with them the values of calls.
    pub estimated: bool,
    /// One entry a drawn function, the one with the largest total first.
    pub rows: Vec<FunctionInfo>,
    /// Width and height of the drawing, in view units.
    pub size: [f64; 2],
}

columns! {
    /// Columns of [`crate::ProfileRequest::CallGraph`]: one entry a drawn function; one a call, the
    /// largest first; the points of their routes; and `scale`, whose entries are the total of the
    /// program, self of the functions below the least share, and self of those beyond the most.
    CallGraphColumns {
        /// Of a function: its box, in view units from the upper left corner.
        x: f64,
        /// Upper edge.
        y: f64,
        /// Width.
        width: f64,
        /// Height.
        height: f64,
        /// How much larger than the smallest it is drawn.
        size: f64,
        /// Self value.
        self_value: i64,
        /// Total value, which counts once under recursion.
        total_value: i64,
        /// Of a call: the caller, as a place among the drawn functions.
        caller: u32,
        /// The callee.
        callee: u32,
        /// Value of the samples that have the call on their stack, each counted once.
        value: i64,
        /// Where its points end in `route_x` and `route_y`; they begin where those of the call
        /// before it end.
        route_end: u32,
        /// Points from caller to callee, in view units.
        route_x: f64,
        /// The same downwards.
        route_y: f64,
        /// Total of the program, self below the least share, self beyond the most functions.
        scale: i64,
    }
}
