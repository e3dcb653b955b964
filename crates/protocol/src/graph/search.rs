//! Elements that match.

use serde::{Deserialize, Serialize};

use crate::GraphKind;

/// Parameters of [`crate::Request::GraphSearch`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphSearchParams {
    /// The document.
    pub document: u32,
    /// Text to find in labels, data names and kinds, without regard to case; `kind:map` and `data:A`
    /// narrow it.
    pub text: String,
    /// Most matches wanted.
    pub limit: u32,
}

/// Result of [`crate::Request::GraphSearch`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphSearchResult {
    /// In the order of the program.
    pub matches: Vec<GraphMatch>,
    /// How many there are.
    pub total: f64,
}

/// An element that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphMatch {
    /// The element.
    pub element: u32,
    /// How DaCe names it.
    pub id: String,
    /// What it is; none for an edge.
    pub kind: Option<GraphKind>,
    /// Its label; of an edge its data.
    pub label: String,
    /// The containers that it is in, the outermost first: what has to be open for it to be seen.
    pub path: Vec<u32>,
}
