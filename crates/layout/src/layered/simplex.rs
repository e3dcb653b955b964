//! The ranks of nodes with the least sum of edge lengths, by network simplex.
//!
//! After Gansner, Koutsofios, North and Vo (1993). A tree of tight edges spans every connected part;
//! an edge of it whose cut value is negative is exchanged for the one with the least slack that
//! crosses the same cut the other way, until there is none. The cut value of the edge above a
//! subtree is the sum over the subtree of what leaves its nodes less what enters them: edges within
//! it cancel. So exchanging an edge changes the sums on two ways through the tree only.
//!
//! Ranks are feasible all the time: where the work is bounded, the best that was reached stands.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use work::long_steps;

/// The rank of `to` is at least that of `from` and `least`; every rank more costs `weight`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) least: i64,
    pub(super) weight: i64,
}

/// No node, or no link.
const NONE: u32 = u32::MAX;

/// Of so many links with negative cut values the one with the smallest is exchanged.
const CANDIDATES: usize = 30;

/// Steps between two looks at whether they are still wanted.
const SLICE: u64 = 500_000;

/// How far exchanging has come.
#[derive(Debug, Default)]
struct Search {
    /// The node to begin with.
    from: usize,
    /// Exchanges so far.
    round: u32,
}

/// Ranks that are worth no more than `ranks`, which must be feasible, and no less than can be
/// unless looking at `most_steps` nodes and links was not enough.
pub(super) fn shortened(ranks: Vec<i64>, links: &[Link], most_steps: u64) -> Vec<i64> {
    let mut tree = Tree::new(ranks.clone(), links);
    let mut search = Search::default();
    for slice in long_steps("layering boxes", 0..most_steps.div_ceil(SLICE) as usize) {
        if tree.improve(&mut search, most_steps.min((slice as u64 + 1) * SLICE)) {
            break;
        }
    }
    if cost(&tree.ranks, links) < cost(&ranks, links) { tree.ranks } else { ranks }
}

/// The weighted sum of lengths.
fn cost(ranks: &[i64], links: &[Link]) -> i64 {
    links.iter().map(|link| link.weight * length(ranks, link)).sum()
}

fn length(ranks: &[i64], link: &Link) -> i64 {
    ranks[link.to as usize] - ranks[link.from as usize]
}

/// Tight links that span every connected part. Children of a node are a list through `next` and
/// `before`.
struct Tree<'l> {
    links: &'l [Link],
    /// By node, its links: those of node `n` are `at[first_at[n]..first_at[n + 1]]`.
    first_at: Vec<u32>,
    at: Vec<u32>,
    ranks: Vec<i64>,
    /// By node, the link to the node above it in the tree.
    above: Vec<u32>,
    child: Vec<u32>,
    next: Vec<u32>,
    before: Vec<u32>,
    /// Over the subtree of each node, the weight that leaves less that which enters.
    leaving: Vec<i64>,
    /// Marks of the subtree that was looked at last.
    mark: Vec<u32>,
    steps: u64,
}

