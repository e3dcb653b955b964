//! Which nodes lead to frames that are marked, such as those that a search finds.

use profile::ContextId;

use super::nodes::{Occurrence, Places};
use super::{Collapse, NodeId, Tree};
use crate::FrameKey;

/// Where marked frames are, see [`Tree::mark_frames`].
#[derive(Debug)]
pub struct Marks {
    frames: Vec<bool>,
    /// Whether a key has a marked frame.
    keys: Vec<bool>,
    /// Number of contexts with a marked frame before each context.
    below: Vec<u32>,
    /// Whether an ancestor has a marked frame, by context.
    above: Vec<bool>,
    /// Number of folded paths that end in a marked frame before each.
    paths: Vec<u32>,
}

impl Tree {
    /// Whether something below the node (above it on stacks, for bottom-up) is marked; `marks`
    /// comes from [`Tree::mark_frames`].
    pub fn leads_to(&self, node: NodeId, marks: &Marks) -> bool {
        let entry = self.node(node);
        match &entry.places {
            Places::TopDown { .. } if self.folds(node, marks) => {
                let called = self.called_below(entry).into_iter();
                let mut open = called.map(|o| (marks.frames[o.frame as usize], o));
                open.any(|(is_marked, o)| is_marked || self.marked_below(o, marks))
            }
            Places::TopDown { all, .. } => {
                self.occurrences[all.clone()].iter().any(|&o| self.marked_below(o, marks))
            }
            Places::BottomUp(range) => self.occurrences[range.clone()]
                .iter()
                .any(|o| self.marked_above(*o, entry.frame.map(|_| entry.key), marks)),
            &Places::Folded(path) => self.folded_leads_to(path, &marks.paths),
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
        let mut keys = vec![false; self.keys.len()];
        for (frame, key) in self.keys.keys().iter().enumerate() {
            keys[key.index()] |= frames[frame];
        }
        let paths = self.folded.before(|key| keys[key.index()]);
        Marks { frames, keys, below, above, paths }
    }

    /// Whether calls of the node's own function, which is marked, were folded into it.
    fn folds(&self, node: NodeId, marks: &Marks) -> bool {
        let node = self.node(node);
        self.form.collapse == Collapse::Direct
            && node.frame.is_some()
            && marks.keys[node.key.index()]
    }

    fn marked_below(&self, o: Occurrence, marks: &Marks) -> bool {
        let subtree = self.filtered.profile().contexts.subtree(o.context);
        marks.below[subtree.end as usize] > marks.below[subtree.start as usize + 1]
            || self.marked_deeper(o, marks)
    }

    fn marked_deeper(&self, o: Occurrence, marks: &Marks) -> bool {
        let frames = self.filtered.profile().frames_of(o.context);
        (o.frame.saturating_add(1)..frames.end)
            .any(|frame| marks.frames[frame as usize] && self.filtered.shows(o.context, frame))
    }

    /// Whether something above an occurrence is marked that is not folded away; `own` is its key, if it is not
    /// that of the whole program.
    fn marked_above(&self, o: Occurrence, own: Option<FrameKey>, marks: &Marks) -> bool {
        let key_of = |o: Occurrence| self.keys.keys()[o.frame as usize];
        let mut at = o;
        match (self.form.collapse, own) {
            (Collapse::None, _) | (Collapse::Direct, None) => {}
            (Collapse::Direct, Some(own)) => {
                while let Some(up) = self.step_up(at).filter(|&up| key_of(up) == own) {
                    at = up;
                }
            }
            (Collapse::All, own) => {
                let mut own = own;
                loop {
                    at = own.map_or(at, |own| self.outermost_of(at, own));
                    let Some(up) = self.step_up(at) else { return false };
                    if marks.frames[up.frame as usize] {
                        return true;
                    }
                    (at, own) = (up, Some(key_of(up)));
                }
            }
        }
        marks.above[at.context.index()] || self.marked_shallower(at, marks)
    }

    fn marked_shallower(&self, o: Occurrence, marks: &Marks) -> bool {
        let frames = self.filtered.profile().frames_of(o.context);
        (frames.start..frames.end.min(o.frame))
            .any(|frame| marks.frames[frame as usize] && self.filtered.shows(o.context, frame))
    }
}
