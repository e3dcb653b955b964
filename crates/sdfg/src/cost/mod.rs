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
mod certain;
mod certainty;
mod changing;
pub(crate) mod components;
mod conditions;
mod context;
mod control_reads;
mod costs;
mod cpp;
mod decided;
mod defined;
mod differing;
mod distinct;
mod dominance;
mod early_exits;
mod flow;
mod found;
mod guard_loops;
mod in_all;
mod induction;
mod iterations;
mod known;
mod library;
mod maps;
mod moved_by_container;
mod outermost;
mod paths;
mod python;
mod reach;
mod repeated;
mod report;
pub(crate) mod roots;
mod rules;
mod run;
mod scalars;
mod state;
mod steps;
mod sums;
mod symbols;
mod times;
mod unknown;
mod values;
mod while_loops;

pub(crate) use adjacency::Adjacency;
pub use certainty::{AtMost, Certainty, Excess};
pub(crate) use changing::changing_names;
pub use costs::{Amount, Conditional, Cost, Costs, Differing, Distinct, Movement, Times};
pub use rules::Rules;
pub(crate) use state::{passage, topological_order};
pub(crate) use steps::assigned_value;
pub use unknown::Unknown;
pub use values::{CostPlan, CostValues, EdgeValues, FreeSymbol, NodeValues, SymbolKind};
