//! Costs inside a state.

mod conflicts;
mod counted;
mod movement;
mod nested;
mod node;
mod nodes;
mod passage;
mod scope;
mod volume;

pub(super) use counted::counted;
pub(crate) use nodes::topological_order;
pub(super) use nodes::{StateCosts, state_costs};
pub(super) use passage::far_end;
pub(crate) use passage::passage;
