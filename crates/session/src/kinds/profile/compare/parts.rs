//! Comparisons of parts: what filters leave of either side.

use std::sync::Arc;

use analysis::{Filter, FilterKind, Merged, Pattern, chosen_time, time_notes};
use profile::Profile;
use protocol::{ErrorCode, ProtocolError};

use crate::kinds::profile::compare::report::Compared;
use crate::kinds::profile::convert;
use crate::kinds::profile::document::comparing::ChosenSide;
use crate::kinds::profile::document::comparing::CompareOptions;
use crate::kinds::profile::document::profile_document::ProfileDocument;
use crate::kinds::profile::experiment::experiment_runs;
use crate::kinds::profile::trees::views::filtered_profile;

impl Compared {
    /// Compares what filters leave of two profiles, which may be one and the same.
    pub fn of_parts(
        base: (&ProfileDocument, &[Filter]),
        new: (&ProfileDocument, &[Filter]),
        how: &CompareOptions,
    ) -> Result<Compared, ProtocolError> {
        let titles = [base, new].map(|(side, _)| side.title().to_owned());
        Compared::of_parts_called(titles, base, new, how)
    }

    /// The same; tells what the documents are called.
    pub(crate) fn of_parts_called(
        titles: [String; 2],
        base: (&ProfileDocument, &[Filter]),
        new: (&ProfileDocument, &[Filter]),
        how: &CompareOptions,
    ) -> Result<Compared, ProtocolError> {
        let [(base, base_side), (new, new_side)] =
            [part_of(base.0, base.1)?, part_of(new.0, new.1)?];
        let title = |title: &str, side: &ChosenSide| match side.filters.as_str() {
            "" => title.to_owned(),
            filters => format!("{title}, {filters}"),
        };
        let titles = [title(&titles[0], &base_side), title(&titles[1], &new_side)];
        let compared = Compared::called(titles, &base, &new, how)?;
        Ok(compared.choosing([base_side, new_side]))
    }
}

/// What filters leave, as a document of its own.
fn part_of(
    document: &ProfileDocument,
    filters: &[Filter],
) -> Result<(ProfileDocument, ChosenSide), ProtocolError> {
    if let Some(wrong) = filters.iter().find(|filter| !filter.kind.is_of_points()) {
        let message = format!(
            "a side of a comparison cannot be chosen by frames that are hidden: {}",
            wrong.pattern
        );
        return Err(ProtocolError::new(ErrorCode::BadRequest, message)
            .with_hint("Filters of frames apply to both sides, once they are compared."));
    }
    let filtered = filtered_profile(document, filters, false).map_err(convert::filter_error)?;
    let time = chosen_time(&filtered, filters).map_err(convert::filter_error)?;
    let notes = time_notes(&filtered, filters).map_err(convert::filter_error)?;
    let mut warnings = document.reader_warnings().clone();
    for note in notes {
        warnings.add("filter", || note.to_string());
    }
    let profile = if filters.is_empty() {
        Arc::unwrap_or_clone(document.profile().clone())
    } else {
        filtered.kept()
    };
    let inputs = match experiment_runs(document) {
        // Members are runs of one command: values are means of those that are left.
        Some(_) => members_with_points(&profile),
        None => document.inputs(),
    };
    let merged = Merged { profile, inputs, notes: document.merge_notes().to_vec() };
    let document = ProfileDocument::new(document.title(), merged, warnings);
    let filters = filters.iter().map(in_words).collect::<Vec<_>>().join(", ");
    Ok((document, ChosenSide { filters, time }))
}

/// How many members have any point.
fn members_with_points(profile: &Profile) -> usize {
    let mut has_point = vec![false; profile.members.len().max(1)];
    for point in 0..profile.points.len() {
        has_point[profile.points.member(point).index()] = true;
    }
    has_point.into_iter().filter(|&has| has).count()
}

/// A filter as part of a title.
fn in_words(filter: &Filter) -> String {
    let pattern = Pattern::shown(&filter.pattern);
    match filter.kind {
        FilterKind::Time | FilterKind::LabelFocus => pattern,
        FilterKind::During => format!("during {pattern}"),
        FilterKind::Around => format!("around {pattern}"),
        FilterKind::Ignore | FilterKind::LabelIgnore => format!("without {pattern}"),
        _ => format!("with {pattern}"),
    }
}
