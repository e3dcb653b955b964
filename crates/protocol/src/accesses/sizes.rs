//! What accesses there are to be looked at, and at which sizes.

use serde::{Deserialize, Serialize};

use crate::GraphColours;

/// Parameters of [`crate::Request::AccessesSizes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccessesSizesParams {
    /// A dataflow graph, loops, or recorded accesses.
    pub document: u32,
    /// The element of a graph; none for all of the document.
    pub element: Option<u32>,
}

/// Result of [`crate::Request::AccessesSizes`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccessesSizesResult {
    /// File name without folders.
    pub title: String,
    /// What the part is called.
    pub part: String,
    /// The element of a graph that is the part; none for all of it, and for loops.
    pub element: Option<u32>,
    /// What sizes and positions depend on, by name.
    pub symbols: Vec<AccessesSymbol>,
    /// Whether they were recorded: there are no loops, sizes and changes then.
    pub is_recorded: bool,
    /// Colours of values, from the smallest to the largest, at equal distances, by map.
    pub ramps: Vec<AccessesRamp>,
}

/// The colours of a map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccessesRamp {
    /// Which map.
    pub colours: GraphColours,
    /// Its colours.
    pub ramp: Vec<String>,
}

/// A symbol that accesses depend on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccessesSymbol {
    /// Its name.
    pub name: String,
    /// A value at which every access can be looked at, in proportion to those of the others.
    pub small: f64,
    /// The value that the document suggests, or a usual one.
    pub whole: f64,
}
