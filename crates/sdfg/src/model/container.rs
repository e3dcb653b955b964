//! Where data lives.

use std::sync::Arc;

use crate::expr::{Expr, TooLarge};

/// An array, a scalar, a stream, or something that stands for one.
#[derive(Debug, Clone, PartialEq)]
pub struct Container {
    /// What it is.
    pub kind: ContainerKind,
    /// Of one element.
    pub element: ElementType,
    /// Elements in each dimension.
    pub shape: Vec<Arc<Expr>>,
    /// In elements, one for each dimension; need not fall or rise. Empty where the file says none:
    /// rows are then packed.
    pub strides: Vec<Arc<Expr>>,
    /// Added to the indices, one for each dimension.
    pub offset: Vec<Arc<Expr>>,
    /// In elements, what is allocated; none where the file does not say.
    pub total_size: Option<Arc<Expr>>,
    /// In elements, before the first one.
    pub start_offset: Arc<Expr>,
    /// In bytes, of the allocation; 0 for the allocator's own.
    pub alignment: u64,
    /// Lives in the graph only, rather than being an argument of it.
    pub is_transient: bool,
    /// Memory, in DaCe's words: `CPU_Heap`, `GPU_Global`.
    pub storage: Arc<str>,
    /// How long a transient has its memory.
    pub lifetime: Lifetime,
    /// Parts of a structure, in order.
    pub members: Vec<(Arc<str>, Container)>,
}

/// What a container is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContainerKind {
    /// Elements in one or more dimensions.
    Array,
    /// One element.
    Scalar,
    /// A queue.
    Stream,
    /// Another container seen in another shape: it has no memory of its own.
    View,
    /// A pointer that is set when the program runs.
    Reference,
    /// Several containers under one name.
    Structure,
    /// One that this version does not know, by DaCe's name.
    Other(String),
}

/// How long a transient has its memory; from the shortest to the longest, and one that is neither.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Lifetime {
    /// As long as the innermost scope or part of the program that uses it.
    #[default]
    Scope,
    /// As long as its state runs.
    State,
    /// As long as its graph runs.
    Graph,
    /// As long as the program runs.
    Program,
    /// From the first run of the program to the last.
    Persistent,
    /// Whoever calls the program gives it.
    External,
    /// One that this version does not know, by DaCe's name.
    Other(String),
}

/// A type of elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElementType {
    /// In DaCe's words: `float64`, `vector<float32, 8>`.
    pub name: Arc<str>,
    /// Bytes; none where DaCe does not say.
    pub size: Option<u32>,
}

impl Container {
    /// How many elements the shape has.
    pub fn element_count(&self) -> Result<Expr, TooLarge> {
        self.shape.iter().try_fold(Expr::integer(1), |all, one| all.times(one))
    }
}
