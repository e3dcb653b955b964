//! What symbols stand for.

use std::collections::HashMap;
use std::sync::Arc;

use super::defined::{find_definitions, find_read, outside_names, resolved};
use super::found::Read;
use super::known::Known;
use crate::expr::{Expr, TooLarge};
use crate::model::{GraphIndex, NodeKind, StateIndex};

/// What symbols are, by graph.
pub(super) struct Symbols {
    /// Those that have one value each time that the graph runs, in terms of others.
    pub(super) defined: Vec<HashMap<Arc<str>, Expr>>,
    /// Those that are read from data, with where from.
    read: Vec<HashMap<Arc<str>, Read>>,
    /// All in terms of the outermost graph's.
    outside: Vec<HashMap<Arc<str>, Expr>>,
}

impl Symbols {
    /// Finds them.
    pub(super) fn new(known: &Known<'_>) -> Symbols {
        let defined = find_definitions(known);
        let read = find_read(known, &defined);
        let outside = outside_names(known.program, &defined);
        Symbols { defined, read, outside }
    }

    /// With symbols of the graph that have one value replaced by it.
    pub(super) fn resolved(&self, expr: &Expr, graph: GraphIndex) -> Result<Expr, TooLarge> {
        resolved(&self.defined, expr, graph)
    }

    /// The same, in the outermost graph's symbols.
    pub(super) fn resolved_in_outermost(
        &self,
        expr: &Expr,
        graph: GraphIndex,
    ) -> Result<Expr, TooLarge> {
        self.in_outermost(&self.resolved(expr, graph)?, graph)
    }

    /// With symbols of the graph replaced by those of the outermost graph.
    pub(super) fn in_outermost(&self, expr: &Expr, graph: GraphIndex) -> Result<Expr, TooLarge> {
        let names = &self.outside[graph.place()];
        expr.substituted(&|name| names.get(name).cloned())
    }
}

/// Why data decides an expression, where it does: how an unknown in its place is named, with a
/// label where several containers, or none that is known, decide it.
pub(super) fn read_in(
    known: &Known<'_>,
    symbols: &Symbols,
    expr: &Expr,
    graph: GraphIndex,
    label: &str,
) -> Option<(String, String)> {
    if !known.rules.is_exact() {
        return None;
    }
    let own = format!("{label}_iterations");
    if expr.has_unknown_function() {
        return Some((own, format!("data decides: {expr}")));
    }
    let read = &symbols.read[graph.place()];
    let mut found = expr.symbols().into_iter().filter_map(|symbol| read.get(symbol));
    let first = found.next()?;
    match &first.of {
        Some(of) if found.all(|other| other.of.as_ref() == Some(of)) => {
            Some((format!("{of}_length"), format!("on average: the range is read from {of}")))
        }
        _ => Some((own, first.why.clone())),
    }
}

/// Whether data decides an expression in a state. A map's parameter hides what else has its name.
pub(super) fn is_read_in(
    known: &Known<'_>,
    symbols: &Symbols,
    expr: &Expr,
    index: StateIndex,
) -> bool {
    let state = known.program.state(index);
    let is_parameter = |symbol: &str| {
        state.nodes.iter().any(|node| match &node.kind {
            NodeKind::MapEntry(map) => map.parameters.iter().any(|name| **name == *symbol),
            _ => false,
        })
    };
    let read = &symbols.read[known.program.region(state.region).graph.place()];
    let mut read = expr.symbols().into_iter().filter(|symbol| read.contains_key(*symbol));
    known.rules.is_exact()
        && (expr.has_unknown_function() || read.any(|symbol| !is_parameter(symbol)))
}
