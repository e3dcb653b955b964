//! The frames of a function, in its own profile and in comparisons of it.

use analysis::{FrameKey, Granularity};
use protocol::{ErrorCode, ProtocolError};

use crate::ProfileDocument;
use crate::kinds::profile::document::comparing::MadeOf;
use crate::kinds::profile::trees::views::frame_keys;

/// Whether frames are those of a function, by frame; `key` is its number among all functions.
pub(crate) fn frames_of_function(document: &ProfileDocument, key: u32) -> Vec<bool> {
    let keys = frame_keys(document, Granularity::Function);
    keys.keys().iter().map(|&own| own == FrameKey(key)).collect()
}

/// The same of a comparison, for a function of one of its sides: the document with the number `of`.
pub(crate) fn frames_of_side(
    document: &ProfileDocument,
    of: u32,
    side: &ProfileDocument,
    key: u32,
) -> Result<Vec<bool>, ProtocolError> {
    let frames = document.comparison().and_then(|comparing| {
        let Some(MadeOf::Documents(sides, _)) = &comparing.made_of else { return None };
        // Documents that are one side together have no frames of their own.
        let place = sides.iter().position(|side| side[..] == [of])?;
        let all = &comparing.frames[place];
        (all.len() == side.profile().frames.len()).then_some(all)
    });
    let frames = frames.ok_or_else(|| {
        let message = format!("{} is not a comparison with {}", document.title(), side.title());
        ProtocolError::new(ErrorCode::BadRequest, message)
    })?;
    // The other side may have frames of it at other lines.
    let keys = frame_keys(document, Granularity::Function);
    let mut is_found = vec![false; keys.len()];
    let own = frames_of_function(side, key);
    for (_, frame) in own.iter().zip(frames).filter(|(is_it, _)| **is_it) {
        is_found[keys.key(*frame).index()] = true;
    }
    Ok(keys.keys().iter().map(|key| is_found[key.index()]).collect())
}
