//! Experiments: profiles whose members ran in several conditions.

use serde::{Deserialize, Serialize};

use crate::ViewSpec;

/// Parameters of [`crate::ProfileRequest::Experiment`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentParams {
    /// The document.
    pub document: u32,
    /// The first run that is told.
    pub first: u32,
    /// How many runs are told at most.
    pub count: u32,
}

/// Result of [`crate::ProfileRequest::Experiment`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentResult {
    /// What was varied.
    pub factors: Vec<ExperimentFactor>,
    /// The conditions.
    pub cells: Vec<ExperimentCell>,
    /// Figures of whole runs, by name.
    pub measures: Vec<String>,
    /// How many runs there are.
    pub total_runs: u32,
    /// Those that were asked for.
    pub runs: Vec<ExperimentRun>,
}

/// What was varied.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentFactor {
    /// What it is called.
    pub name: String,
    /// What it was, in order.
    pub levels: Vec<String>,
}

/// A condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentCell {
    /// For people.
    pub title: String,
    /// By factor, which of its levels.
    pub levels: Vec<Option<u32>>,
    /// Runs that count.
    pub runs: u32,
    /// Runs that do not.
    pub left_out: u32,
    /// A label filter that keeps the runs that count.
    pub pattern: String,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentRun {
    /// What it is called.
    pub name: String,
    /// Its cell.
    pub cell: u32,
    /// Why it does not count, or how the machine was disturbed; empty where nothing was wrong.
    pub trouble: String,
    /// What is known of it: names and texts.
    pub facts: Vec<[String; 2]>,
}

/// What is asked of each run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ExperimentQuantity {
    /// A figure of whole runs; filters say nothing about it.
    Measure {
        /// Its name.
        name: String,
    },
    /// The metric of the view.
    Metric {},
    /// A function in that metric.
    Function {
        /// Its key.
        key: u32,
        /// Whether what it calls counts, too.
        total: bool,
    },
}

/// Parameters of [`crate::ProfileRequest::ExperimentMatrix`] and of [`crate::ProfileRequest::ExperimentEffects`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentQuantityParams {
    /// Filters, metric and granularity.
    pub view: ViewSpec,
    /// What is asked of each run.
    pub quantity: ExperimentQuantity,
}

/// A value with its interval; no ends where the scatter is not known. The interval of a mean that
/// cannot be below 0 is cut there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentEstimate {
    /// The value, of a quantity in its unit.
    pub value: f64,
    /// In 95 of 100 experiments the true value is above this.
    pub low: Option<f64>,
    /// The same below this.
    pub high: Option<f64>,
    /// The value for people.
    pub text: String,
    /// The interval for people, or why there is none.
    pub interval: String,
}

/// Result of [`crate::ProfileRequest::ExperimentMatrix`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentMatrixResult {
    /// The quantity.
    pub title: String,
    /// Its unit.
    pub unit: String,
    /// What the numbers are.
    pub caption: String,
    /// What is to be known of them.
    pub notes: Vec<String>,
    /// By cell.
    pub cells: Vec<ExperimentValue>,
}

/// A quantity in a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentValue {
    /// The mean of its runs; none where it was not measured.
    pub mean: Option<ExperimentEstimate>,
    /// Runs in which it was measured.
    pub runs: u32,
    /// How many times the least of all cells it is; none where that is 0 or below.
    pub to_best: Option<f64>,
    /// The same for people.
    pub to_best_text: String,
}

/// Result of [`crate::ProfileRequest::ExperimentEffects`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentEffectsResult {
    /// The quantity.
    pub title: String,
    /// Levels of factors against the first ones.
    pub single: Vec<ExperimentEffect>,
    /// What two levels do that neither does alone, the surest first.
    pub together: Vec<ExperimentEffect>,
}

/// What a level does, or two together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentEffect {
    /// For people.
    pub title: String,
    /// The factors, each with its level that is compared with its first one.
    pub levels: Vec<[u32; 2]>,
    /// How many times; none where something is 0 or below.
    pub ratio: Option<ExperimentEstimate>,
    /// Of all with at most this, at most that share is there by chance.
    pub q: f64,
    /// Whether it is more than chance.
    pub believed: bool,
}

