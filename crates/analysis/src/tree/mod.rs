//! Trees of frames, unfolded only where someone looks.
//!
//! A node stands for a group of equal frames under equal paths. It knows the places in the calling
//! context tree that it merges (its *occurrences*); unfolding it groups the places one step
//! further. A profile of twenty million contexts therefore costs what its visible part costs.

mod bottom_up;
mod flat;
mod top_down;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use profile::ContextId;

use crate::derived::Pair;
use crate::formula::Which;
use crate::{Derived, Filtered, FrameKeys, MemberSums, NO_VALUE};

/// Which tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Callers above callees.
    TopDown,
    /// Innermost frames first, their callers below.
    BottomUp,
    /// Program, module, file, and the granularity's own level; widths are self values.
    Flat,
    /// What the frames of a key call, over their outermost occurrences.
    Callees(u32),
    /// What calls the frames of a key, over their outermost occurrences.
    Callers(u32),
}

/// How siblings are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Order {
    /// Largest first.
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

/// Number of a node in its tree; 0 is the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The root: the whole program, or the function of `Callees` and `Callers`.
    pub const ROOT: NodeId = NodeId(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node of a tree.
#[derive(Debug, Clone)]
pub struct Node {
    /// Its parent; its own for the root.
    pub parent: NodeId,
    /// Key of its frames among its siblings: at the tree's granularity, on the outer levels of the
    /// flat tree of module and file. Meaningless for the program.
    pub key: u32,
    /// Rows below the root.
    pub depth: u32,
    /// What its width stands for in the tree's metric.
    pub weight: i64,
    /// Total in the tree's metric.
    pub total: i64,
    /// A frame that it stands for; none for the program.
    pub frame: Option<u32>,
    /// Whether direct recursion was folded into it.
    pub recursive: bool,
    unfolded: Option<Unfolded>,
    places: Places,
}

#[derive(Debug, Clone)]
struct Unfolded {
    children: Range<u32>,
    self_value: i64,
}

/// What a node merges.
#[derive(Debug, Clone)]
enum Places {
    /// Occurrences; those from `inner` on are recursive calls, whose totals are already counted.
    TopDown { all: Range<usize>, inner: usize },
    /// Occurrences with a row of values each, in the tree's arenas.
    BottomUp(Range<usize>),
    /// Row in the values of its level.
    Flat { level: usize, row: u32 },
}

/// A frame in a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Occurrence {
    context: ContextId,
    frame: u32,
}

/// A tree over a filtered profile.
#[derive(Debug)]
pub struct Tree {
    filtered: Arc<Filtered>,
    keys: Arc<FrameKeys>,
    shape: Shape,
    metric: usize,
    /// The metric's formula, if it is a derived one, and the measured metric that stands for it.
    derived: Option<Arc<Derived>>,
    base: usize,
    order: Order,
    collapse_recursion: bool,
    nodes: Vec<Node>,
    occurrences: Vec<Occurrence>,
    /// Bottom-up: a row of metrics for each occurrence, and for each node its sums.
    weights: Vec<i64>,
    sums: Vec<i64>,
    /// Bottom-up, where occurrences keep them: the contexts whose values an occurrence has.
    origins: Vec<Range<u32>>,
    origins_of: Vec<Range<usize>>,
    levels: Vec<flat::Level>,
    /// Scratch: child number by key, while a node is unfolded.
    child_of_key: Vec<u32>,
    names: OnceLock<Vec<u32>>,
}

impl Tree {
    /// The tree of a shape.
    pub fn new(
        filtered: Arc<Filtered>,
        keys: Arc<FrameKeys>,
        shape: Shape,
        metric: usize,
        order: Order,
        collapse_recursion: bool,
    ) -> Tree {
        let mut tree = Tree {
            derived: filtered.derived(metric),
            base: filtered.base_metric(metric),
            filtered,
            child_of_key: vec![u32::MAX; keys.len()],
            keys,
            shape,
            metric,
            order,
            collapse_recursion,
            nodes: vec![],
            occurrences: vec![],
            weights: vec![],
            sums: vec![],
            origins: vec![],
            origins_of: vec![],
            levels: vec![],
            names: OnceLock::new(),
        };
        match shape {
            Shape::TopDown => tree.start_top_down(),
            Shape::Callees(key) => tree.start_callees(key),
            Shape::BottomUp => tree.start_bottom_up(),
            Shape::Callers(key) => tree.start_callers(key),
            Shape::Flat => tree.start_flat(),
        }
        tree
    }