impl<'l> Tree<'l> {
    fn new(ranks: Vec<i64>, links: &'l [Link]) -> Tree<'l> {
        let count = ranks.len();
        let mut first_at = vec![0u32; count + 1];
        let ends = |link: &Link| [link.from, link.to];
        for end in links.iter().flat_map(ends) {
            first_at[end as usize + 1] += 1;
        }
        for node in 0..count {
            first_at[node + 1] += first_at[node];
        }
        let mut fill = first_at.clone();
        let mut at = vec![0; links.len() * 2];
        for (number, link) in links.iter().enumerate() {
            for end in ends(link) {
                at[fill[end as usize] as usize] = number as u32;
                fill[end as usize] += 1;
            }
        }
        let none = || vec![NONE; count];
        let mut tree = Tree {
            links,
            first_at,
            at,
            ranks,
            above: none(),
            child: none(),
            next: none(),
            before: none(),
            leaving: vec![0; count],
            mark: none(),
            steps: 0,
        };
        for link in links {
            tree.leaving[link.from as usize] += link.weight;
            tree.leaving[link.to as usize] -= link.weight;
        }
        let order = tree.span();
        for &node in order.iter().rev() {
            if let Some(parent) = tree.parent(node) {
                tree.leaving[parent as usize] += tree.leaving[node as usize];
            }
        }
        tree
    }

    fn links_at(&self, node: u32) -> impl Iterator<Item = u32> + use<'_, 'l> {
        let places = self.first_at[node as usize]..self.first_at[node as usize + 1];
        self.at[places.start as usize..places.end as usize].iter().copied()
    }

    fn other_end(&self, link: u32, node: u32) -> u32 {
        let Link { from, to, .. } = self.links[link as usize];
        if from == node { to } else { from }
    }

    fn parent(&self, node: u32) -> Option<u32> {
        let link = self.above[node as usize];
        (link != NONE).then(|| self.other_end(link, node))
    }

    fn slack(&self, link: u32) -> i64 {
        let link = &self.links[link as usize];
        length(&self.ranks, link) - link.least
    }

    /// Spans every part, from its first node on: the link with the least slack that leads out of
    /// the tree is made tight by moving the tree. The nodes, parents first.
    fn span(&mut self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.ranks.len());
        let mut is_in = vec![false; self.ranks.len()];
        for root in 0..self.ranks.len() as u32 {
            if is_in[root as usize] {
                continue;
            }
            let first = order.len();
            // Ranks within the tree lack `moved`. By link, its slack as the tree was not moved.
            let mut moved = 0;
            let (mut downwards, mut upwards) = (BinaryHeap::new(), BinaryHeap::new());
            let mut joined = Some(root);
            while let Some(node) = joined {
                is_in[node as usize] = true;
                order.push(node);
                self.ranks[node as usize] -= moved;
                for link in self.links_at(node) {
                    if is_in[self.other_end(link, node) as usize] {
                        continue;
                    }
                    let heap = if self.links[link as usize].from == node {
                        &mut downwards
                    } else {
                        &mut upwards
                    };
                    heap.push(Reverse((self.slack(link), link)));
                }
                joined = None;
                let is_out = |link: u32| {
                    let Link { from, to, .. } = self.links[link as usize];
                    !is_in[from as usize] || !is_in[to as usize]
                };
                for heap in [&mut downwards, &mut upwards] {
                    while heap.peek().is_some_and(|Reverse((_, link))| !is_out(*link)) {
                        heap.pop();
                    }
                }
                let down = downwards.peek().map(|&Reverse((slack, link))| (slack - moved, link));
                let up = upwards.peek().map(|&Reverse((slack, link))| (slack + moved, link));
                let goes_down = match (down, up) {
                    (Some(down), Some(up)) => down <= up,
                    (down, _) => down.is_some(),
                };
                if let Some((slack, link)) = if goes_down { down } else { up } {
                    moved += if goes_down { slack } else { -slack };
                    let Link { from, to, .. } = self.links[link as usize];
                    let (inner, outer) = if is_in[from as usize] { (from, to) } else { (to, from) };
                    self.hang(outer, inner, link);
                    joined = Some(outer);
                }
            }
            for &node in &order[first..] {
                self.ranks[node as usize] += moved;
            }
        }
        order
    }

    /// Makes `node`, which has none, a child of `parent`.
    fn hang(&mut self, node: u32, parent: u32, link: u32) {
        self.above[node as usize] = link;
        let next = std::mem::replace(&mut self.child[parent as usize], node);
        self.next[node as usize] = next;
        self.before[node as usize] = NONE;
        if next != NONE {
            self.before[next as usize] = node;
        }
    }

    /// Takes a node with its subtree out of the children of its parent.
    fn unhang(&mut self, node: u32) {
        let Some(parent) = self.parent(node) else { return };
        let (before, next) = (self.before[node as usize], self.next[node as usize]);
        if before == NONE {
            self.child[parent as usize] = next;
        } else {
            self.next[before as usize] = next;
        }
        if next != NONE {
            self.before[next as usize] = before;
        }
        self.above[node as usize] = NONE;
    }

    /// Exchanges links until there is no more to do, or for so many steps; tells whether it is done.
    fn improve(&mut self, search: &mut Search, most_steps: u64) -> bool {
        while self.steps < most_steps {
            let Some(node) = self.worst(&mut search.from) else { return true };
            if !self.exchange(node, search.round) {
                return true;
            }
            search.round += 1;
        }
        false
    }

