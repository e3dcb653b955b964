//! Comparisons with values brought to scale.

use std::sync::Arc;

use analysis::{Comparison, Groups, Merged, Normalise, Pattern};
use protocol::ProtocolError;

use crate::kinds::profile::convert;
use crate::kinds::profile::document::comparing::Comparing;
use crate::kinds::profile::document::profile_document::ProfileDocument;

/// The comparison with values brought to scale, from those as they are; none if that is this one
/// or the one it was made of, which [`ProfileDocument::plain`] gives.
pub(crate) fn normalised(
    document: &Arc<ProfileDocument>,
    normalise: &Normalise,
) -> Result<ProfileDocument, ProtocolError> {
    let plain = document.plain()?;
    let of = plain.comparison().ok_or_else(|| plain.no_comparison())?;
    let unscaled = Comparison {
        profile: (*plain.profile).clone(),
        metrics: of.metrics.clone(),
        notes: plain.notes.clone(),
        groups: of.groups.clone(),
        matches: vec![],
        frames: [vec![], vec![]],
    };
    // Values are those of one run already.
    let scaled = unscaled.scaled([1, 1], normalise).map_err(convert::filter_error)?;
    let title = match normalise {
        Normalise::Absolute => plain.title.clone(),
        Normalise::Total => format!("{}, equal totals", plain.title),
        Normalise::Frame(pattern) => {
            format!("{}, equal {}", plain.title, Pattern::shown(pattern))
        }
    };
    let Comparison { profile, metrics, notes, .. } = scaled;
    let merged = Merged { profile, inputs: plain.inputs, notes };
    let document = ProfileDocument::new(&title, merged, plain.warnings.clone());
    // Sums of runs cannot be had from values that were brought to scale.
    let groups = Groups { finer: vec![0; metrics.len()], ..of.groups.clone() };
    Ok(document.comparing(Comparing {
        metrics,
        groups,
        normalise: normalise.clone(),
        plain: Some(plain.clone()),
        ..of.clone()
    }))
}
