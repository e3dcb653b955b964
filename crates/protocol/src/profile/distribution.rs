//! How values spread over members.

use serde::{Deserialize, Serialize};

use crate::columns::columns;

/// Result of [`crate::ProfileRequest::Distribution`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DistributionResult {
    /// Which build of the view the node numbers belong to.
    pub instance: u32,
    /// The measured metric that values are in.
    pub metric: u32,
    /// The members, in their order.
    pub members: Vec<MemberInfo>,
    /// Whether members came in an order of time, so that a trend is one over time.
    pub timed: bool,
    /// Of a comparison of runs: how many members belong to the base; the others are new.
    pub base_members: Option<u32>,
    /// Members that stand apart so far that the histogram leaves them out.
    pub beyond: u32,
    /// The usual figures of the total values.
    pub figures: Option<Figures>,
    /// Which members stand apart from the others (beyond Tukey's fences).
    pub outliers: Vec<u32>,
    /// Whether values rise or fall from member to member.
    pub trend: Option<TrendInfo>,
    /// Of a comparison of runs: by how much the means differ.
    pub interval: Option<IntervalInfo>,
}

columns! {
    /// Columns of [`crate::ProfileRequest::Distribution`]. `self_value` and `total_value` have one entry a
    /// member; the others are the histogram of the totals.
    DistributionColumns {
        /// Self value of the node in a member.
        self_value: i64,
        /// Total value of the node in a member.
        total_value: i64,
        /// Edges of the bins, one more than bins, in 10^-decimals of the unit.
        edges: f64,
        /// Members in a bin.
        counts: u32,
    }
}

/// A member.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MemberInfo {
    /// Its name.
    pub name: String,
    /// A label filter pattern that selects it.
    pub pattern: String,
    /// When it was measured, in seconds since 1970, if known.
    pub time_s: Option<f64>,
}

/// The usual figures of values, in 10^-decimals of the unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Figures {
    /// How many members have the node.
    pub present: u32,
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// The one in the middle.
    pub median: f64,
    /// Standard deviation of the sample; none for a single value.
    pub deviation: Option<f64>,
    /// The value that 95 of 100 do not exceed.
    pub p95: f64,
}

/// A trend over the members.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TrendInfo {
    /// Which way values go.
    pub direction: Direction,
    /// Change from a member to the next, in 10^-decimals of the unit: the line of least
    /// squares, or where a few wild members turn it against the test, the median slope of pairs
    /// (Theil and Sen).
    pub slope: f64,
    /// How likely values without a trend go as much one way (Mann and Kendall).
    pub p_value: f64,
    /// Where values got high early and were never given back: the smallest since then, as a share
    /// of the largest.
    pub kept: Option<f64>,
}

/// Which way values go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Up.
    Rising,
    /// Neither.
    Steady,
    /// Down.
    Falling,
}

/// The difference of two groups of runs and where it may lie, in 10^-decimals of the unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct IntervalInfo {
    /// New less base.
    pub estimate: f64,
    /// Where the 95 % interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}
