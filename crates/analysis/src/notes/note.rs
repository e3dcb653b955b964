//! Notes, and the analyses that write them.

use profile::{FrameId, MetricId};

use super::markdown::escaped;
use super::{hottest_path, kept, trend};
use crate::{Filtered, FrameKey, FrameKeys, GroupPlaces};

/// Something that was found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// A few words: what kind of thing it is. The same for all functions.
    pub title: String,
    /// A sentence or a few in Markdown; names in it are [`escaped`].
    pub text: String,
}

/// A function that is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Function<'a> {
    /// The whole profile.
    pub filtered: &'a Filtered,
    /// What makes frames one function.
    pub keys: &'a FrameKeys,
    /// Where the functions of `keys` are.
    pub places: &'a GroupPlaces,
    /// The function.
    pub key: FrameKey,
    /// A measured metric: values add up.
    pub metric: MetricId,
}

impl Function<'_> {
    /// The name of a function, for Markdown.
    pub fn name(&self, key: FrameKey) -> String {
        escaped(&self.keys.name(self.filtered.profile(), key))
    }

    pub(super) fn key_of(&self, frame: u32) -> FrameKey {
        self.keys.key(FrameId(frame))
    }
}

/// An analysis that attaches notes to functions. It may look at every place of the function, and at
/// nothing that takes longer: people wait.
pub trait Annotate: Sync {
    /// What it has to say, if anything.
    fn note(&self, function: &Function<'_>) -> Option<Note>;
}

/// The analyses, in the order in which their notes are shown.
pub const ANALYSES: &[&dyn Annotate] =
    &[&hottest_path::HottestPath, &trend::TrendOverMembers, &kept::NeverGivenBack];

/// What all analyses have to say of a function.
pub fn notes(function: &Function<'_>) -> Vec<Note> {
    ANALYSES.iter().filter_map(|analysis| analysis.note(function)).collect()
}
