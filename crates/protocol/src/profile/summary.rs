//! What a profile is in all.

use serde::{Deserialize, Serialize};

use crate::columns::columns;
use crate::{MemberSplit, Normalise, WarningInfo};

/// Result of [`crate::ProfileRequest::Summary`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SummaryResult {
    /// File name without folders.
    pub title: String,
    /// Name of the format, such as `pprof`.
    pub format: String,
    /// What wrote it, as far as the file tells; else empty.
    pub producer: String,
    /// Start of the measurement in seconds since 1970, if known.
    pub time_s: Option<f64>,
    /// Length of the measurement in seconds, if known.
    pub duration_s: Option<f64>,
    /// The metrics, in file order.
    pub metrics: Vec<MetricInfo>,
    /// Index of the metric to show first.
    pub default_metric: u32,
    /// Contexts of the calling context tree.
    pub contexts: f64,
    /// Frames (places in code, inlined ones counted).
    pub frames: f64,
    /// Functions.
    pub functions: f64,
    /// Monitoring points (samples, lines of a collapsed file).
    pub points: f64,
    /// Threads that labels or the format name; 0 where nothing tells.
    pub threads: u32,
    /// Label keys in use.
    pub label_keys: Vec<String>,
    /// Roles of the contexts that points join, such as `allocation`, `use`, `reuse`; empty where
    /// every point has one context.
    pub roles: Vec<String>,
    /// Lines of time; 0 where the profile has no timestamps.
    pub tracks: u32,
    /// Whether some samples tell their processors.
    pub has_processors: bool,
    /// What began and ended on them: a trace is looked at in time order first.
    pub spans: f64,
    /// Free text that the producer left.
    pub comments: Vec<String>,
    /// Where the producer explains the profile, if it says so; only http and https addresses.
    pub doc_url: String,
    /// What the reader repaired or skipped.
    pub warnings: Vec<WarningInfo>,
    /// How long opening took, in seconds, where the host measured it.
    pub opened_s: Option<f64>,
    /// How many profiles came as one; 0 if it came alone.
    pub members: u32,
    /// Whether members ran in several conditions: [`crate::ProfileRequest::Experiment`] tells of them.
    pub is_experiment: bool,
    /// Whether recordings do not stand in time as they were recorded.
    pub is_aligned: bool,
    /// What members can be made of ([`crate::ProfileRequest::SplitMembers`]): what some point has.
    /// Empty for a comparison.
    pub splits: Vec<MemberSplit>,
    /// Whether call paths, and so the totals of trees, are estimated from a call graph.
    pub estimated_paths: bool,
    /// How many functions are exact up to some call only: [`crate::ProfileRequest::Estimates`] tells of them.
    pub switched_off: u32,
    /// What is compared, if it is a comparison.
    pub comparison: Option<ComparisonInfo>,
}

columns! {
    /// Columns of [`crate::ProfileRequest::Summary`], one entry a metric, derived ones included.
    SummaryColumns {
        /// Sum over all points.
        total: i64,
    }
}

/// One metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MetricInfo {
    /// Name, such as `cpu` or `inuse_space`.
    pub name: String,
    /// Unit as the file has it, such as `nanoseconds`, `bytes`, `count`.
    pub unit: String,
    /// Values are integers that count 10^-decimals of the unit.
    pub decimals: u32,
    /// The formula of a derived metric. Its values do not add up; the smallest 64-bit integer
    /// stands for 'no value'.
    pub formula: Option<String>,
    /// Whether its values add up: those of formulas do not, nor those of measured metrics that
    /// combine in another way.
    pub adds_up: bool,
    /// Whether its values are changes: those below 0 fall, and widths are magnitudes.
    pub signed: bool,
    /// What several values are together over contexts: `sum`, `maximum`, `minimum`, `last`, `mean`
    /// or `none`.
    pub combine: String,
}

/// A comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ComparisonInfo {
    /// Title of the base.
    pub base: String,
    /// Title of the new profile.
    pub new: String,
    /// Whether [`crate::ProfileRequest::Swap`] can turn it round.
    pub swaps: bool,
    /// How many runs each side is the mean of, base first.
    pub runs: [u32; 2],
    /// Whether changes are told from noise by the runs, by a test of every node.
    pub tested: bool,
    /// What makes values of both sides comparable.
    pub normalise: Normalise,
    /// Of a comparison of parts: what was chosen of base and new side.
    pub chosen: Option<[ChosenSide; 2]>,
    /// The metrics that are compared.
    pub metrics: Vec<ComparedMetric>,
}

/// What filters chose of a side of a comparison, so that values can be held against it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChosenSide {
    /// The filters in words; empty where all of the side counts.
    pub filters: String,
    /// How many seconds it is: of the recording, or of all threads together.
    pub length_s: f64,
    /// Whether threads have times of their own, which are added up.
    pub of_threads: bool,
    /// How many spans count, at least in part.
    pub spans: f64,
    /// How many of the spans or marks that the filters choose time by are in it.
    pub chosen_by: Option<f64>,
}

/// A metric of a comparison, by the indices of the document's metrics.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ComparedMetric {
    /// Its name in the profiles.
    pub name: String,
    /// The base's values.
    pub base: u32,
    /// The new profile's values.
    pub new: u32,
    /// Both added up.
    pub both: u32,
    /// New less base.
    pub change: u32,
    /// New over base.
    pub ratio: u32,
}

/// Parameters of [`crate::ProfileRequest::DefineMetric`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DefineMetricParams {
    /// The document.
    pub document: u32,
    /// What to call it; empty for the text of the formula.
    pub name: String,
    /// The formula, such as `misses / instructions` or `max_of(bytes)`.
    pub formula: String,
}

/// Result of [`crate::ProfileRequest::DefineMetric`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MetricResult {
    /// Index among the document's metrics; that of an equal one that was defined before.
    pub metric: u32,
}
