//! What control flow reads: conditions and assignments on edges between blocks, conditions of branches,
//! headers of loops.
//!
//! An element counts once each time that the conditions behind a block are asked, however often they name it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::certainty::Excess;
use super::context::Context;
use super::costs::Cost;
use super::iterations::loop_region;
use crate::expr::{Expr, TooLarge};
use crate::model::{
    BlockIndex, BlockKind, Code, ContainerKind, GraphIndex, InterstateEdge, Loop, Program, Region,
    RegionIndex, RegionKind,
};

/// An element of a container.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Element {
    data: Arc<str>,
    /// None of a scalar.
    indices: Vec<Expr>,
}

/// What is read of a container each time that a block runs.
pub(super) struct ControlRead {
    /// Its name in the graph.
    pub(super) data: Arc<str>,
    /// Which element; none of a scalar.
    pub(super) indices: Vec<Expr>,
    pub(super) elements: Expr,
    pub(super) bytes: Expr,
    pub(super) excess: Option<Excess>,
}

/// What control flow reads each time that a block runs, by element.
pub(super) fn control_reads(
    context: &mut Context<'_, '_>,
    index: RegionIndex,
    block: BlockIndex,
) -> Result<Vec<ControlRead>, TooLarge> {
    let program = context.known.program;
    let region = program.region(index);
    let graph = region.graph;
    if !context.known.rules.is_exact() {
        return Ok(vec![]);
    }
    let mut all: Vec<(Element, Expr, Option<Excess>)> = vec![];
    let edges: Vec<&InterstateEdge> =
        region.edges.iter().filter(|edge| edge.source == block).collect();
    let conditions: Vec<BTreeSet<Element>> = edges
        .iter()
        .filter_map(|edge| edge.condition.as_ref())
        .map(|condition| elements_of(program, condition, graph))
        .collect();
    let once = Expr::integer(1);
    all.extend(
        reads_of_conditions(&conditions).map(|(element, excess)| (element, once.clone(), excess)),
    );
    let leads_alone = |edge: &InterstateEdge| {
        let mut others = region.edges.iter().filter(|other| other.target == edge.target);
        others.next().is_some() && others.next().is_none() && region.start != Some(edge.target)
    };
    // Assignments of an edge happen as often as the block at one of its ends runs.
    for edge in &region.edges {
        let is_from = edge.source == block;
        let alone = edges.len() == 1;
        let (is_here, excess) = match is_from {
            true if alone => (true, None),
            true if leads_alone(edge) => (false, None),
            true => (true, Some(Excess::Branches)),
            false => {
                let siblings = region.edges.iter().filter(|other| other.source == edge.source);
                (edge.target == block && leads_alone(edge) && siblings.count() > 1, None)
            }
        };
        if is_here {
            let mut read = BTreeSet::new();
            for (_, value) in &edge.assignments {
                read.extend(elements_of(program, value, graph));
            }
            all.extend(read.into_iter().map(|element| (element, once.clone(), excess)));
        }
    }
    match &region.block(block).kind {
        BlockKind::Conditional { branches, .. } => {
            let codes = branches.iter().filter_map(|(condition, _)| condition.as_ref());
            let read: Vec<_> = codes.map(|code| elements_of_code(program, code, graph)).collect();
            all.extend(
                reads_of_conditions(&read).map(|(element, excess)| (element, once.clone(), excess)),
            );
        }
        BlockKind::Region(inner) => {
            let inner = program.region(*inner);
            if let RegionKind::Loop(header) = &inner.kind {
                header_reads(context, header, inner, &mut all)?;
            }
        }
        _ => {}
    }
    in_bytes(context, all, graph)
}

/// The same reads, in elements and in bytes.
fn in_bytes(
    context: &mut Context<'_, '_>,
    all: Vec<(Element, Expr, Option<Excess>)>,
    graph: GraphIndex,
) -> Result<Vec<ControlRead>, TooLarge> {
    let mut reads = vec![];
    for (element, times, excess) in all {
        let program = context.known.program;
        let container = program.graph(graph).containers.get(&element.data);
        let bytes = context.report.element_bytes(container, &element.data);
        let bytes = times.times(&bytes)?;
        let Element { data, indices } = element;
        reads.push(ControlRead { data, indices, elements: times, bytes, excess });
    }
    Ok(reads)
}

