//! A cost over a symbol.

use serde::{Deserialize, Serialize};

use crate::SymbolSetting;
use crate::columns::columns;

/// A cost that can be asked for any size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CostQuantity {
    /// Arithmetic operations.
    Work,
    /// Operations on the longest chain.
    Depth,
    /// Bytes that move.
    Movement,
    /// Work over depth.
    Parallelism,
    /// Operations for each byte.
    Intensity,
}

/// Parameters of [`crate::Request::GraphScaling`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphScalingParams {
    /// The document.
    pub document: u32,
    /// The element; none for the whole program.
    pub element: Option<u32>,
    /// The cost.
    pub quantity: CostQuantity,
    /// Values of all symbols.
    pub symbols: Vec<SymbolSetting>,
    /// The symbol that varies; the others stay. Empty: only the ranking is wanted.
    pub symbol: String,
    /// The smallest value.
    pub from: f64,
    /// The largest value.
    pub to: f64,
}

/// Result of [`crate::Request::GraphScaling`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphScalingResult {
    /// The cost in terms of symbols.
    pub expression: String,
    /// The power of the symbol with which the cost grows, fitted to the larger half of the values;
    /// none where there are too few.
    pub exponent: Option<f64>,
    /// Which symbol matters most, first.
    pub ranking: Vec<SymbolEffect>,
}

columns! {
    /// Columns of [`crate::Request::GraphScaling`], one entry a value of the symbol, spread evenly by
    /// their logarithm.
    GraphScalingColumns {
        /// Value of the symbol.
        at: f64,
        /// The cost; no number where it has no value.
        cost: f64,
    }
}

/// What a symbol does to a cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SymbolEffect {
    /// The symbol.
    pub name: String,
    /// How many times as much it costs if the symbol doubles and the others stay.
    pub doubled: f64,
}
