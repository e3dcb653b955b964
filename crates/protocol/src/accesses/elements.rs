//! What happens at elements of a container, where accesses are too many to be told one by one.

use serde::{Deserialize, Serialize};

use super::AccessesProgram;
use crate::columns::columns;

/// Parameters of [`crate::Request::AccessesElements`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccessesElementsParams {
    /// Which accesses.
    pub program: AccessesProgram,
    /// The number of the container.
    pub container: u32,
    /// The first level's lines, which may stand anywhere and give way to what was used least recently.
    pub lines: f64,
    /// By dimension, outermost first, how many elements are one cell; at least 1.
    pub bins: Vec<u32>,
}

/// Result of [`crate::Request::AccessesElements`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccessesElementsResult {
    /// Cells by dimension, outermost first; columns are in row-major order of them.
    pub cells: Vec<f64>,
    /// Elements of the container.
    pub elements: f64,
    /// Elements that are accessed.
    pub touched: f64,
}

columns! {
    /// Columns of [`crate::Request::AccessesElements`], one entry a cell.
    AccessesElementsColumns {
        /// Accesses of its elements.
        accesses: f64,
        /// First touches of a line.
        cold: f64,
        /// Misses besides.
        capacity: f64,
        /// The smallest stack distance; -1 where there is none.
        minimum: f64,
        /// The median of an element (the lower of the two in the middle), the largest of the cell's; -1 where
        /// there is none.
        median: f64,
        /// The largest; -1 where there is none.
        maximum: f64,
    }
}
