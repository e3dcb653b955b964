//! What a program costs.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::certainty::{AtMost, Excess};
use super::unknown::Unknown;
use crate::expr::{Expr, TooLarge};
use crate::model::{BlockIndex, EdgeIndex, NodeIndex, Program, RegionIndex, StateIndex};

/// What something costs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cost {
    /// Arithmetic operations.
    pub work: Expr,
    /// Operations on the longest chain.
    pub depth: Expr,
    /// Bytes of all accesses.
    pub moved: Expr,
    /// Which of these are bounds, and why.
    pub at_most: AtMost,
}

/// What an edge moves, each time its state runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Movement {
    /// Elements: those that what is inside accesses, worked out from the innermost edges outwards.
    pub elements: Expr,
    /// Bytes.
    pub bytes: Expr,
    /// Outside of all scopes of its state. By our own rules the seam between a view and its data is
    /// not: DaCe tells a volume there, and nothing moves.
    pub is_outermost: bool,
    /// Why it may be less.
    pub excess: Option<Excess>,
    /// Elements as the file has them, where that is something else.
    pub declared_volume: Option<Expr>,
}

/// The costs of a program and of all its parts.
#[derive(Debug, Clone)]
pub struct Costs {
    /// Of the whole.
    pub total: Cost,
    /// Of each node each time that its state reaches it, by state and node; an entry has its scope's.
    /// The bytes are those of the node's own outer edges.
    pub nodes: Vec<Vec<Cost>>,
    /// By state and edge; nothing for edges that order only.
    pub edges: Vec<Vec<Option<Movement>>>,
    /// Of each state each time that it runs.
    pub states: Vec<Cost>,
    /// How often each state runs each time that its graph does, at most.
    pub executions: Vec<Expr>,
    /// How often everything is reached in the whole run.
    pub times: Times,
    /// Bytes that move where each element that is accessed moves once.
    pub distinct: Distinct,
    /// What elements cost in the whole run where the times that they are reached differ.
    pub differing: Differing,
    /// Bytes of all accesses in the whole run, by the container that has the memory; those of inner
    /// graphs with the graph's name before theirs. Where programs branch all branches count.
    pub moved_by_container: BTreeMap<Arc<str>, Expr>,
    /// Elements that containers have, by graph and in the order of their names: those that are
    /// allocated, or else those of the shape. A view or a reference repeats another's.
    pub allocated: Vec<Vec<Expr>>,
    /// Of each region each time that it is reached, with all its iterations.
    pub regions: Vec<Cost>,
    /// What stands for something that is not known. Bounds are in terms of what costs are told in.
    pub unknowns: BTreeMap<Arc<str>, Unknown>,
    /// What was left out or assumed, with how often.
    pub notes: BTreeMap<String, u64>,
}

impl Cost {
    /// Operations for each byte; nothing where none moves.
    pub fn intensity(&self) -> Option<Expr> {
        (!self.moved.is_zero()).then(|| self.work.quotient(&self.moved).ok()).flatten()
    }

    /// Operations that can run at once, on average; nothing where there are none.
    pub fn parallelism(&self) -> Option<Expr> {
        (!self.depth.is_zero()).then(|| self.work.quotient(&self.depth).ok()).flatten()
    }

    /// Both, one after the other; an error where that is too long to show.
    pub fn plus(&self, other: &Cost) -> Result<Cost, TooLarge> {
        Ok(Cost {
            work: self.work.plus(&other.work)?,
            depth: self.depth.plus(&other.depth)?,
            moved: self.moved.plus(&other.moved)?,
            at_most: self.at_most.or(other.at_most),
        })
    }

    /// The same, each by a rule of its own.
    pub(super) fn each(
        &self,
        mut by: impl FnMut(&Expr) -> Result<Expr, TooLarge>,
    ) -> Result<Cost, TooLarge> {
        let (work, depth) = (by(&self.work)?, by(&self.depth)?);
        Ok(Cost { work, depth, moved: by(&self.moved)?, at_most: self.at_most })
    }

