//! Comparisons, and profiles that become one.

use serde::{Deserialize, Serialize};

use crate::{Filter, MatchInfo};

/// What kind of change a node has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ChangeTag {
    /// Only in the new profile.
    Added,
    /// Only in the base.
    Deleted,
    /// More in the new profile.
    Larger,
    /// Less in the new profile.
    Smaller,
    /// The same, but for noise.
    Unchanged,
}

/// What runs show of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ChangeVerdict {
    /// More in the new profile.
    More,
    /// Less in the new profile.
    Less,
    /// The same, within a margin.
    Same,
    /// Neither is shown.
    Unknown,
}

impl ChangeVerdict {
    /// As it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ChangeVerdict::More => "more",
            ChangeVerdict::Less => "less",
            ChangeVerdict::Same => "same",
            ChangeVerdict::Unknown => "unknown",
        }
    }
}

/// What can be said of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VerdictInfo {
    /// What runs show.
    pub verdict: ChangeVerdict,
    /// Why they show neither, such as one run on a side; empty otherwise.
    pub reason: String,
}

/// How a node changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChangeInfo {
    /// The kind of change.
    pub tag: ChangeTag,
    /// What can be said of it.
    #[serde(default)]
    pub verdict: Option<VerdictInfo>,
    /// How likely chance alone makes runs differ so, where it was tested.
    pub p_value: Option<f64>,
    /// The same, adjusted for the number of nodes that were tested (Benjamini and Hochberg).
    pub adjusted: Option<f64>,
    /// What the function is in the base, where it has another name, file or line there.
    pub matched: Option<MatchInfo>,
}

/// Parameters of [`crate::ProfileRequest::Compare`]. Several documents on a side are runs, whose mean is
/// compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CompareParams {
    /// The base.
    pub base: Vec<u32>,
    /// The new side.
    pub new: Vec<u32>,
    /// Whether the sides are sorted out by age: then the older measurement is the base, or where
    /// the files do not tell, what was opened first.
    pub by_age: bool,
    /// What makes values of both sides comparable.
    pub normalise: Normalise,
    /// Differences up to this share (0 to 1) of the larger value are noise; for runs, chance is
    /// asked instead.
    pub noise: f64,
    /// What is compared of base and new side, where that is not all; they may then be the same document.
    /// Filters of samples and of time alone: those of frames apply to both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub filters: Option<[Vec<Filter>; 2]>,
}

/// What makes values of both sides comparable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Normalise {
    /// As they are.
    Absolute {},
    /// Both sides get the total of the base.
    Total {},
    /// The functions that match get the same total on both sides.
    Frame {
        /// Regular expression over function, file and module.
        pattern: String,
    },
}

/// Parameters of [`crate::ProfileRequest::Normalise`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NormaliseParams {
    /// The comparison.
    pub document: u32,
    /// What makes values of both sides comparable.
    pub normalise: Normalise,
}

/// Parameters of [`crate::ProfileRequest::SplitMembers`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SplitMembersParams {
    /// The document.
    pub document: u32,
    /// What members are made of, as `--members-by` takes it: `process`, `thread`, `cpu` or the key
    /// of a label, also as `label:KEY`.
    pub by: String,
}

/// Parameters of [`crate::ProfileRequest::Align`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AlignParams {
    /// The document: several recordings, or a comparison.
    pub document: u32,
    /// What stands together in time, as `--align` takes it: `start`, `clock`, `at:NAME`, `progress`,
    /// `progress:NAME`, or by hand `#2=1.5s`.
    pub by: String,
}

/// What members can be made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MemberSplit {
    /// As [`SplitMembersParams::by`] takes it.
    pub by: String,
    /// For people.
    pub title: String,
}

/// Parameters of [`crate::ProfileRequest::Merge`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MergeParams {
    /// The documents.
    pub documents: Vec<u32>,
}
