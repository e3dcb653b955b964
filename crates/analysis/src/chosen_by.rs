//! Filters, and what they leave, known once somebody asks.

use std::sync::{Arc, OnceLock};

use profile::{MemberId, Profile};

use crate::filters::{Choice, Filters, OfPoints};
use crate::{Filter, FilterKind, members};

/// Filters, and what they leave of points: with millions of those that takes as long as many an answer that
/// needs nothing of it.
#[derive(Debug)]
pub(crate) struct ChosenBy {
    filters: Vec<Filter>,
    drop_frames: bool,
    compiled: Arc<Filters>,
    choice: Option<Choice>,
    of_points: OnceLock<OfPoints>,
    parts: OnceLock<Vec<MemberId>>,
}

impl ChosenBy {
    /// `compiled` is what `filters` are for the profile.
    pub(crate) fn new(filters: &[Filter], drop_frames: bool, compiled: Filters) -> ChosenBy {
        ChosenBy {
            filters: filters.to_vec(),
            drop_frames,
            choice: compiled.choice(),
            compiled: Arc::new(compiled),
            of_points: OnceLock::new(),
            parts: OnceLock::new(),
        }
    }

    /// The same filters where something else chooses points besides.
    pub(crate) fn with(&self, known: OfPoints, parts: &[MemberId]) -> ChosenBy {
        ChosenBy {
            filters: self.filters.clone(),
            drop_frames: self.drop_frames,
            compiled: self.compiled.clone(),
            choice: None,
            of_points: OnceLock::from(known),
            parts: OnceLock::from(parts.to_vec()),
        }
    }

    pub(crate) fn filters(&self) -> (Vec<Filter>, bool) {
        (self.filters.clone(), self.drop_frames)
    }

    pub(crate) fn compiled(&self) -> &Filters {
        &self.compiled
    }

    /// Whether every point counts.
    pub(crate) fn is_of_all(&self) -> bool {
        self.filters.is_empty() && self.choice.is_some()
    }

    /// What filters choose without looking at points, where they can.
    pub(crate) fn choice(&self) -> Option<&Choice> {
        self.choice.as_ref()
    }

    /// What they leave of points.
    pub(crate) fn of_points(&self, profile: &Profile) -> &OfPoints {
        self.of_points.get_or_init(|| self.compiled.points(profile, &mut |_, _| ()))
    }

    /// The members of which label filters leave anything.
    pub(crate) fn parts(&self, profile: &Profile) -> &[MemberId] {
        self.parts.get_or_init(|| {
            let is_label =
                |f: &&Filter| matches!(f.kind, FilterKind::LabelFocus | FilterKind::LabelIgnore);
            let labels: Vec<Filter> = self.filters.iter().filter(is_label).cloned().collect();
            // Filters are understood before.
            let parts = (!labels.is_empty()).then(|| members::parts(profile, &labels).ok());
            let all = || (0..profile.members.len().max(1) as u32).map(MemberId).collect();
            parts.flatten().unwrap_or_else(all)
        })
    }
}
