//! Costs in terms of the outermost graph's symbols.

use super::costs::Cost;
use super::found::PartCosts;
use super::symbols::Symbols;
use crate::expr::Expr;
use crate::model::{GraphIndex, Program};

/// The same costs of parts, in the outermost graph's symbols.
pub(super) fn parts_in_outermost(
    program: &Program,
    symbols: &Symbols,
    mut parts: PartCosts,
) -> PartCosts {
    for (index, state) in program.states.iter().enumerate() {
        let graph = program.region(state.region).graph;
        for cost in parts.nodes[index].iter_mut().chain([&mut parts.states[index]]) {
            for expr in [&mut cost.work, &mut cost.depth, &mut cost.moved] {
                rename(expr, symbols, graph);
            }
        }
        for movement in parts.edges[index].iter_mut().flatten() {
            rename(&mut movement.elements, symbols, graph);
            rename(&mut movement.bytes, symbols, graph);
        }
    }
    for (region, cost) in program.regions.iter().zip(&mut parts.regions) {
        *cost = cost_in_outermost(symbols, cost, region.graph);
    }
    parts
}

/// The same executions of states, in the outermost graph's symbols.
pub(super) fn executions_in_outermost(
    program: &Program,
    symbols: &Symbols,
    mut executions: Vec<Expr>,
) -> Vec<Expr> {
    for (state, count) in program.states.iter().zip(&mut executions) {
        rename(count, symbols, program.region(state.region).graph);
    }
    executions
}

/// A cost in the outermost graph's symbols. All of it stays as it is where a part gets too large.
pub(super) fn cost_in_outermost(symbols: &Symbols, cost: &Cost, graph: GraphIndex) -> Cost {
    cost.each(|part| symbols.in_outermost(part, graph)).unwrap_or_else(|_| cost.clone())
}

/// What gets too large in terms of the outermost symbols stays in those of its graph.
fn rename(expr: &mut Expr, symbols: &Symbols, graph: GraphIndex) {
    if let Ok(new) = symbols.in_outermost(expr, graph) {
        *expr = new;
    }
}
