//! What a state moves and computes.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{BlockIndex, GraphIndex, NodeIndex, RegionIndex, SourcePlace};
use crate::expr::{Expr, TooLarge};

/// An acyclic graph of dataflow.
#[derive(Debug, Clone)]
pub struct State {
    /// The region that it is in.
    pub region: RegionIndex,
    /// The block of the region that it is.
    pub block: BlockIndex,
    /// Its label.
    pub label: Arc<str>,
    /// As the file lists them.
    pub nodes: Vec<Node>,
    /// As the file lists them; both ends exist.
    pub edges: Vec<Edge>,
}

/// A step of dataflow.
#[derive(Debug, Clone)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Its label.
    pub label: Arc<str>,
    /// The entry of the scope that it is in, worked out from the edges; an exit is in the scope that
    /// it ends.
    pub scope: Option<NodeIndex>,
    /// How many values an operation of its code is of: more than 1 where a connector has a vector.
    pub lanes: u32,
    /// Where it was written.
    pub source: Option<SourcePlace>,
    /// DaCe's name that survives transformations.
    pub guid: Option<Box<str>>,
}

/// What a node is.
#[derive(Debug, Clone)]
pub enum NodeKind {
    /// Data at rest.
    Access {
        /// The container's name.
        data: Arc<str>,
    },
    /// Code over its connectors.
    Tasklet(Code),
    /// Begins a scope that runs for each point of a range.
    MapEntry(Box<Map>),
    /// Ends it.
    MapExit,
    /// Begins a scope that runs for each element of a stream.
    ConsumeEntry(Box<Consume>),
    /// Ends it.
    ConsumeExit,
    /// A graph in a node.
    Nested {
        /// The graph; none where the file has none.
        graph: Option<GraphIndex>,
        /// Symbols of the graph in terms of those around it.
        symbol_mapping: BTreeMap<Arc<str>, Arc<Expr>>,
    },
    /// An operation by name.
    Library(Box<Library>),
    /// One that this version does not know, by DaCe's name.
    Opaque(String),
}

/// A range and the names that run through it.
#[derive(Debug, Clone)]
pub struct Map {
    /// From the outermost to the innermost, which runs fastest.
    pub parameters: Vec<Arc<str>>,
    /// One for each parameter.
    pub range: Vec<Dimension>,
    /// In DaCe's words: `CPU_Multicore`; none means the default.
    pub schedule: Option<Arc<str>>,
}

/// A scope over a stream.
#[derive(Debug, Clone)]
pub struct Consume {
    /// The name of the processing element's number.
    pub element: Arc<str>,
    /// How many there are.
    pub element_count: Arc<Expr>,
}

/// An operation by name.
#[derive(Debug, Clone)]
pub struct Library {
    /// DaCe's class with its modules.
    pub class_path: String,
    /// Factor of the product; 1 if the file does not say.
    pub alpha: Arc<Expr>,
    /// Factor of what was there before; 0 if the file does not say.
    pub beta: Arc<Expr>,
    /// Whether the first operand is transposed.
    pub is_transposed: bool,
    /// Whether the second operand is transposed.
    pub is_second_transposed: bool,
    /// Of a reduction, the dimensions of the operand that the result does not have; of a transposition,
    /// for each dimension of the result which one of the operand's it is. From 0, and those below 0 from
    /// the end. None where the file says none: a reduction is then over all of them, a transposition
    /// swaps the two.
    pub axes: Option<Vec<i64>>,
    /// How a reduction combines.
    pub wcr: Option<String>,
    /// What a reduction writes before the first element, a number in Python to about 15 digits; none
    /// where it combines with what is there.
    pub identity: Option<String>,
}

/// Code in a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// As it is written.
    pub text: String,
    /// What it is written in.
    pub language: Language,
}

/// A language of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Language {
    /// DaCe's subset.
    Python,
    /// C++.
    Cpp,
    /// Another, by DaCe's name.
    Other(String),
}

/// Data on its way.
#[derive(Debug, Clone)]
pub struct Edge {
    /// From here.
    pub source: NodeIndex,
    /// To here.
    pub target: NodeIndex,
    /// The connector of the source.
    pub source_connector: Option<Arc<str>>,
    /// The connector of the target.
    pub target_connector: Option<Arc<str>>,
    /// What moves; nothing where the edge orders only.
    pub memlet: Option<Box<Memlet>>,
}

/// What moves over an edge.
#[derive(Debug, Clone)]
pub struct Memlet {
    /// The container that [`Memlet::subset`] is of.
    pub data: Arc<str>,
    /// Which elements.
    pub subset: Option<Subset>,
    /// Which elements of the other side, in a copy.
    pub other_subset: Option<Subset>,
    /// How many elements move; an upper bound if it is dynamic, and unbounded if that is 0.
    pub volume: Arc<Expr>,
    /// Data decides how many move.
    pub is_dynamic: bool,
    /// How writes to one place are combined: a lambda in Python.
    pub wcr: Option<Arc<str>>,
}

