//! Stacks that come one after the other, frame by frame from the root.

use profile::{ContextId, ContextTreeBuilder, LocationId};

/// The way to the context of a stack. What a stack has in common with the one before is not looked
/// up again.
#[derive(Debug, Default)]
pub(crate) struct Path {
    steps: Vec<(LocationId, ContextId)>,
    depth: usize,
}

impl Path {
    /// Begins the next stack.
    #[inline]
    pub(crate) fn start(&mut self) {
        self.depth = 0;
    }

    /// Goes one frame inwards.
    #[inline]
    pub(crate) fn step(&mut self, contexts: &mut ContextTreeBuilder, location: LocationId) {
        if self.steps.get(self.depth).is_none_or(|&(known, _)| known != location) {
            self.steps.truncate(self.depth);
            let at = contexts.child(self.context(), location);
            self.steps.push((location, at));
        }
        self.depth += 1;
    }

    /// The context of the frames so far.
    #[inline]
    pub(crate) fn context(&self) -> ContextId {
        match self.depth.checked_sub(1) {
            Some(last) => self.steps[last].1,
            None => ContextId::ROOT,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_share_what_they_have_in_common() {
        let mut contexts = ContextTreeBuilder::default();
        let mut path = Path::default();
        let mut stack = |locations: &[u32]| {
            path.start();
            for &location in locations {
                path.step(&mut contexts, LocationId(location));
            }
            path.context().0
        };
        assert_eq!(stack(&[]), 0);
        let (abc, ab, abd) = (stack(&[7, 8, 9]), stack(&[7, 8]), stack(&[7, 8, 10]));
        assert_eq!([abc, ab, abd], [3, 2, 4]);
        assert_eq!(stack(&[7, 8, 9]), abc);
        assert_eq!(contexts.len(), 5);
    }
}
