//! Advice: what the notes of a profile say of it, and rules that somebody wrote down.

use serde::{Deserialize, Serialize};

use super::ViewSpec;

/// Parameters of [`crate::ProfileRequest::Advice`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AdviceParams {
    /// Filters and metric; rules look at functions, whatever its granularity.
    pub view: ViewSpec,
    /// Rules besides those that the engine has.
    #[serde(default)]
    pub rules: Vec<AdviceRuleInfo>,
    /// Most rows.
    pub limit: u32,
}

/// A rule.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default, deny_unknown_fields)]
pub struct AdviceRuleInfo {
    /// A few words: what kind of thing it is.
    pub title: String,
    /// Regular expression of the functions' names; empty for all.
    pub name: String,
    /// Regular expression of their files' paths; empty for all.
    pub file: String,
    /// Regular expression of their modules' names; empty for all.
    pub module: String,
    /// Regular expression of names one of which is further out on the stack; empty where that is the same.
    pub below: String,
    /// Only what happens inside a loop, of profiles that know loops.
    pub in_loop: bool,
    /// Only what happens while the same function is on the stack already.
    pub recursive: bool,
    /// Only points that link contexts, each at the one that has this role; empty for all, where they count.
    pub role: String,
    /// The metric, by name; empty for the one that is looked at.
    pub metric: String,
    /// What the metric must count; none for anything.
    pub unit: Option<AdviceUnit>,
    /// Which value decides.
    pub of: AdviceValue,
    /// What that is at least of the whole program, in percent.
    pub share: f64,
    /// A formula over the function's values, which must have a value other than 0; empty for none.
    pub when: String,
    /// What is said, as plain text.
    pub text: String,
    /// Where more is said; may be empty.
    pub link: String,
    /// Where the rule stands, for people: a file and a line.
    pub origin: String,
}

/// What a metric counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AdviceUnit {
    /// Time, or samples of it.
    Time,
    /// Bytes.
    Bytes,
    /// Anything else.
    Count,
}

/// Which value of a function decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AdviceValue {
    /// With what it calls.
    #[default]
    Total,
    /// Without.
    #[serde(rename = "self")]
    Own,
}

/// Result of [`crate::ProfileRequest::Advice`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AdviceResult {
    /// The profile's notes, then where rules fit: of both the largest share first.
    pub rows: Vec<AdviceInfo>,
    /// Rows that are left out.
    pub more: u32,
    /// Rules that ask for what the profile does not have, each a sentence.
    pub left_out: Vec<String>,
}

/// A note, or where a rule fits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AdviceInfo {
    /// What kind of thing it is.
    pub title: String,
    /// What is said.
    pub text: String,
    /// Where more is said; may be empty.
    pub link: String,
    /// Where the rule stands, or that it is a note of the profile.
    pub origin: String,
    /// Identity of the function, as functions are told apart; none of the whole program, and of what was not
    /// measured.
    pub key: Option<u32>,
    /// Its name, with its place where another function has the same name.
    pub name: String,
    /// Its file; may be empty.
    pub file: String,
    /// Its line, or the one that a note is about; 0 if unknown.
    pub line: u32,
    /// The functions around it, where it is about one call path: `main › parse`.
    pub path: String,
    /// Its value where the rule fits, with what it is of: `1.2 s of cpu`; `not measured`; or empty.
    pub value: String,
    /// What that is of the whole program, from 0 to 1; none where there is no value.
    pub share: Option<f64>,
    /// Whether call paths, by which that was chosen, are an estimate.
    pub is_estimated: bool,
}
