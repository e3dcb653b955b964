//! What filters do: what each keeps, which match nothing, and what there is to know of them.

use analysis::{Effect, Filter, FilterKind, Filtered, time_notes};
use protocol::ProtocolError;

use crate::kinds::profile::trees::views::filtered_by;
use crate::kinds::profile::{ProfileDocument, ViewOptions, convert};

/// What each filter does, one after the other, measured in the metric of the view.
pub(in crate::kinds::profile) fn effects(
    document: &ProfileDocument,
    options: &ViewOptions,
) -> Result<Vec<Effect>, ProtocolError> {
    let metric = document.base_metric(options.metric);
    let (filters, is_linked) = (&options.filters, options.role.is_some());
    Filtered::effects(document.profile(), filters, options.drop_frames, metric, is_linked)
        .map_err(convert::filter_error)
}

/// The filters by name that match nothing in the whole profile, in no context of its points; and ranges of time
/// where nothing has a time. Other ranges have no names: what is in them may be nothing.
pub fn unmatched_filters<'a>(
    document: &ProfileDocument,
    filters: &'a [Filter],
) -> Result<Vec<&'a Filter>, ProtocolError> {
    let profile = document.profile();
    let mut unmatched = vec![];
    if profile.metrics.is_empty() {
        return Ok(unmatched);
    }
    let metric = profile.origin.default_metric;
    let has_times = profile.points.first_time().is_some() || !profile.timeline.is_empty();
    for filter in filters {
        if filter.kind == FilterKind::Time {
            if !has_times {
                unmatched.push(filter);
            }
            continue;
        }
        let alone = std::slice::from_ref(filter);
        let mut matches = false;
        for is_linked in [false, true] {
            let effects = Filtered::effects(profile, alone, false, metric, is_linked);
            let effects = effects.map_err(convert::filter_error)?;
            matches |= effects.iter().all(|effect| effect.matched);
        }
        if !matches {
            unmatched.push(filter);
        }
    }
    Ok(unmatched)
}

/// What is to be told of filters: samples that have no time, ranges outside of the recording, labels that
/// nothing has.
pub fn filter_notes(
    document: &ProfileDocument,
    options: &ViewOptions,
) -> Result<Vec<String>, ProtocolError> {
    let may_tell =
        |filter: &Filter| filter.kind.is_of_time() || filter.kind == FilterKind::LabelFocus;
    if !options.filters.iter().any(may_tell) {
        return Ok(vec![]);
    }
    let filtered = filtered_by(document, options).map_err(convert::filter_error)?;
    let notes = time_notes(&filtered, &options.filters).map_err(convert::filter_error)?;
    Ok(notes.iter().map(ToString::to_string).collect())
}

/// How many nanoseconds of the recording filters leave.
pub fn counted_time(
    document: &ProfileDocument,
    options: &ViewOptions,
) -> Result<i64, ProtocolError> {
    let filtered = filtered_by(document, options).map_err(convert::filter_error)?;
    Ok(analysis::counted_time(&filtered))
}
