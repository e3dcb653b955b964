//! How siblings are ordered.

use std::cmp::Reverse;

use super::{Node, Tree};
use crate::FrameKey;

/// How siblings are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Order {
    /// Largest first; those below 0 after all others.
    #[default]
    Value,
    /// By total value, also where lists begin with the largest self value.
    Total,
    /// By self value, as lists are anyhow. Trees leave it to who tells all of them: the self values
    /// of siblings are known once each is unfolded.
    Own,
    /// By name.
    Name,
}

impl Tree {
    /// Orders new siblings.
    pub(super) fn sort_siblings(&self, siblings: &mut [Node]) {
        match self.form.order {
            Order::Value | Order::Total | Order::Own => {
                // Where values are changes, what grows comes first.
                let falls = |node: &Node| node.total < 0;
                siblings.sort_by_key(|node| (falls(node), Reverse(node.weight), node.key))
            }
            Order::Name => {
                let ranks = self.names.get_or_init(|| self.name_ranks());
                siblings.sort_by_key(|node| ranks[node.key.index()]);
            }
        }
    }

    /// Place of each key's name in alphabetical order.
    fn name_ranks(&self) -> Vec<u32> {
        let profile = self.filtered.profile();
        let names: Vec<_> = self.keys.all().map(|key| self.keys.name(profile, key)).collect();
        let mut order: Vec<FrameKey> = self.keys.all().collect();
        order.sort_by(|a, b| names[a.index()].cmp(&names[b.index()]));
        let mut ranks = vec![0; names.len()];
        for (rank, key) in order.into_iter().enumerate() {
            ranks[key.index()] = rank as u32;
        }
        ranks
    }
}
