//! What passes find, for those that come after them.

use std::sync::Arc;

use crate::expr::{Expr, Progression};

/// A variable that runs through values.
#[derive(Debug, Clone)]
pub(super) struct Iterations {
    pub(super) variable: Arc<str>,
    pub(super) values: Progression,
}

/// Where a value comes from that data decides.
#[derive(Debug, Clone)]
pub(super) struct Read {
    pub(super) why: String,
    /// The container.
    pub(super) of: Option<Arc<str>>,
}

/// The loops between blocks around a block.
#[derive(Debug, Clone, Default)]
pub(super) struct Around {
    /// The innermost.
    pub(super) innermost: Option<usize>,
    /// There is a way to it.
    pub(super) is_reached: bool,
    /// It begins the loop.
    pub(super) is_header: bool,
    /// How often it is reached in each iteration, or each time that the region runs; nothing where
    /// that is not known.
    pub(super) weight: Option<Expr>,
}

/// A loop between blocks.
#[derive(Debug, Clone)]
pub(super) struct LoopBetween {
    pub(super) iterations: Iterations,
    /// The loop around it.
    pub(super) around: Option<usize>,
    /// See [`Around::weight`].
    pub(super) weight: Option<Expr>,
    /// Its first block asks the condition, and so runs once more than the rest.
    pub(super) asks_first: bool,
}

/// What decides the range of a map while the program runs: connectors, with the container that they
/// read.
pub(super) type Inputs<'p> = Vec<(&'p Arc<str>, &'p Arc<str>)>;
