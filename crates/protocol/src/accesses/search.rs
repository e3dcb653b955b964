//! Layouts and orders of loops that miss less, and text to write them with.

use serde::{Deserialize, Serialize};

use super::{AccessesCaches, AccessesProgram};

/// Parameters of [`crate::Request::AccessesSearch`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccessesSearchParams {
    /// Which accesses; their changes are done first.
    pub program: AccessesProgram,
    /// Through which caches.
    pub caches: AccessesCaches,
    /// Most variants to simulate.
    pub most: u32,
}

/// Result of [`crate::Request::AccessesSearch`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccessesSearchResult {
    /// Misses by level without any of them.
    pub plain: Vec<f64>,
    /// Those that miss least first.
    pub variants: Vec<AccessesVariant>,
    /// How many were simulated.
    pub simulated: f64,
    /// How many are forbidden, or cannot be simulated.
    pub refused: f64,
    /// Whether none near the best is left.
    pub has_ended: bool,
}

/// Changes, and what is missed with them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccessesVariant {
    /// The changes, done in turn.
    pub changes: Vec<String>,
    /// Misses by level.
    pub misses: Vec<f64>,
}

/// What is written of accesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AccessesText {
    /// Declarations, indices and loops in C.
    C,
    /// Arrays of NumPy in these layouts.
    Numpy,
    /// Strides and orders of parameters for DaCe, in Python.
    Dace,
}

/// Parameters of [`crate::Request::AccessesText`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccessesTextParams {
    /// Which accesses.
    pub program: AccessesProgram,
    /// In which language.
    pub language: AccessesText,
}
