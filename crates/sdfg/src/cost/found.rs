//! What passes find, for those that come after them.

use std::collections::HashMap;
use std::sync::Arc;

use super::costs::{Cost, Movement};
use crate::expr::{Expr, Progression};
use crate::model::{BlockIndex, Program, RegionIndex};

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
    /// The innermost: a place in [`BlockLoops::loops`].
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

/// Loops between the blocks of a region.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockLoops {
    /// The loops around each block.
    pub(super) around: Vec<Around>,
    pub(super) loops: Vec<LoopBetween>,
}

/// Loops and branches.
pub(super) struct Flow {
    /// By region.
    pub(super) loops: Vec<BlockLoops>,
    /// By region: how often a branch is reached each time that its conditional is; nothing where it
    /// is none, or data decides.
    pub(super) branch_weights: Vec<Option<Expr>>,
    /// What they cost each time.
    pub(super) conditionals: HashMap<(RegionIndex, BlockIndex), Cost>,
}

/// What parts cost each time that they are reached.
pub(super) struct PartCosts {
    pub(super) nodes: Vec<Vec<Cost>>,
    pub(super) edges: Vec<Vec<Option<Movement>>>,
    pub(super) states: Vec<Cost>,
    pub(super) regions: Vec<Cost>,
}

impl Flow {
    /// Of no region yet.
    pub(super) fn new(program: &Program) -> Flow {
        Flow {
            loops: vec![BlockLoops::default(); program.regions.len()],
            branch_weights: vec![None; program.regions.len()],
            conditionals: HashMap::new(),
        }
    }

    /// The loops between blocks around a block.
    pub(super) fn around(&self, region: RegionIndex, block: BlockIndex) -> &Around {
        &self.loops[region.place()].around[block.place()]
    }

    /// The weight of a branch; see [`Flow::branch_weights`].
    pub(super) fn branch_weight(&self, region: RegionIndex) -> Option<&Expr> {
        self.branch_weights[region.place()].as_ref()
    }
}

impl PartCosts {
    /// Of no part yet.
    pub(super) fn new(program: &Program) -> PartCosts {
        PartCosts {
            nodes: vec![vec![]; program.states.len()],
            edges: vec![vec![]; program.states.len()],
            states: vec![Cost::default(); program.states.len()],
            regions: vec![Cost::default(); program.regions.len()],
        }
    }
}