/// The header of a loop: its condition is asked once more than the body runs, if before it.
fn header_reads(
    context: &mut Context<'_, '_>,
    header: &Loop,
    region: &Region,
    all: &mut Vec<(Element, Expr, Option<Excess>)>,
) -> Result<(), TooLarge> {
    let (program, graph) = (context.known.program, region.graph);
    let reads_any = [&header.init, &header.condition, &header.update]
        .into_iter()
        .flatten()
        .any(|code| !elements_of_code(program, code, graph).is_empty());
    if !reads_any {
        return Ok(());
    }
    let iterations = loop_region(context, region, header);
    let count = context.known.facts.at_least_zero(&iterations.values.count)?;
    let reads_of_conditions =
        if header.is_inverted { count.clone() } else { count.plus(&Expr::integer(1))? };
    let parts = [
        (&header.init, Expr::integer(1)),
        (&header.condition, reads_of_conditions),
        (&header.update, count),
    ];
    for (code, times) in parts {
        let Some(code) = code else { continue };
        let read = elements_of_code(program, code, graph);
        all.extend(read.into_iter().map(|element| (element, times.clone(), None)));
    }
    Ok(())
}

/// What control flow moves each time that a block runs.
pub(super) fn with_control_reads(
    context: &mut Context<'_, '_>,
    cost: Cost,
    index: RegionIndex,
    block: BlockIndex,
) -> Result<Cost, TooLarge> {
    let graph = context.known.program.region(index).graph;
    let mut cost = cost;
    for read in control_reads(context, index, block)? {
        if context.known.roots.named(graph, &read.data).is_some() {
            cost.moved = cost.moved.plus(&read.bytes)?;
            cost.at_most.moved = cost.at_most.moved.or(read.excess);
        }
    }
    Ok(cost)
}

/// Containers of a graph that control flow reads.
pub(super) fn read_by_control_flow(program: &Program, index: RegionIndex) -> BTreeSet<Arc<str>> {
    let region = program.region(index);
    let graph = region.graph;
    let mut all = BTreeSet::new();
    for edge in &region.edges {
        let values = edge.assignments.iter().map(|(_, value)| value);
        for expr in edge.condition.iter().chain(values) {
            all.extend(elements_of(program, expr, graph));
        }
    }
    let headers = match &region.kind {
        RegionKind::Loop(header) => [&header.init, &header.condition, &header.update],
        RegionKind::Graph | RegionKind::Plain => [&None; 3],
    };
    let branches = region.blocks.iter().flat_map(|block| match &block.kind {
        BlockKind::Conditional { branches, .. } => &branches[..],
        _ => &[],
    });
    let conditions = branches.map(|(condition, _)| condition);
    for code in headers.into_iter().chain(conditions).flatten() {
        all.extend(elements_of_code(program, code, graph));
    }
    all.into_iter().map(|element| element.data).collect()
}

/// Elements of containers that an expression names.
fn elements_of(program: &Program, expr: &Expr, graph: GraphIndex) -> BTreeSet<Element> {
    let containers = &program.graph(graph).containers;
    let is_data = |name: &str| {
        let container = containers.get(name);
        container.is_some_and(|container| container.kind != ContainerKind::Stream)
    };
    let mut all = BTreeSet::new();
    let mut indexed = BTreeSet::new();
    for (data, indices) in expr.subscripts() {
        if is_data(data) {
            indexed.insert(data);
            all.insert(Element { data: data.into(), indices: indices.to_vec() });
        }
    }
    let plain = expr.symbols().into_iter().filter(|name| is_data(name));
    let plain = plain.filter(|name| !indexed.contains(name));
    all.extend(plain.map(|name| Element { data: name.into(), indices: vec![] }));
    all
}

/// The same of code, of which what cannot be read names nothing.
fn elements_of_code(program: &Program, code: &Code, graph: GraphIndex) -> BTreeSet<Element> {
    let text = code.text.trim();
    let is_word = |text: &str| text.trim().chars().all(|c| c.is_alphanumeric() || c == '_');
    // Of an assignment, what is behind the sign.
    let value = match text.split_once('=') {
        Some((name, value)) if is_word(name) && !value.starts_with('=') => value,
        _ => text,
    };
    let value = crate::expr::parse(value);
    value.map_or_else(|_| BTreeSet::new(), |value| elements_of(program, &value, graph))
}

/// What conditions read that are asked one after the other until one holds: exactly that of the first where the
/// others read nothing else.
fn reads_of_conditions(
    conditions: &[BTreeSet<Element>],
) -> impl Iterator<Item = (Element, Option<Excess>)> + use<> {
    let first = conditions.first().cloned().unwrap_or_default();
    let others: BTreeSet<Element> =
        conditions.iter().flatten().filter(|element| !first.contains(*element)).cloned().collect();
    let others = others.into_iter().map(|element| (element, Some(Excess::Branches)));
    first.into_iter().map(|element| (element, None)).chain(others)
}
