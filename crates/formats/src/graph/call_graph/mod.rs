//! Call paths estimated from a call graph.
//!
//! Callgrind, gprof, cProfile and others record which function called which, not along which
//! paths. A tree is estimated as their own viewers do it: a function that costs T and is reached
//! over several paths gives each of them the same mixture of its own lines and its callees, in
//! proportion to what the path brings.
//!
//! What holds exactly: the self values of every line, and so all flat figures; the sum of the
//! tree; the total of every function outside of recursion. Recursion has no paths of finite
//! length, so calls that lead back into a function that is still running are not followed.

mod estimate;
mod graph;
mod split;
#[cfg(test)]
mod tests;
mod totals;
mod walk;

pub(crate) use graph::{CallGraph, Node};
pub(crate) use totals::Totals;
