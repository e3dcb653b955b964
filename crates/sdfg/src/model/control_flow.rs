//! What runs when: regions of blocks.

use std::sync::Arc;

use super::{BlockIndex, Code, ElementId, GraphIndex, RegionIndex, StateIndex};
use crate::expr::Expr;

/// Blocks and the edges between them.
#[derive(Debug, Clone)]
pub struct Region {
    /// What it is.
    pub kind: RegionKind,
    /// Its label.
    pub label: Arc<str>,
    /// The graph that it belongs to.
    pub graph: GraphIndex,
    /// The region and the block that hold it; none for a whole graph.
    pub holder: Option<(RegionIndex, BlockIndex)>,
    /// DaCe's `cfg_list_id`, as the file says.
    pub list_id: i64,
    /// States, regions and the rest; as the file lists them.
    pub blocks: Vec<Block>,
    /// Between blocks, as the file lists them.
    pub edges: Vec<InterstateEdge>,
    /// Where it begins; none where it has no block.
    pub start: Option<BlockIndex>,
}

/// What a region is.
#[derive(Debug, Clone)]
pub enum RegionKind {
    /// The whole of a graph.
    Graph,
    /// Runs once when it is reached: one of a condition's branches, a call, a name.
    Plain,
    /// Runs several times.
    Loop(Box<Loop>),
}

/// The header of a loop region.
#[derive(Debug, Clone)]
pub struct Loop {
    /// The variable; empty where there is none.
    pub variable: Arc<str>,
    /// `i = 0`.
    pub init: Option<Code>,
    /// `i < N`.
    pub condition: Option<Code>,
    /// `i = i + 1`.
    pub update: Option<Code>,
    /// The condition is asked after the body.
    pub is_inverted: bool,
    /// In an inverted loop, the update comes before the condition is asked.
    pub updates_before_condition: bool,
}

/// A step of a region.
#[derive(Debug, Clone)]
pub struct Block {
    /// Its label.
    pub label: Arc<str>,
    /// What it is.
    pub kind: BlockKind,
}

/// What a block is.
#[derive(Debug, Clone)]
pub enum BlockKind {
    /// Dataflow.
    State(StateIndex),
    /// Blocks in a block.
    Region(RegionIndex),
    /// One of several regions, the first whose condition holds; no condition means `else`.
    Conditional {
        /// DaCe's `cfg_list_id`.
        list_id: i64,
        /// In the order in which they are asked.
        branches: Vec<(Option<Code>, RegionIndex)>,
    },
    /// Leaves the loop.
    Break,
    /// Goes on with the loop's next iteration.
    Continue,
    /// Leaves the graph.
    Return,
    /// One that this version does not know, by DaCe's name.
    Opaque(String),
}

/// From block to block, under a condition.
#[derive(Debug, Clone)]
pub struct InterstateEdge {
    /// From here.
    pub source: BlockIndex,
    /// To here.
    pub target: BlockIndex,
    /// Where it is taken; none means always.
    pub condition: Option<Arc<Expr>>,
    /// Symbols that get values on the way.
    pub assignments: Vec<(Arc<str>, Arc<Expr>)>,
}

impl Region {
    /// How DaCe names it as a whole.
    pub fn id(&self) -> ElementId {
        ElementId::region(self.list_id)
    }

    /// The block of this index.
    pub fn block(&self, index: BlockIndex) -> &Block {
        &self.blocks[index.place()]
    }
}
