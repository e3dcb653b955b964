//! What a program moves and computes, symbolically.
//!
//! Definitions follow DaCe's `work_depth` analysis. **Work** is the number of operations that [`Rules`] count;
//! **depth** the longest chain of them, where maps run in parallel and write conflicts one after the
//! other; **movement** the bytes of all accesses to containers that live outside of scopes, counted at
//! the innermost edges, so that nesting and old volumes on outer edges change nothing. Loops multiply
//! (or sum, where iterations differ; what has no iteration counts as none), of branches the largest
//! counts. What data decides is an unknown with a name of its own.

mod adjacency;
mod allocated;
mod analysis;
mod certainty;
pub(crate) mod components;
mod control_reads;
mod costs;
mod cpp;
mod decided;
mod defined;
mod distinct;
mod dominance;
mod flow;
mod found;
pub(crate) mod in_all;
mod induction;
mod iterations;
mod library;
mod python;
mod reach;
pub(crate) mod roots;
mod rules;
mod run;
mod scalars;
mod state;
mod times;
mod unknown;
mod values;
mod while_loops;

pub(crate) use adjacency::Adjacency;
pub use certainty::{AtMost, Certainty, Excess};
pub use costs::{Amount, Conditional, Cost, Costs, Differing, Distinct, Movement, Times};
pub(crate) use iterations::assigned_value;
pub use rules::Rules;
pub(crate) use state::movement::passage;
pub(crate) use state::topological_order;
pub use unknown::Unknown;
pub use values::{CostPlan, CostValues, EdgeValues, FreeSymbol, NodeValues, SymbolKind};
