//! What a graph is.

use protocol::{GraphSummaryResult, GraphSymbol, ProtocolError, Reply, WarningInfo};
use sdfg::cost::{FreeSymbol, SymbolKind};
use sdfg::expr::Bindings;

use super::{GraphDocument, wording};

/// What a graph is, and what its costs depend on.
pub(crate) fn summary(
    document: &GraphDocument,
    opened_s: Option<f64>,
) -> Result<Reply<GraphSummaryResult>, ProtocolError> {
    let program = &document.program;
    let root = program.root();
    let warnings = program.warnings.iter().chain(&document.costs.notes);
    let warnings = warnings
        .map(|(message, &count)| WarningInfo { message: message.clone(), count: count as f64 });
    let containers = root.into_iter().flat_map(|root| &root.containers);
    Ok(Reply::from(GraphSummaryResult {
        title: document.title.clone(),
        operations: document.operations,
        communications: document.network.nodes.len() as f64,
        name: root.map(|root| root.name.to_string()).unwrap_or_default(),
        dace_version: program.dace_version.clone().unwrap_or_default(),
        graphs: program.graphs.len() as f64,
        states: program.states.len() as f64,
        nodes: program.node_count() as f64,
        edges: program.edge_count() as f64,
        depth: document.tree.depth(),
        symbols: symbols(document),
        containers: containers
            .map(|(name, container)| wording::container_to_proto(name, container))
            .collect(),
        warnings: warnings.collect(),
        opened_s,
        measurements: document.to_measurements(),
    }))
}

/// What symbols are suggested to be.
pub(crate) fn suggested_sizes(document: &GraphDocument) -> Bindings {
    let told = symbols(document).into_iter();
    told.map(|symbol| (symbol.name, symbol.suggested as i128)).collect()
}

fn symbols(document: &GraphDocument) -> Vec<GraphSymbol> {
    /// A size that is neither trivial nor slow to think about.
    const SUGGESTED: f64 = 256.0;
    let declared = document.program.root().map(|root| &root.symbols);
    let symbol = |symbol: &FreeSymbol| GraphSymbol {
        name: symbol.name.to_string(),
        element_type: declared
            .and_then(|symbols| symbols.get(&symbol.name))
            .map(|element| element.name.to_string())
            .unwrap_or_default(),
        unknown: match symbol.kind {
            SymbolKind::Given => String::new(),
            SymbolKind::Inside => "changes while the program runs".to_owned(),
            SymbolKind::Unknown => {
                let unknown = document.costs.unknowns.get(&symbol.name);
                unknown.map(|unknown| unknown.to_string()).unwrap_or_default()
            }
        },
        suggested: match symbol.kind {
            // One of the first iterations is one that there is at any size.
            SymbolKind::Inside => 1.0,
            _ => symbol.value.map_or(SUGGESTED, |value| value as f64),
        },
        is_example: symbol.kind == SymbolKind::Given && symbol.value.is_none(),
    };
    document.plan.free_symbols().iter().map(symbol).collect()
}
