//! A tree and its nodes.

use crate::GroupPlace;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use profile::{ContextId, MetricId};

use super::collapse::Collapse;
use super::flat;
use super::folded::Folded;
use super::order::Order;
use crate::{Derived, Filtered, FrameKey, FrameKeys};

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
    Callees(FrameKey),
    /// What calls the frames of a key, over their outermost occurrences.
    Callers(FrameKey),
    /// All frames with their totals, over their outermost occurrences, and below each its callers. What is
    /// right below the root counts what calls one another several times: widths are shares of all totals.
    AllCallers,
}

/// Number of a node in its tree; 0 is the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The root: the whole program, or the function of `Callees` and `Callers`.
    pub const ROOT: NodeId = NodeId(0);

    pub(super) fn index(self) -> usize {
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
    pub key: FrameKey,
    /// Rows below the root.
    pub depth: u32,
    /// What its width stands for in the tree's metric; see also [`Tree::widen`].
    pub weight: i64,
    /// Total in the tree's metric.
    pub total: i64,
    /// A frame that it stands for; none for the program.
    pub frame: Option<u32>,
    /// Whether recursive calls were folded into it.
    pub recursive: bool,
    pub(super) unfolded: Option<Unfolded>,
    pub(super) places: Places,
}

#[derive(Debug, Clone)]
pub(super) struct Unfolded {
    pub(super) children: Range<u32>,
    pub(super) self_value: i64,
}

/// What a node merges.
#[derive(Debug, Clone)]
pub(super) enum Places {
    /// Occurrences; those from `inner` on are recursive calls, whose totals are already counted.
    TopDown { all: Range<usize>, inner: usize },
    /// Occurrences with a row of values each, in the tree's arenas.
    BottomUp(Range<usize>),
    /// A path on which no function is twice.
    Folded(u32),
    /// Row in the values of its level.
    Flat { level: usize, row: u32 },
}

/// A frame in a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Occurrence {
    pub(super) context: ContextId,
    pub(super) frame: u32,
}

/// How a tree was asked for.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) shape: Shape,
    pub(super) order: Order,
    pub(super) collapse: Collapse,
}

/// The metric of widths and orders.
#[derive(Debug)]
pub(super) struct TreeMetric {
    pub(super) id: MetricId,
    /// Its formula, if it is a derived one, and the measured metric that stands for it.
    pub(super) derived: Option<Arc<Derived>>,
    pub(super) base: MetricId,
}

/// What occurrences of trees that begin with the innermost frames have.
#[derive(Debug, Default)]
pub(super) struct BottomUpValues {
    /// A row of metrics for each occurrence, and for each node its sums.
    pub(super) weights: Vec<i64>,
    pub(super) sums: Vec<i64>,
    /// Where occurrences keep them: the contexts whose values an occurrence has.
    pub(super) origins: Vec<Range<u32>>,
    pub(super) origins_of: Vec<Range<usize>>,
}

/// A tree over a filtered profile.
#[derive(Debug)]
pub struct Tree {
    pub(super) filtered: Arc<Filtered>,
    pub(super) keys: Arc<FrameKeys>,
    pub(super) form: Form,
    pub(super) metric: TreeMetric,
    /// The paths of callers above callees, where all recursion is collapsed.
    pub(super) folded: Folded,
    pub(super) nodes: Vec<Node>,
    pub(super) occurrences: Vec<Occurrence>,
    pub(super) values: BottomUpValues,
    pub(super) levels: Vec<flat::Level>,
    /// Scratch: child number by key, while a node is unfolded.
    pub(super) child_of_key: Vec<u32>,
    pub(super) names: OnceLock<Vec<u32>>,
    pub(super) is_widened: bool,
}

impl Tree {
    /// The tree of a shape.
    pub fn new(
        filtered: Arc<Filtered>,
        keys: Arc<FrameKeys>,
        shape: Shape,
        metric: MetricId,
        order: Order,
        collapse: Collapse,
    ) -> Tree {
        let mut tree = Tree {
            metric: TreeMetric {
                id: metric,
                derived: filtered.derived(metric),
                base: filtered.base_metric(metric),
            },
            filtered,
            child_of_key: vec![u32::MAX; keys.len()],
            keys,
            form: Form { shape, order, collapse },
            folded: Folded::default(),
            nodes: vec![],
            occurrences: vec![],
            values: BottomUpValues::default(),
            levels: vec![],
            names: OnceLock::new(),
            is_widened: false,
        };
        match shape {
            Shape::TopDown if collapse == Collapse::All => tree.start_folded(None),
            Shape::Callees(key) if collapse == Collapse::All => tree.start_folded(Some(key)),
            Shape::TopDown => tree.start_top_down(),
            Shape::Callees(key) => tree.start_callees(key),
            Shape::BottomUp => tree.start_bottom_up(),
            Shape::Callers(key) => tree.start_callers(key),
            Shape::AllCallers => tree.start_all_callers(),
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
        self.form.shape
    }

    /// The metric of widths and orders.
    pub fn metric(&self) -> MetricId {
        self.metric.id
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

    /// Where a node is: nothing of the program and of outer levels of the flat tree.
    pub fn place(&self, node: NodeId) -> GroupPlace<'_> {
        match self.node(node).frame.filter(|_| self.is_frame(node)) {
            Some(frame) => {
                let key = self.keys.key(profile::FrameId(frame));
                self.keys.place(self.filtered.profile(), key)
            }
            None => GroupPlace::default(),
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

    /// Whether totals of what is right below a node may be added up: nothing is in two of them.
    pub fn totals_add_up(&self, node: NodeId) -> bool {
        // Functions may call one another, and values of formulas are not sums.
        let overlap = match self.form.shape {
            Shape::Flat => true,
            Shape::AllCallers => node == NodeId::ROOT,
            _ => false,
        };
        !overlap && !self.is_derived()
    }

    pub(super) fn unfold(&mut self, node: NodeId) -> Unfolded {
        if let Some(unfolded) = &self.nodes[node.index()].unfolded {
            return unfolded.clone();
        }
        let unfolded = match self.nodes[node.index()].places.clone() {
            Places::TopDown { all, .. } => self.unfold_top_down(node, all),
            Places::BottomUp(range) => self.unfold_bottom_up(node, range),
            Places::Folded(path) => self.unfold_folded(node, path),
            Places::Flat { level, row } => self.unfold_flat(node, level, row),
        };
        self.nodes[node.index()].unfolded = Some(unfolded.clone());
        let Some(derived) = self.metric.derived.clone() else { return unfolded };
        let unfolded = Unfolded { self_value: self.derived_values(node, &derived).0, ..unfolded };
        self.nodes[node.index()].unfolded = Some(unfolded.clone());
        unfolded
    }
}
