//! Comparisons of parts: what filters leave of either side.

use std::sync::Arc;

use analysis::{ChosenTime, Filter, FilterKind, Merged, Pattern, chosen_time, time_notes};
use profile::Profile;
use protocol::{ErrorCode, ProtocolError};

use crate::kinds::profile::compare_report::{CompareOptions, Compared};
use crate::kinds::profile::convert;
use crate::kinds::profile::document::ProfileDocument;

/// What was chosen of a side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenSide {
    /// The filters in words; empty where all of the side counts.
    pub filters: String,
    /// How much that is.
    pub time: ChosenTime,
}

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
        let [(base, base_side), (new, new_side)] = [base.0.part(base.1)?, new.0.part(new.1)?];
        let title = |title: &str, side: &ChosenSide| match side.filters.as_str() {
            "" => title.to_owned(),
            filters => format!("{title}, {filters}"),
        };
        let titles = [title(&titles[0], &base_side), title(&titles[1], &new_side)];
        let compared = Compared::called(titles, &base, &new, how)?;
        Ok(compared.choosing([base_side, new_side]))
    }
}

impl ProfileDocument {
    /// What filters leave, as a document of its own.
    fn part(&self, filters: &[Filter]) -> Result<(ProfileDocument, ChosenSide), ProtocolError> {
        if let Some(wrong) = filters.iter().find(|filter| !filter.kind.is_of_points()) {
            let message = format!(
                "a side of a comparison cannot be chosen by frames that are hidden: {}",
                wrong.pattern
            );
            return Err(ProtocolError::new(ErrorCode::BadRequest, message)
                .with_hint("Filters of frames apply to both sides, once they are compared."));
        }
        let filtered = self.filtered(filters, false).map_err(convert::filter_error)?;
        let time = chosen_time(&filtered, filters).map_err(convert::filter_error)?;
        let notes = time_notes(&filtered, filters).map_err(convert::filter_error)?;
        let mut warnings = self.reader_warnings().clone();
        for note in notes {
            warnings.add("filter", || note.to_string());
        }
        let profile = if filters.is_empty() {
            Arc::unwrap_or_clone(self.profile().clone())
        } else {
            filtered.kept()
        };
        let inputs = match self.experiment_runs() {
            // Members are runs of one command: values are means of those that are left.
            Some(_) => members_with_points(&profile),
            None => self.inputs(),
        };
        let merged = Merged { profile, inputs, notes: self.merge_notes().to_vec() };
        let document = ProfileDocument::new(self.title(), merged, warnings);
        let filters = filters.iter().map(in_words).collect::<Vec<_>>().join(", ");
        Ok((document, ChosenSide { filters, time }))
    }
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