    /// The profile as filtered.
    pub fn filtered(&self) -> &Arc<Filtered> {
        &self.filtered
    }

    /// What makes frames equal.
    pub fn keys(&self) -> &Arc<FrameKeys> {
        &self.keys
    }

    /// The shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The metric of widths and orders.
    pub fn metric(&self) -> usize {
        self.metric
    }

    /// Whether a node number exists.
    pub fn contains(&self, node: NodeId) -> bool {
        node.index() < self.nodes.len()
    }

    /// A node.
    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.index()]
    }

    /// The children, in the tree's order; unfolds the node.
    pub fn children(&mut self, node: NodeId) -> Range<u32> {
        self.unfold(node).children
    }

    /// Self value in the tree's metric; unfolds the node.
    pub fn self_value(&mut self, node: NodeId) -> i64 {
        self.unfold(node).self_value
    }

    /// Whether the tree's metric is a derived one, whose values do not add up.
    pub fn is_derived(&self) -> bool {
        self.derived.is_some()
    }

    /// Self and total in any metric; unfolds the node.
    pub fn values(&mut self, node: NodeId, metric: usize) -> (i64, i64) {
        if metric == self.metric {
            return (self.self_value(node), self.nodes[node.index()].total);
        }
        match self.filtered.derived(metric) {
            Some(derived) => self.derived_values(node, &derived),
            None => self.measured_values(node, metric),
        }
    }

    /// Self and total values by member; unfolds the node.
    pub fn member_sums(&mut self, node: NodeId, metrics: &[usize]) -> MemberSums {
        let children = self.children(node);
        match self.nodes[node.index()].places {
            Places::TopDown { .. } => self.top_down_member_sums(node, children, metrics),
            Places::BottomUp(_) => self.bottom_up_member_sums(node, children, metrics),
            Places::Flat { level, row } => self.flat_member_sums(level, row, metrics),
        }
    }

    /// The measured metrics that the tree's own metric is of.
    fn summed_metrics(&self) -> Vec<usize> {
        match self.derived.as_deref().map(Derived::metrics) {
            Some(metrics) if !metrics.is_empty() => metrics.to_vec(),
            _ => vec![self.base],
        }
    }

    fn derived_values(&mut self, node: NodeId, derived: &Derived) -> (i64, i64) {
        let pair = |(own, total): (i64, i64)| Pair { own, total };
        let summed: Vec<Option<usize>> = derived.summed_inputs().collect();
        let mut measured = |metric: Option<usize>| match metric {
            Some(metric) => pair(self.measured_values(node, metric)),
            None => Pair::default(),
        };
        let values: Vec<Pair> = summed.into_iter().map(&mut measured).collect();
        let mut parts = vec![];
        if derived.needs_parts() {
            parts = self.member_sums(node, derived.metrics()).pairs();
        }
        let total = match self.node(node).frame {
            None => self.filtered.derived_total(derived),
            Some(_) => derived.value(Which::Total, &values, &parts, self.filtered.order()),
        };
        (derived.value(Which::SelfValue, &values, &parts, self.filtered.order()), total)
    }

    fn measured_values(&mut self, node: NodeId, metric: usize) -> (i64, i64) {
        match self.nodes[node.index()].places.clone() {
            Places::TopDown { .. } => {
                let children = self.children(node);
                let total = self.top_down_total(node, metric);
                let below = children.map(|child| self.top_down_total(NodeId(child), metric));
                let below = below.fold(0i64, i64::saturating_add);
                (total.saturating_sub(below), total)
            }
            Places::BottomUp(_) => self.bottom_up_values(node, metric),
            Places::Flat { level, row } => self.flat_values_of(level, row, metric),
        }
    }

    /// The name of a node.
    pub fn name(&self, node: NodeId) -> std::borrow::Cow<'_, str> {
        let node = self.node(node);
        let profile = self.filtered.profile();
        match (&node.places, node.frame) {
            (_, None) => std::borrow::Cow::Borrowed("all"),
            (Places::Flat { level, .. }, Some(frame)) => {
                let keys = self.levels[*level].keys();
                keys.name(profile, keys.key(profile::FrameId(frame)))
            }
            _ => self.keys.name(profile, node.key),
        }
    }

    /// What the node is called beside all others: its name, with its place where another function
    /// has the same name.
    pub fn label(&self, node: NodeId) -> std::borrow::Cow<'_, str> {
        let entry = self.node(node);
        match entry.frame.filter(|_| self.is_frame(node)) {
            Some(frame) => {
                let key = self.keys.key(profile::FrameId(frame));
                self.keys.label(self.filtered.profile(), key)
            }
            None => self.name(node),
        }
    }

    /// Whether the node stands for a function (or what stands for one at the granularity), not for
    /// the program or an outer level of the flat tree.
    pub fn is_frame(&self, node: NodeId) -> bool {
        let node = self.node(node);
        node.frame.is_some()
            && match node.places {
                Places::Flat { level, .. } => level + 1 == self.levels.len(),
                _ => true,
            }
    }

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
    pub fn locate(&mut self, path: &[u32]) -> Vec<NodeId> {
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
        match (&entry.places, self.shape) {
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
                let keys: Vec<u32> =
                    self.path(node).into_iter().skip(1).map(|id| self.node(id).key).collect();
                self.contexts_ending_with(keys)
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

    fn unfold(&mut self, node: NodeId) -> Unfolded {
        if let Some(unfolded) = &self.nodes[node.index()].unfolded {
            return unfolded.clone();
        }
        let unfolded = match self.nodes[node.index()].places.clone() {
            Places::TopDown { all, .. } => self.unfold_top_down(node, all),
            Places::BottomUp(range) => self.unfold_bottom_up(node, range),
            Places::Flat { level, row } => self.unfold_flat(node, level, row),
        };
        self.nodes[node.index()].unfolded = Some(unfolded.clone());
        let Some(derived) = self.derived.clone() else { return unfolded };
        let unfolded = Unfolded { self_value: self.derived_values(node, &derived).0, ..unfolded };
        self.nodes[node.index()].unfolded = Some(unfolded.clone());
        unfolded
    }

    /// Orders new siblings.
    fn sort_siblings(&self, siblings: &mut [Node]) {
        match self.order {
            Order::Value | Order::Total | Order::Own => {
                siblings.sort_by_key(|node| (std::cmp::Reverse(node.weight), node.key))
            }
            Order::Name => {
                let ranks = self.names.get_or_init(|| self.name_ranks());
                siblings.sort_by_key(|node| ranks[node.key as usize]);
            }
        }
    }

    /// Place of each key's name in alphabetical order.
    fn name_ranks(&self) -> Vec<u32> {
        let profile = self.filtered.profile();
        let names: Vec<_> =
            (0..self.keys.len() as u32).map(|key| self.keys.name(profile, key)).collect();
        let mut order: Vec<u32> = (0..names.len() as u32).collect();
        order.sort_by(|&a, &b| names[a as usize].cmp(&names[b as usize]));
        let mut ranks = vec![0; names.len()];
        for (rank, key) in order.into_iter().enumerate() {
            ranks[key as usize] = rank as u32;
        }
        ranks
    }
}

/// The width of a value.
fn magnitude(value: i64) -> i64 {
    if value == NO_VALUE { 0 } else { value.saturating_abs() }
}

/// Where marked frames are, see [`Tree::mark_frames`].
#[derive(Debug)]
pub struct Marks {
    frames: Vec<bool>,
    /// Number of contexts with a marked frame before each context.
    below: Vec<u32>,
    /// Whether an ancestor has a marked frame, by context.
    above: Vec<bool>,
}
