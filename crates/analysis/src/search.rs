//! Which share of a profile a search finds.

use profile::MetricId;

use crate::flat::flat_values;
use crate::shown::frames_matching;
use crate::{Filtered, FrameKeys, Pattern};

/// What a search found.
#[derive(Debug)]
pub struct Search {
    /// Whether groups of frames match, by key.
    pub keys: Vec<bool>,
    /// Value of the stacks with a shown matching frame, each counted once;
    /// [`NO_VALUE`](crate::NO_VALUE) where there is none.
    pub matched: i64,
    /// Whether that is an estimate, as the file tells no call paths.
    pub is_estimated: bool,
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
        let frames = matching_frames(filtered, pattern);
        // All that match are as one function in the list of functions.
        let (matching, others) = (0, 1);
        let group_of = |&matches: &bool| if matches { matching } else { others };
        let group_of_frame: Vec<u32> = frames.iter().map(group_of).collect();
        let values = flat_values(filtered, &group_of_frame, 2, metric);
        Search {
            keys: matching_keys(keys, &frames),
            matched: values.of(matching).1,
            is_estimated: values.is_estimated(matching),
        }
    }
}