    /// The most of each that one of several costs.
    pub fn largest<'c>(all: impl Iterator<Item = &'c Cost> + Clone) -> Result<Cost, TooLarge> {
        let largest = |part: fn(&Cost) -> &Expr| {
            Expr::largest_cost(all.clone().map(|cost| part(cost).clone()).collect())
        };
        Ok(Cost {
            work: largest(|cost| &cost.work)?,
            depth: largest(|cost| &cost.depth)?,
            moved: largest(|cost| &cost.moved)?,
            at_most: AtMost::of_branches(all.clone()),
        })
    }
}

impl Costs {
    /// Operations for each byte that a node's outer edges move; nothing where none moves.
    pub fn intensity(&self, state: StateIndex, node: NodeIndex) -> Option<Expr> {
        self.nodes[state.place()][node.place()].intensity()
    }
}

/// How often everything is reached in the whole run, at most: each branch as often as its condition.
/// Where iterations differ it is a sum over those around. What has no closed form keeps the variable
/// that it differs by, so that it has no value.
#[derive(Debug, Clone)]
pub struct Times {
    /// Of each state; nothing where a number gets too large.
    pub states: Vec<Option<Expr>>,
    /// Of what is inside of each scope, by state and entry.
    pub insides: Vec<Vec<Option<Expr>>>,
    /// Of each region, which is reached once for all its iterations; of a branch, as often as it is
    /// taken.
    pub regions: Vec<Option<Expr>>,
    /// By state: no data decides whether it is reached, and nothing leaves a loop around it early. Else
    /// the times are the most.
    pub are_certain: Vec<bool>,
    /// The same by region.
    pub regions_are_certain: Vec<bool>,
}

impl Times {
    /// How often a node is reached; an entry and its exit once for all that is between them.
    pub fn of_node(&self, program: &Program, state: StateIndex, node: NodeIndex) -> Option<&Expr> {
        self.inside(state, program.state(state).scope_around(node))
    }

    /// How often what is in a scope is reached, or in none but the state's.
    pub fn inside(&self, state: StateIndex, scope: Option<NodeIndex>) -> Option<&Expr> {
        match scope {
            Some(entry) => self.insides[state.place()][entry.place()].as_ref(),
            None => self.states[state.place()].as_ref(),
        }
    }
}

/// A number of bytes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Amount {
    /// So many.
    pub bytes: Expr,
    /// Why they may be less.
    pub excess: Option<Excess>,
}

/// Distinct bytes of the whole and of its parts; those of a part once for all times that it runs
/// within what is around it.
#[derive(Debug, Clone, Default)]
pub struct Distinct {
    /// Of the whole run.
    pub total: Amount,
    /// Each time that the state runs.
    pub states: Vec<Amount>,
    /// Each time that the region is reached, with all its iterations.
    pub regions: Vec<Amount>,
    /// Each time that the node is reached, by state: of an entry all iterations, of others what is at
    /// their edges.
    pub nodes: Vec<Vec<Amount>>,
    /// By state and edge; nothing where an edge orders only.
    pub edges: Vec<Vec<Option<Amount>>>,
}

impl Distinct {
    pub(super) fn amounts(&self) -> impl Iterator<Item = &Amount> {
        std::iter::once(&self.total)
            .chain(&self.states)
            .chain(&self.regions)
            .chain(self.nodes.iter().flatten())
            .chain(self.edges.iter().flatten().flatten())
    }
}

/// What is not the cost of each time, times how often, as the times differ: sums over all of them.
#[derive(Debug, Clone, Default)]
pub struct Differing {
    /// By state and node.
    pub nodes: HashMap<(StateIndex, NodeIndex), Cost>,
    /// By state and edge.
    pub edges: HashMap<(StateIndex, EdgeIndex), Movement>,
    /// By state.
    pub states: HashMap<StateIndex, Cost>,
    /// By region.
    pub regions: HashMap<RegionIndex, Cost>,
    /// All of them, by region and block.
    pub conditionals: HashMap<(RegionIndex, BlockIndex), Conditional>,
}

/// A block of branches: each of them as often as its condition holds, the most expensive one where data
/// decides.
#[derive(Debug, Clone)]
pub struct Conditional {
    /// Each time that the conditions are asked.
    pub each: Cost,
    /// How often they are; nothing where a number gets too large.
    pub times: Option<Expr>,
    /// In the whole run.
    pub in_all: Option<Cost>,
    /// Whether it is known how often they are asked.
    pub is_certain: bool,
}
