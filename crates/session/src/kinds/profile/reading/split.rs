//! The same profile with other members.

use analysis::{MembersBy, members_by};
use profile::visible;
use protocol::{ErrorCode, ProtocolError};

use super::collect::{TIME_LOST, loses_time};
use crate::kinds::profile::document::profile_document::ProfileDocument;

/// Most members that a page can make: each of them is an entry of its lists.
const MOST_SPLIT: usize = 10_000;

/// The same profile with other members. Metrics keep their numbers, and those that are defined on
/// one of the two are there in the other.
pub(crate) fn split_members(
    document: &ProfileDocument,
    by: &MembersBy,
) -> Result<ProfileDocument, ProtocolError> {
    if document.comparing.is_some() {
        let message = format!("{} is a comparison, whose members are its runs", document.title);
        return Err(ProtocolError::new(ErrorCode::BadRequest, message)
            .with_hint("Compare profiles that have the members already."));
    }
    let profile = members_by(&document.profile, by).ok_or_else(|| {
        let message = format!("no sample of {} has a {}", document.title, visible(&by.to_string()));
        let known: Vec<String> =
            MembersBy::choices(&document.profile).iter().map(MembersBy::argument).collect();
        let hint = if known.is_empty() {
            "Its samples have nothing to make members of.".to_owned()
        } else {
            format!("Members can be made of: {}.", visible(&known.join(", ")))
        };
        ProtocolError::new(ErrorCode::BadRequest, message).with_hint(hint)
    })?;
    if profile.members.len() > MOST_SPLIT {
        let count = profile.members.len();
        let message = format!("{by} would make {count} members, and {MOST_SPLIT} are shown");
        return Err(ProtocolError::new(ErrorCode::Limit, message)
            .with_hint("A filter on the label shows one of its values."));
    }
    let mut warnings = document.warnings.clone();
    if loses_time(&document.profile, &profile) {
        warnings.add("members time", || TIME_LOST.to_owned());
    }
    let mut split = document.with_profile(profile, warnings);
    split.title = format!("{}, by {by}", document.title);
    Ok(split)
}

/// What [`split_members`] can make members of.
pub(crate) fn splits(document: &ProfileDocument) -> Vec<MembersBy> {
    match document.comparing {
        Some(_) => vec![],
        None => MembersBy::choices(&document.profile),
    }
}
