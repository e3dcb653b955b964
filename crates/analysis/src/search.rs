//! Which share of a profile a search finds.

use profile::{ContextId, MetricId};
use work::steps;

use crate::filter::frames_matching;
use crate::{Filtered, FrameKeys, Pattern};

/// What a search found.
#[derive(Debug)]
pub struct Search {
    /// Whether groups of frames match, by key.
    pub keys: Vec<bool>,
    /// Value of the stacks with a shown matching frame, each counted once.
    pub matched: i64,
}

/// Whether frames match by function, file or module, by frame.
pub fn matching_frames(filtered: &Filtered, pattern: &Pattern) -> Vec<bool> {
    frames_matching(filtered.profile(), pattern)
}

/// Whether groups of frames match, by key.
pub fn matching_keys(keys: &FrameKeys, frames: &[bool]) -> Vec<bool> {
    let mut matching = vec![false; keys.len()];
    for (frame, _) in frames.iter().enumerate().filter(|(_, matches)| **matches) {
        matching[keys.keys()[frame].index()] = true;
    }
    matching
}

impl Search {
    /// Searches function, file and module of the shown frames.
    pub fn new(
        filtered: &Filtered,
        keys: &FrameKeys,
        pattern: &Pattern,
        metric: MetricId,
    ) -> Search {
        let profile = filtered.profile();
        let frames = matching_frames(filtered, pattern);
        let matching_keys = matching_keys(keys, &frames);
        let mut on_path = vec![false; profile.contexts.len()];
        let parents = profile.contexts.parents();
        for context in steps("searching", 1..on_path.len()) {
            let id = ContextId(context as u32);
            let own = profile.frames_of(id).any(|f| frames[f as usize] && filtered.shows(id, f));
            on_path[context] = own || on_path[parents[context] as usize];
        }
        let own = filtered.self_values().iter().filter(|(context, _)| on_path[context.index()]);
        let matched = own.fold(0i64, |sum, (_, row)| sum.saturating_add(row[metric.index()]));
        Search { keys: matching_keys, matched }
    }
}