/// Parameters of [`crate::ProfileRequest::ExperimentDifferences`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentDifferencesParams {
    /// Filters, metric and granularity.
    pub view: ViewSpec,
    /// What is asked of whole runs.
    pub quantity: ExperimentQuantity,
    /// Cells of the base.
    pub base: Vec<u32>,
    /// Cells of the new side.
    pub new: Vec<u32>,
    /// Whether functions count with what they call.
    pub total: bool,
    /// Most functions.
    pub count: u32,
}

/// Result of [`crate::ProfileRequest::ExperimentDifferences`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentDifferencesResult {
    /// The quantity of whole runs.
    pub title: String,
    /// By how much it differs, in a sentence.
    pub whole: String,
    /// What functions are compared in.
    pub of_functions: String,
    /// The unit of that.
    pub unit: String,
    /// Why base and new side of a row do not divide to its ratio; empty where they do.
    pub ratio_note: String,
    /// Functions of both sides, those that are believed first.
    pub rows: Vec<ExperimentDifference>,
    /// How many there are.
    pub total_rows: u32,
    /// Functions of one side alone.
    pub only: Vec<ExperimentOnly>,
    /// How many there are.
    pub total_only: u32,
    /// What else is to be known.
    pub notes: Vec<String>,
}

/// A function on both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentDifference {
    /// Its key.
    pub key: u32,
    /// What it is called.
    pub label: String,
    /// The base's mean for people.
    pub base: String,
    /// The new one.
    pub new: String,
    /// Both means, in the unit.
    pub means: [f64; 2],
    /// The difference, in the unit.
    pub difference: ExperimentEstimate,
    /// How many times; none where something is 0 or below.
    pub ratio: Option<ExperimentEstimate>,
    /// Of all with at most this, at most that share is there by chance.
    pub q: f64,
    /// Whether it is more than chance.
    pub believed: bool,
}

/// A function on one side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentOnly {
    /// Its key.
    pub key: u32,
    /// What it is called.
    pub label: String,
    /// Whether that is the new side.
    pub is_new: bool,
    /// Its mean there, for people.
    pub mean: String,
    /// The same in the unit.
    pub mean_value: f64,
    /// Runs there in which it is.
    pub runs: u32,
    /// All runs there.
    pub of_runs: u32,
}

/// Parameters of [`crate::ProfileRequest::ExperimentHistory`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentHistoryParams {
    /// Filters, metric and granularity.
    pub view: ViewSpec,
    /// What is asked of each run.
    pub quantity: ExperimentQuantity,
    /// By what; `revision`, or the only factor, where none is named.
    pub factor: Option<String>,
}

/// Result of [`crate::ProfileRequest::ExperimentHistory`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentHistoryResult {
    /// What the numbers are.
    pub caption: String,
    /// The unit of the quantity.
    pub unit: String,
    /// The factor.
    pub factor: String,
    /// One for each combination of the other factors.
    pub lines: Vec<ExperimentLine>,
}

/// A history in which nothing else changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentLine {
    /// Levels of the other factors; empty where there are none.
    pub title: String,
    /// Oldest first.
    pub steps: Vec<ExperimentStep>,
    /// Where it jumps.
    pub changes: Vec<ExperimentChange>,
}

/// One level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentStep {
    /// What it is called.
    pub level: String,
    /// Its cell.
    pub cell: u32,
    /// The mean of its runs; none where it was not measured.
    pub mean: Option<ExperimentEstimate>,
    /// The commit; empty if that is not known.
    pub commit: String,
    /// What the commit is about.
    pub subject: String,
}

/// Where a history jumps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentChange {
    /// The first step after it, a row of the line's steps.
    pub step: u32,
    /// The last measured step before it.
    pub before: u32,
    /// For people.
    pub sentence: String,
}
