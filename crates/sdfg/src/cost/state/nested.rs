//! What inner graphs access of their arguments.

use std::sync::Arc;

use super::volume::Volume;
use crate::cost::certain::is_reach_known;
use crate::cost::certainty::Excess;
use crate::cost::context::Context;
use crate::cost::control_reads::control_reads;
use crate::cost::costs::Movement;
use crate::cost::found::Flow;
use crate::cost::repeated::repeated;
use crate::cost::unknown::Unknown;
use crate::expr::{Expr, TooLarge};
use crate::model::{BlockIndex, Edge, GraphIndex, NodeIndex, NodeKind, RegionIndex, State};

/// What an inner graph accesses of an argument that an edge brings to it, or takes from it.
pub(super) fn inside_nested(
    context: &mut Context<'_, '_>,
    (edges, flow): (&[Vec<Option<Movement>>], &Flow),
    state: &State,
    edge: &Edge,
) -> Option<Volume> {
    let nested = |node: NodeIndex| match &state.nodes[node.place()].kind {
        NodeKind::Nested { graph: Some(graph), symbol_mapping } => Some((*graph, symbol_mapping)),
        _ => None,
    };
    let (graph, mapping, name, is_read) = match (nested(edge.target), nested(edge.source)) {
        (Some((graph, mapping)), _) => (graph, mapping, edge.target_connector.as_ref()?, true),
        (None, Some((graph, mapping))) => (graph, mapping, edge.source_connector.as_ref()?, false),
        (None, None) => return None,
    };
    if !context.known.roots.is_accessed(graph, name) {
        return None;
    }
    let inner = accessed(context, (edges, flow), graph, name, is_read);
    let outer =
        |expr: &Expr| expr.substituted(&|name| mapping.get(name).map(|value| (**value).clone()));
    let name = name.clone();
    inner
        .and_then(|inner| {
            let (elements, bytes) = (outer(&inner.elements)?, outer(&inner.bytes)?);
            Ok(Volume { elements, bytes, ..inner })
        })
        .ok()
        .or_else(|| {
            let why = Unknown::count(TooLarge.to_string());
            let elements = context.report.unknown(&format!("{name}_elements"), why.clone());
            let bytes = context.report.unknown(&format!("{name}_bytes"), why);
            Some(Volume { elements, bytes, excess: None })
        })
}

/// What a graph reads or writes of a container, or of views of it, each time that it runs.
fn accessed(
    context: &mut Context<'_, '_>,
    (edges, flow): (&[Vec<Option<Movement>>], &Flow),
    graph: GraphIndex,
    name: &Arc<str>,
    is_read: bool,
) -> Result<Volume, TooLarge> {
    let program = context.known.program;
    let mut all = Volume { elements: Expr::default(), bytes: Expr::default(), excess: None };
    for &index in &context.known.states_of[graph.place()] {
        let state = program.state(index);
        let (mut elements, mut bytes) = (vec![], vec![]);
        for (edge, movement) in state.edges.iter().zip(&edges[index.place()]) {
            let Some(movement) = movement.as_ref().filter(|one| one.is_outermost) else {
                continue;
            };
            let end = if is_read { edge.source } else { edge.target };
            let NodeKind::Access { data } = &state.nodes[end.place()].kind else { continue };
            if context.known.roots.in_state(graph, index, data) == Some(name) {
                elements.push(movement.elements.clone());
                bytes.push(movement.bytes.clone());
                all.excess = all.excess.or(movement.excess);
            }
        }
        let each_run = |context: &mut Context<'_, '_>, parts: Vec<Expr>| {
            let sum = context.symbols.resolved(&Expr::sum(parts)?, graph)?;
            repeated(context, flow, sum, state.region, state.block)
        };
        if !elements.is_empty() {
            let is_certain = is_reach_known(context.known, flow, state.region, state.block);
            all.excess = all.excess.or((!is_certain).then_some(Excess::Branches));
            all.elements = all.elements.plus(&each_run(context, elements)?)?;
            all.bytes = all.bytes.plus(&each_run(context, bytes)?)?;
        }
    }
    if is_read {
        add_control_reads(context, flow, graph, name, &mut all)?;
    }
    Ok(all)
}

/// Adds what control flow of a graph reads of a container each time that the graph runs.
fn add_control_reads(
    context: &mut Context<'_, '_>,
    flow: &Flow,
    graph: GraphIndex,
    name: &Arc<str>,
    all: &mut Volume,
) -> Result<(), TooLarge> {
    for (place, region) in context.known.program.regions.iter().enumerate() {
        if region.graph != graph {
            continue;
        }
        let index = RegionIndex(place as u32);
        for block in (0..region.blocks.len() as u32).map(BlockIndex) {
            for read in control_reads(context, index, block)? {
                if context.known.roots.in_graph(graph, &read.data) != Some(name) {
                    continue;
                }
                let is_certain = is_reach_known(context.known, flow, index, block);
                all.excess = all.excess.or(read.excess);
                all.excess = all.excess.or((!is_certain).then_some(Excess::Branches));
                let [elements, bytes] = [read.elements, read.bytes].map(|part| {
                    let part = context.symbols.resolved(&part, graph)?;
                    repeated(context, flow, part, index, block)
                });
                all.elements = all.elements.plus(&elements?)?;
                all.bytes = all.bytes.plus(&bytes?)?;
            }
        }
    }
    Ok(())
}
