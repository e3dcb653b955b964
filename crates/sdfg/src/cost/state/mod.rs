//! Costs inside a state.

mod conflicts;
pub(super) mod movement;
mod node;
mod nodes;
mod scope;

pub(super) use nodes::dynamic_inputs;
pub(crate) use nodes::topological_order;
