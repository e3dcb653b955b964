//! Runs that failed or were disturbed.

use analysis::experiment::Usable;

use crate::kinds::profile::document::ProfileDocument;

/// A run that does not count, or whose machine was disturbed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedRun {
    /// Whose run it is.
    pub name: String,
    /// Whether it failed.
    pub has_failed: bool,
    /// Why.
    pub why: String,
    /// The end of what a failed command said; may be empty.
    pub output: String,
}

impl ProfileDocument {
    /// Runs that failed or were disturbed, in their order.
    pub fn failed_runs(&self) -> Vec<FailedRun> {
        let Some(runs) = self.experiment_runs() else { return vec![] };
        let of = |run: &analysis::experiment::Run| {
            let text = |name| self.profile.fact_text(run.member, name).unwrap_or_default();
            let why = match run.usable {
                Usable::Yes => return None,
                Usable::Disturbed => format!("the machine was disturbed: {}", text("disturbed")),
                Usable::Failed if text("failed").is_empty() => text("failure").to_owned(),
                Usable::Failed => text("failed").to_owned(),
            };
            let name = self.profile.members[run.member.index()].name.clone();
            let has_failed = run.usable == Usable::Failed;
            Some(FailedRun { name, has_failed, why, output: text("output").trim().to_owned() })
        };
        runs.runs.iter().filter_map(of).collect()
    }
}
