//! Which nodes lead to frames that are marked, such as those that a search finds.

use profile::ContextId;

use super::{NodeId, Occurrence, Places, Tree};

/// Where marked frames are, see [`Tree::mark_frames`].
#[derive(Debug)]
pub struct Marks {
    frames: Vec<bool>,
    /// Number of contexts with a marked frame before each context.
    below: Vec<u32>,
    /// Whether an ancestor has a marked frame, by context.
    above: Vec<bool>,
}

impl Tree {
    /// Whether something below the node (above it on stacks, for bottom-up) is marked; `marks`
    /// comes from [`Tree::mark_frames`].
    pub fn leads_to(&self, node: NodeId, marks: &Marks) -> bool {
        let entry = self.node(node);
        match &entry.places {
            Places::TopDown { all, .. } => self.occurrences[all.clone()].iter().any(|o| {
                let subtree = self.filtered.profile().contexts.subtree(o.context);
                marks.below[subtree.end as usize] > marks.below[subtree.start as usize + 1]
                    || self.marked_deeper(*o, marks)
            }),
            Places::BottomUp(range) => self.occurrences[range.clone()]
                .iter()
                .any(|o| marks.above[o.context.index()] || self.marked_shallower(*o, marks)),
            Places::Flat { .. } => marks
                .frames
                .iter()
                .enumerate()
                .any(|(frame, marked)| *marked && self.contains_frame(node, frame as u32)),
        }
    }

    /// Prepares [`Tree::leads_to`] for a set of frames.
    pub fn mark_frames(&self, frames: Vec<bool>) -> Marks {
        let profile = self.filtered.profile();
        let count = profile.contexts.len();
        let parents = profile.contexts.parents();
        let mut below = vec![0u32; count + 1];
        let mut above = vec![false; count];
        let mut own = vec![false; count];
        for context in 0..count {
            let id = ContextId(context as u32);
            own[context] = profile
                .frames_of(id)
                .any(|frame| frames[frame as usize] && self.filtered.shows(id, frame));
            below[context + 1] = below[context] + u32::from(own[context]);
            if context > 0 {
                let parent = parents[context] as usize;
                above[context] = above[parent] || own[parent];
            }
        }
        Marks { frames, below, above }
    }

    fn marked_deeper(&self, o: Occurrence, marks: &Marks) -> bool {
        let frames = self.filtered.profile().frames_of(o.context);
        (o.frame.saturating_add(1)..frames.end)
            .any(|frame| marks.frames[frame as usize] && self.filtered.shows(o.context, frame))
    }

    fn marked_shallower(&self, o: Occurrence, marks: &Marks) -> bool {
        let frames = self.filtered.profile().frames_of(o.context);
        (frames.start..frames.end.min(o.frame))
            .any(|frame| marks.frames[frame as usize] && self.filtered.shows(o.context, frame))
    }
}
