//! Runs that failed enter no comparison: a program that ends early looks fast.

use std::collections::BTreeMap;

use analysis::{Merged, without_members};
use profile::MemberId;
use protocol::{ErrorCode, ProtocolError};

use crate::ProfileDocument;

/// The words for the sides of a comparison, base first.
pub(in crate::kinds::profile) const SIDES: [&str; 2] = ["base", "new"];

/// A side of a comparison without runs that failed.
#[derive(Debug)]
pub struct WithoutFailed {
    /// What is left.
    pub document: ProfileDocument,
    /// What was left out and why, in a sentence.
    pub note: String,
}

/// What is left without the runs that failed, as a `side` of a comparison (`base` or `new`); none
/// where no run is known to have failed.
///
/// # Errors
/// All runs failed.
pub fn without_failed(
    document: &ProfileDocument,
    side: &str,
) -> Result<Option<WithoutFailed>, ProtocolError> {
    let profile = document.profile();
    let members = (0..profile.members.len() as u32).map(MemberId);
    let why: Vec<Option<&str>> = members.map(|member| failure(profile, member)).collect();
    let reasons: Vec<&str> = why.iter().copied().flatten().collect();
    if reasons.is_empty() {
        return Ok(None);
    }
    if reasons.len() == why.len() {
        return Err(all_failed(side, &reasons).with_hint(
            "Runs that failed are not compared; --with-failed of the commands compares them, too.",
        ));
    }
    let is_left_out: Vec<bool> = why.iter().map(Option::is_some).collect();
    let left = without_members(profile, &is_left_out);
    // Of a result that is one file, the members are not what was read.
    let inputs =
        if document.inputs() == why.len() { left.members.len() } else { document.inputs() };
    let note = failed_note(side, why.len(), &reasons);
    let merged = Merged { profile: left, inputs, notes: document.merge_notes().to_vec() };
    let document =
        ProfileDocument::new(document.title(), merged, document.reader_warnings().clone());
    Ok(Some(WithoutFailed { document, note }))
}

/// Why a run failed; none where it is not known to have.
pub(in crate::kinds::profile) fn failure(
    profile: &profile::Profile,
    run: MemberId,
) -> Option<&str> {
    let class = profile.fact_text(run, "failure")?;
    Some(profile.fact_text(run, "failed").unwrap_or(class))
}

/// `base: 2 of 5 runs failed and are left out: it ended with code 3 (2)`.
pub(in crate::kinds::profile) fn failed_note(side: &str, runs: usize, reasons: &[&str]) -> String {
    let (are, failed) = (if reasons.len() == 1 { "is" } else { "are" }, reasons.len());
    format!("{side}: {failed} of {runs} runs failed and {are} left out: {}", counted(reasons))
}

pub(in crate::kinds::profile) fn all_failed(side: &str, reasons: &[&str]) -> ProtocolError {
    let message = match reasons.len() {
        1 => format!("the only run of {side} failed: {}", counted(reasons)),
        all => format!("all {all} runs of {side} failed: {}", counted(reasons)),
    };
    ProtocolError::new(ErrorCode::BadRequest, message)
}

/// Reasons, each once, with how often it is there.
fn counted(reasons: &[&str]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    reasons.iter().for_each(|reason| *counts.entry(reason).or_default() += 1);
    let told = counts.into_iter().map(|(reason, count)| match count {
        1 => reason.to_owned(),
        count => format!("{reason} ({count})"),
    });
    told.collect::<Vec<_>>().join("; ")
}
