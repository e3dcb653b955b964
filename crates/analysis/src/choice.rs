//! What filters choose by what points have, and not point by point.

use std::mem::take;
use std::sync::OnceLock;

use profile::{ContextId, LabelSetId, MemberId, Profile, Span, ThreadId};

use crate::filter::{
    self, Compiled, Looks, Masks, compiled, cut_above, hide_frames, paths_matching,
};
use crate::filtered::own_masks;
use crate::label_filter::JudgedLabels;
use crate::time::Cut;
use crate::{Filter, FilterError, FilterKind, members};

/// What filters leave of points that neither lasted nor count spans: those of which labels and context
/// are kept, in the time that the masks have. Of the others [`crate::filter::apply`] knows what is left.
#[derive(Debug, Clone, Default)]
pub(crate) struct Choice {
    /// Each with whether what matches is kept.
    labels: Vec<(bool, JudgedLabels)>,
    /// By context, whether its points are dropped; empty if none is.
    pub(crate) dropped_contexts: Vec<bool>,
}

impl Choice {
    /// What filters choose; `masks` get the frames and contexts that do not show, and the time.
    pub(crate) fn of(
        profile: &Profile,
        filters: &[Filter],
        masks: &mut Masks,
    ) -> Result<Choice, FilterError> {
        let (compiled, ranges) = compiled(filters)?;
        let before_hiding = masks.clone();
        let mut choice = Choice::default();
        for filter in &compiled {
            match filter {
                Compiled::Labels(kind, filter) => {
                    choice.labels.push((*kind == FilterKind::LabelFocus, filter.judged(profile)));
                }
                Compiled::Frames(kind @ (FilterKind::Hide | FilterKind::Show), pattern) => {
                    let is_hiding = *kind == FilterKind::Hide;
                    let (_, shows) = hide_frames(profile, is_hiding, pattern, masks);
                    choice.drop_contexts(shows.iter().skip(1).map(|shows| !shows), 1);
                }
                Compiled::Frames(FilterKind::ShowFrom, pattern) => {
                    let (_, below) = cut_above(profile, pattern, masks);
                    choice.drop_contexts(below.iter().map(|below| !below), 0);
                }
                Compiled::Frames(kind, pattern) => {
                    let keep = *kind == FilterKind::Focus;
                    let on_path = paths_matching(profile, pattern, &before_hiding);
                    choice.drop_contexts(on_path.iter().map(|matches| *matches != keep), 0);
                }
                time => {
                    let window = time.window(profile, &ranges);
                    masks.window = match (masks.window.take(), window) {
                        (Some(known), Some(window)) => Some(known.and(&window)),
                        (one, other) => one.or(other),
                    };
                }
            }
        }
        Ok(choice)
    }

    fn drop_contexts(&mut self, dropped: impl ExactSizeIterator<Item = bool>, first: usize) {
        self.dropped_contexts.resize(dropped.len() + first, false);
        for (known, dropped) in self.dropped_contexts[first..].iter_mut().zip(dropped) {
            *known |= dropped;
        }
    }

    /// Whether points with these labels are kept.
    pub(crate) fn keeps_labels(
        &mut self,
        facets: (LabelSetId, Option<ThreadId>, MemberId),
        cpu: Option<u32>,
    ) -> bool {
        self.labels.iter_mut().all(|(keep, labels)| labels.matches(facets, cpu) == *keep)
    }

    /// Whether points of a context are kept.
    pub(crate) fn keeps_context(&self, context: ContextId) -> bool {
        !self.dropped_contexts.get(context.index()).copied().unwrap_or(false)
    }
}

/// What filters leave of points, one by one.
#[derive(Debug, Clone, Default)]
pub(crate) struct OfPoints {
    /// By point, whether it is dropped; empty if none is.
    pub(crate) dropped: Vec<bool>,
    /// The same by row of spans.
    dropped_spans: Vec<bool>,
    pub(crate) cut: Cut,
}

impl OfPoints {
    /// What masks say, taken out of them.
    pub(crate) fn take_from(masks: &mut Masks) -> OfPoints {
        OfPoints {
            dropped: take(&mut masks.dropped_points),
            dropped_spans: take(&mut masks.dropped_spans),
            cut: take(&mut masks.cut),
        }
    }

    /// Whether the span of a row counts.
    pub(crate) fn keeps_span(&self, row: usize, span: &Span) -> bool {
        !self.drops(span.point.index()) && !self.dropped_spans.get(row).copied().unwrap_or(false)
    }

    /// Whether a point does not count.
    pub(crate) fn drops(&self, point: usize) -> bool {
        self.dropped.get(point).copied().unwrap_or(false)
    }
}

/// Filters, and what they leave, known once somebody asks: with millions of points that takes as long as
/// many an answer that needs nothing of it.
#[derive(Debug)]
pub(crate) struct ChosenBy {
    filters: Vec<Filter>,
    drop_frames: bool,
    looks: Looks,
    choice: Option<Choice>,
    of_points: OnceLock<OfPoints>,
    parts: OnceLock<Vec<MemberId>>,
}

impl ChosenBy {
    /// Filters that can be understood; `known` is what they leave, if that is known already.
    pub(crate) fn new(
        filters: &[Filter],
        drop_frames: bool,
        looks: Looks,
        choice: Option<Choice>,
        known: Option<OfPoints>,
    ) -> ChosenBy {
        let of_points = known.map_or_else(OnceLock::new, OnceLock::from);
        let filters = filters.to_vec();
        ChosenBy { filters, drop_frames, looks, choice, of_points, parts: OnceLock::new() }
    }

    /// The same filters where something else chooses points besides.
    pub(crate) fn with(&self, known: OfPoints, parts: &[MemberId]) -> ChosenBy {
        let parts = OnceLock::from(parts.to_vec());
        let chosen = ChosenBy::new(&self.filters, self.drop_frames, self.looks, None, Some(known));
        ChosenBy { parts, ..chosen }
    }

    pub(crate) fn filters(&self) -> (Vec<Filter>, bool) {
        (self.filters.clone(), self.drop_frames)
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
        self.of_points.get_or_init(|| {
            let (mut masks, _) = own_masks(profile, self.drop_frames);
            let done = filter::apply(profile, &self.filters, self.looks, &mut masks, |_, _| ());
            debug_assert!(done.is_ok(), "filters are understood before");
            OfPoints::take_from(&mut masks)
        })
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
