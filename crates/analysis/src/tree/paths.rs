//! Ways through a tree, and which samples and frames its nodes hold.

use profile::ContextId;

use super::nodes::Places;
use super::{NodeId, Tree, flat};
use crate::FrameKey;

impl Tree {
    /// The nodes from the root to `node`, both included.
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path = vec![node];
        let mut at = node;
        while at != NodeId::ROOT {
            at = self.node(at).parent;
            path.push(at);
        }
        path.reverse();
        path
    }

    /// The nodes along a path of keys below the root, as far as the tree has them.
    pub fn locate(&mut self, path: &[FrameKey]) -> Vec<NodeId> {
        let mut at = NodeId::ROOT;
        let mut found = vec![];
        for &key in path {
            let child = self.children(at).find(|&child| self.nodes[child as usize].key == key);
            let Some(child) = child else { break };
            at = NodeId(child);
            found.push(at);
        }
        found
    }

    /// From a node down to a leaf, always to the heaviest child.
    pub fn hottest_path(&mut self, node: NodeId) -> Vec<NodeId> {
        let mut path = vec![node];
        let mut at = node;
        loop {
            let children = self.children(at);
            let heaviest = children
                .max_by_key(|&child| (self.nodes[child as usize].weight, std::cmp::Reverse(child)));
            match heaviest.map(NodeId) {
                Some(child) if self.node(child).weight > 0 => {
                    path.push(child);
                    at = child;
                }
                _ => return path,
            }
        }
    }

    /// Whether the samples of a node include those of a context: the context's own value flows
    /// into it. Called for many contexts of one node, so it is prepared once.
    pub fn contains_context(&self, node: NodeId) -> Box<dyn Fn(ContextId) -> bool + '_> {
        let entry = self.node(node);
        let profile = self.filtered.profile();
        match (&entry.places, self.form.shape) {
            (Places::TopDown { all, .. }, _) => {
                let mut marked = vec![false; profile.contexts.len()];
                // An occurrence holds the samples of its context and all below it.
                for occurrence in &self.occurrences[all.clone()] {
                    let subtree = profile.contexts.subtree(occurrence.context);
                    marked[subtree.start as usize..subtree.end as usize].fill(true);
                }
                Box::new(move |context| marked[context.index()])
            }
            (Places::BottomUp(_), _) => {
                let keys: Vec<FrameKey> =
                    self.path(node).into_iter().skip(1).map(|id| self.node(id).key).collect();
                self.contexts_ending_with(keys)
            }
            (&Places::Folded(path), _) => {
                Box::new(move |context| self.folded_contains(path, context))
            }
            (Places::Flat { level: flat::PROGRAM, .. }, _) => Box::new(|_| true),
            (Places::Flat { level, row }, _) => {
                let (level, row) = (&self.levels[*level], *row);
                Box::new(move |context| {
                    let innermost = self.filtered.innermost_shown(context, None);
                    level.row_of(innermost.map(|(_, frame)| frame)) == Some(row)
                })
            }
        }
    }

    /// Whether a frame belongs to what the node stands for.
    pub fn contains_frame(&self, node: NodeId, frame: u32) -> bool {
        let entry = self.node(node);
        match entry.places {
            Places::Flat { level, row } if level != flat::PROGRAM => {
                self.levels[level].row_of(Some(frame)) == Some(row)
            }
            _ => entry.frame.is_none() || self.keys.keys()[frame as usize] == entry.key,
        }
    }
}
