//! Names that get their values while the program runs.

use std::collections::BTreeSet;

use crate::model::{NodeKind, Program, RegionKind};

/// Names that get their values while the program runs, and those in inner graphs that may stand for
/// them, or for something else than a size.
pub(crate) fn changing_names(program: &Program) -> BTreeSet<&str> {
    let mut names = set_inside(program);
    // Those of outer graphs come first.
    for (state, node) in program.graphs.iter().filter_map(|graph| graph.holder) {
        let node = &program.state(state).nodes[node.place()];
        let NodeKind::Nested { symbol_mapping, .. } = &node.kind else { continue };
        let changing = symbol_mapping
            .iter()
            .filter(|(_, value)| value.as_symbol().is_none_or(|symbol| names.contains(symbol)));
        let changing: Vec<&str> = changing.map(|(name, _)| &**name).collect();
        names.extend(changing);
    }
    names
}

/// Names that get their values while the program runs.
pub(super) fn set_inside(program: &Program) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for region in &program.regions {
        let assigned = region.edges.iter().flat_map(|edge| &edge.assignments);
        names.extend(assigned.map(|(name, _)| &**name));
        if let RegionKind::Loop(header) = &region.kind {
            names.insert(&*header.variable);
        }
    }
    for node in program.states.iter().flat_map(|state| &state.nodes) {
        match &node.kind {
            NodeKind::MapEntry(map) => names.extend(map.parameters.iter().map(|name| &**name)),
            NodeKind::ConsumeEntry(consume) => drop(names.insert(&*consume.element)),
            _ => {}
        }
    }
    names
}
