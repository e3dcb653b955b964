//! How values spread over labels and over lines.

use hashbrown::{HashMap, HashSet};
use profile::{ContextId, Label, LabelSetId};

use crate::Filtered;

/// The value of the points with a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelShare {
    /// The label.
    pub label: Label,
    /// Value of the kept points that carry it.
    pub value: i64,
}

/// How the kept points of `contexts` spread over labels: by key in the order of first use, largest
/// first within a key.
pub fn label_shares(
    filtered: &Filtered,
    metric: usize,
    contexts: impl Fn(ContextId) -> bool,
) -> Vec<LabelShare> {
    let profile = filtered.profile();
    if profile.label_sets.len() == 1 {
        return vec![];
    }
    let mut by_set = HashMap::<LabelSetId, i64>::new();
    for (point, &context) in profile.points.context.iter().enumerate() {
        if filtered.keeps_point(point) && contexts(context) {
            let sum = by_set.entry(profile.points.labels(point)).or_default();
            *sum = sum.saturating_add(profile.points.row(point)[metric]);
        }
    }
    let mut by_label = HashMap::<Label, i64>::new();
    for (set, value) in by_set {
        let mut seen = HashSet::new();
        for label in profile.label_sets.get(set).filter(|label| seen.insert(*label)) {
            let sum = by_label.entry(label).or_default();
            *sum = sum.saturating_add(value);
        }
    }
    let mut shares: Vec<_> =
        by_label.into_iter().map(|(label, value)| LabelShare { label, value }).collect();
    shares.sort_by(|a, b| {
        (a.label.key.cmp(&b.label.key))
            .then(b.value.saturating_abs().cmp(&a.value.saturating_abs()))
            .then(a.label.value.cmp(&b.label.value))
    });
    shares
}

/// How the values of samples whose innermost shown frame is one of `frames` spread over frames:
/// largest first.
pub fn line_shares(
    filtered: &Filtered,
    metric: usize,
    contexts: impl Fn(ContextId) -> bool,
    frames: impl Fn(u32) -> bool,
) -> Vec<(u32, i64)> {
    let mut by_frame = HashMap::<u32, i64>::new();
    for (context, row) in filtered.self_values().iter() {
        if !contexts(context) {
            continue;
        }
        if let Some((_, frame)) = filtered.innermost_shown(context, None)
            && frames(frame)
        {
            let sum = by_frame.entry(frame).or_default();
            *sum = sum.saturating_add(row[metric]);
        }
    }
    let mut shares: Vec<_> = by_frame.into_iter().collect();
    shares.sort_by_key(|&(frame, value)| (std::cmp::Reverse(value.saturating_abs()), frame));
    shares
}
