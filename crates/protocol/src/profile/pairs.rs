//! Pairs of linked contexts.

use serde::{Deserialize, Serialize};

use crate::ViewSpec;
use crate::columns::columns;

/// Parameters of [`crate::ProfileRequest::Pairs`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PairsParams {
    /// The view; what its role view chooses narrows the pairs.
    pub view: ViewSpec,
    /// Role of the first contexts, as index into the document's roles.
    pub first: u32,
    /// Role of the second contexts.
    pub second: u32,
    /// Most pairs wanted.
    pub count: u32,
}

/// Result of [`crate::ProfileRequest::Pairs`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PairsResult {
    /// The pairs, one where they are equal at the view's granularity; largest in the view's metric
    /// first.
    pub pairs: Vec<PairInfo>,
    /// How many pairs there are.
    pub total_pairs: u32,
    /// Measured metrics a pair has, in the profile's order: the stride of the column.
    pub metrics: u32,
    /// The measured metric that ranks them: the view's, or the one that stands for it.
    pub metric: u32,
}

columns! {
    /// Columns of [`crate::ProfileRequest::Pairs`]: `value` is row-major, `metrics` entries a pair; the others have
    /// one entry a metric.
    PairsColumns {
        /// Sums over the points that join the pair.
        value: i64,
        /// Sums over all pairs.
        pairs_total: i64,
        /// Totals of the program, without narrowing.
        program_total: i64,
    }
}

/// Two contexts that points join.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PairInfo {
    /// The context of the first role.
    pub first: LinkedContext,
    /// The context of the second role.
    pub second: LinkedContext,
    /// The innermost function that both paths go through; none where nothing is common to both.
    pub ancestor: Option<CommonAncestor>,
    /// Points that join the two.
    pub points: f64,
    /// Pairs of contexts that are equal at the view's granularity and are therefore this one; lines
    /// and ancestor are those of the largest.
    pub merged: f64,
}

/// A context that points join with others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LinkedContext {
    /// Function name; empty where the context is the whole program or shows no frame.
    pub name: String,
    /// Name with its place, where another function has the same name.
    pub label: Option<String>,
    /// Source file; may be empty.
    pub file: String,
    /// Line; 0 if unknown.
    pub line: u32,
    /// Keys of its node in the top-down view.
    pub path: Vec<u32>,
}

/// Where the paths to two contexts part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CommonAncestor {
    /// Function name.
    pub name: String,
    /// Source file; may be empty.
    pub file: String,
    /// Line from which the path to the first context goes on; 0 if unknown.
    pub first_line: u32,
    /// Line from which the path to the second context goes on; 0 if unknown.
    pub second_line: u32,
}
