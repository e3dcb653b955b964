//! Trees that are written as a table of rows that name their parents.

use profile::{ContextId, ContextTreeBuilder, LocationId};

/// No row.
pub(crate) const NONE: u32 = u32::MAX;

/// The context of every row; a row without a location shares its parent's. Parents may stand
/// after their children. Rows that are their own ancestors stand at the root: `circle` tells.
pub(crate) fn contexts(
    parents: &[u32],
    location: impl Fn(usize) -> Option<LocationId>,
    tree: &mut ContextTreeBuilder,
    mut circle: impl FnMut(),
) -> Vec<ContextId> {
    /// Stands for 'not known yet', and for 'on the way that is being gone'.
    const OPEN: ContextId = ContextId(NONE);
    const PASSED: ContextId = ContextId(NONE - 1);
    let mut contexts = vec![OPEN; parents.len()];
    let mut way = vec![];
    for start in 0..parents.len() {
        let mut row = start;
        let mut at = loop {
            match contexts[row] {
                OPEN => {}
                PASSED => {
                    circle();
                    break ContextId::ROOT;
                }
                known => break known,
            }
            contexts[row] = PASSED;
            way.push(row);
            match parents[row] as usize {
                parent if parent < parents.len() => row = parent,
                _ => break ContextId::ROOT,
            }
        };
        while let Some(row) = way.pop() {
            if let Some(location) = location(row) {
                at = tree.child(at, location);
            }
            contexts[row] = at;
        }
    }
    contexts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_may_come_later_and_circles_end() {
        let mut tree = ContextTreeBuilder::default();
        let mut circles = 0;
        let parents = [2, NONE, 1, 4, 3, 77];
        let location = |row: usize| (row != 1).then_some(LocationId(row as u32));
        let found = contexts(&parents, location, &mut tree, || circles += 1);
        assert_eq!(tree.node(found[0]), (found[2], LocationId(0)));
        assert_eq!(tree.node(found[2]), (ContextId::ROOT, LocationId(2)));
        assert_eq!((found[1], circles), (ContextId::ROOT, 1));
        assert_eq!(tree.node(found[5]).0, ContextId::ROOT);
    }
}
