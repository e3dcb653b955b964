//! How many elements containers have, in terms of the outermost graph's symbols.

use super::context::Context;
use crate::expr::{Expr, TooLarge};
use crate::model::{Container, GraphIndex};

/// Elements that containers have, by graph and in the order of their names.
pub(super) fn allocated(context: &mut Context<'_, '_>) -> Vec<Vec<Expr>> {
    let (known, symbols) = (context.known, context.symbols);
    let mut all = vec![];
    for (place, graph) in known.program.graphs.iter().enumerate() {
        let index = GraphIndex(place as u32);
        let side = |size: &Expr| {
            let size = symbols.resolved_in_outermost(size, index)?;
            known.facts.at_least_zero(&size)
        };
        let mut of_graph = vec![];
        for (name, container) in &graph.containers {
            let elements = elements(container, side);
            of_graph.push(context.report.or_unknown(elements, &format!("{name}_size")));
        }
        all.push(of_graph);
    }
    all
}

/// No side is shorter than 0.
fn elements(
    container: &Container,
    side: impl Fn(&Expr) -> Result<Expr, TooLarge>,
) -> Result<Expr, TooLarge> {
    match &container.total_size {
        Some(size) if container.element_count().as_ref() != Ok(&**size) => side(size),
        _ => container
            .shape
            .iter()
            .try_fold(Expr::integer(1), |count, size| count.times(&side(size)?)),
    }
}
