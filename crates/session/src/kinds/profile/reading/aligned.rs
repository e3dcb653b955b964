//! Recordings on one axis of time.

use std::sync::Arc;

use analysis::{AlignBy, Aligned, align, time_text, unsure_clocks};
use formats::Warnings;
use profile::{Profile, visible};
use protocol::{ErrorCode, ProtocolError};

use crate::count_text;
use crate::kinds::profile::compare::normalised::normalised;
use crate::kinds::profile::document::profile_document::ProfileDocument;

/// The kind of what is told of it.
const TOLD: &str = "aligned";

/// The kind of what is told of clocks of several hosts.
const CLOCKS: &str = "clocks of hosts";

/// The same recordings on another axis of time.
///
/// # Errors
/// If they are one alone, or cannot be aligned so.
pub(crate) fn aligned(
    document: &Arc<ProfileDocument>,
    by: &AlignBy,
) -> Result<ProfileDocument, ProtocolError> {
    let plain = match document.comparison() {
        Some(_) => document.plain()?,
        None => document.clone(),
    };
    let mut profile = (**plain.profile()).clone();
    let aligned = align(&mut profile, by)
        .map_err(|error| ProtocolError::new(ErrorCode::BadRequest, error.to_string()))?;
    let mut warnings = plain.reader_warnings().without(TOLD).without(CLOCKS);
    tell_alignment(&profile, by, &aligned, &mut warnings);
    let moved = plain.with_profile(profile, warnings).aligned_by(by);
    match document.comparison() {
        Some(of) if !Arc::ptr_eq(&plain, document) => normalised(&Arc::new(moved), &of.normalise),
        _ => Ok(moved),
    }
}

/// Puts members on one axis of time, or says why they stay as they are.
pub(in crate::kinds::profile) fn align_members(
    profile: &mut Profile,
    by: &AlignBy,
    warnings: &mut Warnings,
) {
    match align(profile, by) {
        Ok(aligned) => tell_alignment(profile, by, &aligned, warnings),
        Err(error) => warnings.add("align", || format!("recordings stay as they are: {error}")),
    }
}

/// Says whose times are not as they were recorded.
fn tell_alignment(profile: &Profile, by: &AlignBy, aligned: &Aligned, warnings: &mut Warnings) {
    /// More are not told one by one.
    const MOST_TOLD: usize = 20;
    let told = |row: usize| {
        if let Some(clock) = aligned.clocks.get(row) {
            let name = visible(&profile.members.get(row)?.name).into_owned();
            let spans = count_text(aligned.matches[row] as u64);
            let how = if clock.is_even() { "stays" } else { "is stretched" };
            let spans = if spans == "1" { "1 span".to_owned() } else { format!("{spans} spans") };
            return (row > 0).then(|| format!("{name} {how}, {spans} on those of the first"));
        }
        let name = visible(&profile.members.get(row)?.name).into_owned();
        let several = aligned.matches.get(row).filter(|matches| **matches > 1);
        let of = several.map_or_else(String::new, |all| format!(" (its first of {all})"));
        let moved = aligned.moved[row];
        (moved != 0 || !of.is_empty()).then(|| format!("{name} by {}{of}", time_text(moved)))
    };
    let unsure = unsure_clocks(&profile.members, by);
    if !unsure.is_empty() {
        let hosts = visible(&unsure.join(", ")).into_owned();
        let host = visible(unsure[1]).into_owned();
        warnings.add(CLOCKS, || {
            format!(
                "aligned by wall clocks, whose difference is not known: {hosts} (where it is known, \
                 --align 'clock:{host}=1.5s' shows what {host} measured 1.5 s later)"
            )
        });
    }
    let all: Vec<String> = (0..aligned.moved.len()).filter_map(told).collect();
    if all.is_empty() {
        return;
    }
    let more = all.len().saturating_sub(MOST_TOLD);
    let mut list = all[..all.len() - more].join(", ");
    if more > 0 {
        list.push_str(&format!(" and {more} more"));
    }
    let by = by.to_string();
    warnings.add(TOLD, || format!("times are moved to align by {}: {list}", visible(&by)));
}