/// A box of indices, or several.
#[derive(Debug, Clone, PartialEq)]
pub struct Subset {
    /// Of the box; of the first one where there are several.
    pub dimensions: Vec<Dimension>,
    /// Of further boxes, which may overlap with others.
    pub further: Vec<Vec<Dimension>>,
}

/// From, to and by how much.
#[derive(Debug, Clone, PartialEq)]
pub struct Dimension {
    /// The first.
    pub start: Arc<Expr>,
    /// The last; it belongs to the range.
    pub end: Arc<Expr>,
    /// From one to the next.
    pub step: Arc<Expr>,
    /// Elements at each.
    pub tile: Arc<Expr>,
    /// What DaCe counts with in place of the last one: a whole tile where the last may be partial.
    pub approximate_end: Option<Arc<Expr>>,
}

impl Dimension {
    /// How many indices it has: `tile * ceiling((end + 1 - start) / step)`. Partial tiles count as
    /// whole ones.
    pub fn size(&self) -> Result<Expr, TooLarge> {
        self.iterations()?.times(&self.tile)
    }

    /// How many indices it has, each of a partial tile once.
    pub fn count(&self) -> Result<Expr, TooLarge> {
        self.steps_to(&self.end)?.times(&self.tile)
    }

    /// How many steps it makes. Partial tiles count as whole ones.
    pub fn iterations(&self) -> Result<Expr, TooLarge> {
        self.steps_to(self.approximate_end.as_ref().unwrap_or(&self.end))
    }

    fn steps_to(&self, end: &Expr) -> Result<Expr, TooLarge> {
        use num_traits::Signed as _;
        let span = end.minus(&self.start)?;
        let one = match self.step.as_number() {
            Some(step) if step.is_negative() => Expr::integer(-1),
            _ => Expr::integer(1),
        };
        span.plus(&one)?.ceiling_divided(&self.step)
    }
}

impl Map {
    /// Whether the last tile of a dimension may be partial, and counts as a whole one.
    pub fn has_partial_tiles(&self) -> bool {
        self.range.iter().any(|range| range.approximate_end.is_some())
    }
}

impl Subset {
    /// Whether it is more than one box.
    pub fn is_union(&self) -> bool {
        !self.further.is_empty()
    }

    /// How many elements it has; those in several boxes count in each.
    pub fn element_count(&self) -> Result<Expr, TooLarge> {
        let boxes = std::iter::once(&self.dimensions).chain(&self.further);
        let counts: Result<Vec<Expr>, TooLarge> = boxes
            .map(|dimensions| {
                dimensions.iter().try_fold(Expr::integer(1), |all, one| all.times(&one.size()?))
            })
            .collect();
        Expr::sum(counts?)
    }
}

impl State {
    /// The entry of the scope that what follows a node is in, and so are the edges that leave it.
    pub fn scope_behind(&self, node: NodeIndex) -> Option<NodeIndex> {
        let one = &self.nodes[node.place()];
        match &one.kind {
            kind if kind.is_entry() => Some(node),
            kind if kind.is_exit() => self.scope_around(node),
            _ => one.scope,
        }
    }

    /// The entry of the scope that a node is part of as a whole: of an entry and its exit, the one
    /// around them.
    pub fn scope_around(&self, node: NodeIndex) -> Option<NodeIndex> {
        let one = &self.nodes[node.place()];
        if one.kind.is_exit() {
            one.scope.and_then(|entry| self.nodes[entry.place()].scope)
        } else {
            one.scope
        }
    }
}

impl NodeKind {
    /// Whether it begins a scope.
    pub fn is_entry(&self) -> bool {
        matches!(self, NodeKind::MapEntry(_) | NodeKind::ConsumeEntry(_))
    }

    /// Whether it ends a scope.
    pub fn is_exit(&self) -> bool {
        matches!(self, NodeKind::MapExit | NodeKind::ConsumeExit)
    }

    /// What it is, in a word.
    pub fn name(&self) -> &str {
        match self {
            NodeKind::Access { .. } => "access",
            NodeKind::Tasklet(_) => "tasklet",
            NodeKind::MapEntry(_) => "map entry",
            NodeKind::MapExit => "map exit",
            NodeKind::ConsumeEntry(_) => "consume entry",
            NodeKind::ConsumeExit => "consume exit",
            NodeKind::Nested { .. } => "nested graph",
            NodeKind::Library(_) => "library",
            NodeKind::Opaque(name) => name,
        }
    }
}

impl Edge {
    /// Whether it only says which data a view or a reference is of: nothing moves then.
    pub fn binds_view(&self) -> bool {
        let mut connectors = [&self.source_connector, &self.target_connector].into_iter();
        connectors.any(|connector| connector.as_deref() == Some("views")) || self.sets_reference()
    }

    /// Whether it only says which data a reference is of from now on.
    pub fn sets_reference(&self) -> bool {
        self.target_connector.as_deref() == Some("set")
    }
}

impl Library {
    /// The class without its modules: `MatMul`.
    pub fn class(&self) -> &str {
        self.class_path.rsplit('.').next().unwrap_or(&self.class_path)
    }
}
