//! What a graph is.

use protocol::{GraphSummaryResult, GraphSymbol, ProtocolError, WarningInfo};

use super::{GraphDocument, wording};
use crate::Answer;

/// What a graph is, and what its costs depend on.
pub(crate) fn summary(document: &GraphDocument) -> Result<Answer, ProtocolError> {
    let program = &document.program;
    let root = program.root();
    let warnings = program.warnings.iter().chain(&document.costs.notes);
    let warnings = warnings
        .map(|(message, &count)| WarningInfo { message: message.clone(), count: count as f64 });
    let containers = root.into_iter().flat_map(|root| &root.containers);
    Ok(Answer::new(GraphSummaryResult {
        title: document.title.clone(),
        name: root.map(|root| root.name.to_string()).unwrap_or_default(),
        dace_version: program.dace_version.clone().unwrap_or_default(),
        graphs: program.graphs.len() as f64,
        states: program.states.len() as f64,
        nodes: program.node_count() as f64,
        edges: program.edge_count() as f64,
        depth: document.tree.depth(),
        symbols: symbols(document),
        containers: containers
            .map(|(name, container)| wording::told_container(name, container))
            .collect(),
        warnings: warnings.collect(),
        opened_s: document.opened_s,
        measurements: vec![],
    }))
}

fn symbols(document: &GraphDocument) -> Vec<GraphSymbol> {
    /// A size that is neither trivial nor slow to think about.
    const SUGGESTED: f64 = 256.0;
    let declared = document.program.root().map(|root| &root.symbols);
    let symbol = |name: &str| GraphSymbol {
        name: name.to_owned(),
        element_type: declared
            .and_then(|symbols| symbols.get(name))
            .map(|element| element.name.to_string())
            .unwrap_or_default(),
        unknown: document.costs.unknowns.get(name).cloned().unwrap_or_default(),
        suggested: SUGGESTED,
    };
    let costs = &document.costs;
    let mut names = std::collections::BTreeSet::new();
    for cost in std::iter::once(&costs.total).chain(costs.nodes.iter().flatten()) {
        for part in [&cost.work, &cost.depth, &cost.moved] {
            names.extend(part.symbols());
        }
    }
    for movement in costs.edges.iter().flatten().flatten() {
        names.extend(movement.elements.symbols());
    }
    names.into_iter().map(symbol).collect()
}