    /// A node whose link to its parent has a negative cut value, looked for from `from` on.
    fn worst(&mut self, from: &mut usize) -> Option<u32> {
        let count = self.ranks.len();
        let mut worst: Option<(i64, u32)> = None;
        let mut seen = 0;
        for step in 0..count {
            let node = (*from + step) % count;
            self.steps += 1;
            let value = self.cut_value(node as u32);
            if value < 0 {
                seen += 1;
                let found = (value, node as u32);
                worst = Some(worst.map_or(found, |worst| worst.min(found)));
                if seen == CANDIDATES {
                    *from = (node + 1) % count;
                    break;
                }
            }
        }
        worst.map(|(_, node)| node)
    }

    /// The cut value of the link above a node; 0 where there is none.
    fn cut_value(&self, node: u32) -> i64 {
        match self.above[node as usize] {
            NONE => 0,
            link if self.links[link as usize].from == node => self.leaving[node as usize],
            _ => -self.leaving[node as usize],
        }
    }

    /// Exchanges the link above a node for the one with the least slack that crosses the cut the
    /// other way, and moves what is below so that it becomes tight.
    fn exchange(&mut self, node: u32, round: u32) -> bool {
        let goes_up = self.links[self.above[node as usize] as usize].from == node;
        let below = self.subtree(node, round);
        let mut entering: Option<(i64, u32)> = None;
        for &inner in &below {
            self.steps += 1;
            for link in self.links_at(inner) {
                let leaves = self.links[link as usize].from == inner;
                let is_out = self.mark[self.other_end(link, inner) as usize] != round;
                if is_out && leaves != goes_up {
                    let found = (self.slack(link), link);
                    entering = Some(entering.map_or(found, |best| best.min(found)));
                }
            }
            self.steps +=
                u64::from(self.first_at[inner as usize + 1] - self.first_at[inner as usize]);
        }
        // A negative cut value has a weight that crosses the other way.
        let Some((slack, link)) = entering else { return false };
        let shift = if goes_up { -slack } else { slack };
        for &inner in &below {
            self.ranks[inner as usize] += shift;
        }
        self.rehang(node, link, round);
        true
    }

    /// The nodes of a subtree, which get the mark.
    fn subtree(&mut self, root: u32, mark: u32) -> Vec<u32> {
        let mut nodes = vec![root];
        let mut at = 0;
        while let Some(&node) = nodes.get(at) {
            at += 1;
            self.mark[node as usize] = mark;
            let mut child = self.child[node as usize];
            while child != NONE {
                nodes.push(child);
                child = self.next[child as usize];
            }
        }
        nodes
    }

    /// Hangs the subtree of a node, which has the mark, by another link.
    fn rehang(&mut self, node: u32, link: u32, mark: u32) {
        let all = self.leaving[node as usize];
        let parent = self.parent(node);
        let Link { from, to, .. } = self.links[link as usize];
        let is_inner = self.mark[from as usize] == mark;
        let (inner, outer) = if is_inner { (from, to) } else { (to, from) };
        self.add_upwards(parent, -all);
        self.add_upwards(Some(outer), all);
        // The way from what the link joins up to the node turns round.
        let (mut at, mut new_parent, mut by) = (inner, outer, link);
        let mut of_last = 0;
        loop {
            let old_parent = self.parent(at);
            let old_link = self.above[at as usize];
            self.unhang(at);
            self.hang(at, new_parent, by);
            let old = self.leaving[at as usize];
            self.leaving[at as usize] = all - of_last;
            of_last = old;
            self.steps += 1;
            if at == node {
                break;
            }
            let Some(next) = old_parent else { break };
            (new_parent, by, at) = (at, old_link, next);
        }
    }

    fn add_upwards(&mut self, from: Option<u32>, weight: i64) {
        let mut at = from;
        while let Some(node) = at {
            self.leaving[node as usize] += weight;
            self.steps += 1;
            at = self.parent(node);
        }
    }
}

#[cfg(test)]
mod tests;
