//! Runs that failed, were disturbed, or whose recording is in doubt.

use analysis::experiment::Usable;
use profile::MemberId;

use crate::kinds::profile::document::profile_document::ProfileDocument;
use crate::kinds::profile::experiment::runs::experiment_runs;

/// What is wrong with a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// It failed, and does not count.
    Failed,
    /// The machine did other things meanwhile.
    Disturbed,
    /// It was of other files or in another manner than the newest run of its cell, and does not count.
    Outdated,
    /// Its recording may be off; its figures count.
    Doubtful,
}

impl Trouble {
    /// For people and programs.
    pub fn name(self) -> &'static str {
        match self {
            Trouble::Failed => "failed",
            Trouble::Disturbed => "disturbed",
            Trouble::Outdated => "outdated",
            Trouble::Doubtful => "doubtful",
        }
    }
}

/// A run with which something is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TroubledRun {
    /// Which it is.
    pub member: MemberId,
    /// What it is called.
    pub name: String,
    /// What is wrong.
    pub trouble: Trouble,
    /// Why.
    pub why: String,
    /// The end of what a failed command said; may be empty.
    pub output: String,
}

/// Runs that failed, were disturbed or are doubtful, in their order.
pub fn troubled_runs(document: &ProfileDocument) -> Vec<TroubledRun> {
    let Some(runs) = experiment_runs(document) else { return vec![] };
    let of = |run: &analysis::experiment::Run| {
        let text = |name| document.profile.fact_text(run.member, name).unwrap_or_default();
        let (trouble, why) = match (run.usable, text("warning")) {
            (Usable::Yes, "") => return None,
            (Usable::Yes, warning) => (Trouble::Doubtful, warning.to_owned()),
            (Usable::Disturbed, _) => {
                let why = format!("the machine was disturbed: {}", text("disturbed"));
                (Trouble::Disturbed, why)
            }
            (Usable::Outdated, _) => {
                let why = "the newest run of its cell used other files or another recorder, or was isolated and this one was not";
                (Trouble::Outdated, why.to_owned())
            }
            (Usable::Failed, _) if text("failed").is_empty() => {
                (Trouble::Failed, text("failure").to_owned())
            }
            (Usable::Failed, _) => (Trouble::Failed, text("failed").to_owned()),
        };
        let name = document.profile.members[run.member.index()].name.clone();
        let output = text("output").trim().to_owned();
        Some(TroubledRun { member: run.member, name, trouble, why, output })
    };
    runs.runs.iter().filter_map(of).collect()
}
