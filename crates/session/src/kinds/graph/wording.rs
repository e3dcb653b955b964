//! Elements of a graph in words.

use protocol::{EdgeFlag, GraphContainer, GraphKind, GraphSource};
use sdfg::expr::Expr;
use sdfg::model::{
    BlockKind, Container, ContainerKind, Dimension, Map, Memlet, NodeKind, Program, RegionKind,
    Subset,
};
use sdfg::outline::Element;

use super::GraphDocument;
use super::drawing::bit;

/// What an element is; an edge is taken for what it is in.
pub(super) fn kind(program: &Program, element: Element) -> GraphKind {
    match element {
        Element::Region(region) => match program.region(region).holder {
            None => GraphKind::Graph,
            Some(_) => GraphKind::Branch,
        },
        Element::Block(region, block) => match &program.region(region).block(block).kind {
            BlockKind::State(_) => GraphKind::State,
            BlockKind::Region(inner) => match program.region(*inner).kind {
                RegionKind::Loop(_) => GraphKind::Loop,
                _ => GraphKind::Region,
            },
            BlockKind::Conditional { .. } => GraphKind::Conditional,
            BlockKind::Break | BlockKind::Continue | BlockKind::Return => GraphKind::Jump,
            BlockKind::Opaque(_) => GraphKind::Opaque,
        },
        Element::Node(state, node) => match &program.state(state).nodes[node.place()].kind {
            NodeKind::Access { .. } => match container(program, element) {
                Some((_, container)) if container.kind == ContainerKind::Stream => {
                    GraphKind::Stream
                }
                _ => GraphKind::Access,
            },
            NodeKind::Tasklet(_) => GraphKind::Tasklet,
            NodeKind::MapEntry(_) => GraphKind::Map,
            NodeKind::MapExit => GraphKind::MapExit,
            NodeKind::ConsumeEntry(_) => GraphKind::Consume,
            NodeKind::ConsumeExit => GraphKind::ConsumeExit,
            NodeKind::Nested { .. } => GraphKind::Nested,
            NodeKind::Library(_) => GraphKind::Library,
            NodeKind::Opaque(_) => GraphKind::Opaque,
        },
        Element::Edge(..) | Element::Transition(..) => match program.container_of(element) {
            Some(around) => kind(program, around),
            None => GraphKind::Graph,
        },
    }
}

/// What an element of a document is called.
pub(crate) fn label_of(document: &GraphDocument, element: Element) -> String {
    label(&document.program, element)
}

/// The label of a box.
pub(super) fn label(program: &Program, element: Element) -> String {
    match element {
        Element::Region(region) => {
            let inside = program.region(region);
            match inside.holder {
                None => program.graph(inside.graph).name.to_string(),
                Some((holder, block)) => match &program.region(holder).block(block).kind {
                    BlockKind::Conditional { branches, .. } => {
                        let branch = branches.iter().find(|(_, inner)| *inner == region);
                        match branch.and_then(|(condition, _)| condition.as_ref()) {
                            Some(condition) => format!("if {}", one_line(&condition.text)),
                            None => "else".to_owned(),
                        }
                    }
                    _ => inside.label.to_string(),
                },
            }
        }
        Element::Block(region, block) => {
            let block = program.region(region).block(block);
            match (&block.kind, block.label.is_empty()) {
                (BlockKind::Break, _) => "break".to_owned(),
                (BlockKind::Continue, _) => "continue".to_owned(),
                (BlockKind::Return, _) => "return".to_owned(),
                (BlockKind::Opaque(name), true) => name.clone(),
                _ => block.label.to_string(),
            }
        }
        Element::Node(state, node) => {
            let node = &program.state(state).nodes[node.place()];
            match &node.kind {
                NodeKind::Access { data } => data.to_string(),
                NodeKind::Nested { graph: Some(graph), .. } if node.label.is_empty() => {
                    program.graph(*graph).name.to_string()
                }
                kind if node.label.is_empty() => kind.name().to_owned(),
                // DaCe repeats the range in the label of a map.
                NodeKind::MapEntry(_) | NodeKind::MapExit => {
                    let name = node.label.split('[').next().unwrap_or(&node.label);
                    if name.is_empty() { node.label.to_string() } else { name.to_owned() }
                }
                _ => node.label.to_string(),
            }
        }
        Element::Edge(..) | Element::Transition(..) => String::new(),
    }
}

/// What is worth knowing about a box at a glance.
pub(super) fn note(document: &GraphDocument, element: Element) -> String {
    let program = &document.program;
    match element {
        Element::Region(_) => String::new(),
        Element::Block(region, block) => match &program.region(region).block(block).kind {
            BlockKind::State(state) => counted(program.state(*state).nodes.len(), "node"),
            BlockKind::Region(inner) => match &program.region(*inner).kind {
                RegionKind::Loop(header) => {
                    let parts = [&header.init, &header.condition, &header.update];
                    let parts = parts.into_iter().flatten();
                    parts.map(|code| one_line(&code.text)).collect::<Vec<_>>().join("; ")
                }
                _ => counted(program.region(*inner).blocks.len(), "block"),
            },
            BlockKind::Conditional { branches, .. } => match branches.len() {
                1 => "1 branch".to_owned(),
                count => format!("{count} branches"),
            },
            _ => String::new(),
        },
        Element::Node(state, node) => {
            let node = &program.state(state).nodes[node.place()];
            match &node.kind {
                NodeKind::Access { .. } => match container(program, element) {
                    Some((_, container)) => container_type(container),
                    None => String::new(),
                },
                NodeKind::Tasklet(code) => one_line(&code.text),
                NodeKind::MapEntry(map) => map_range(map),
                NodeKind::ConsumeEntry(consume) => {
                    format!("{} of {}", consume.element, consume.element_count)
                }
                NodeKind::Nested { graph: Some(graph), .. } => {
                    let region = program.graph(*graph).region;
                    counted(program.region(region).blocks.len(), "block")
                }
                NodeKind::Library(library) => {
                    if library.class() == &*node.label {
                        "library node".to_owned()
                    } else {
                        library.class().to_owned()
                    }
                }
                _ => String::new(),
            }
        }
        Element::Edge(..) | Element::Transition(..) => String::new(),
    }
}

/// What an edge says: its data, or its condition and assignments.
pub(super) fn edge_label(document: &GraphDocument, element: Element) -> String {
    let program = &document.program;
    match element {
        Element::Edge(state, edge) => match &program.state(state).edges[edge.place()].memlet {
            Some(memlet) => memlet.data.to_string(),
            None => String::new(),
        },
        Element::Transition(region, edge) => {
            let edge = &program.region(region).edges[edge.place()];
            let condition = edge.condition.iter().map(|condition| condition.to_string());
            let condition = condition.filter(|condition| condition != "1");
            let assigned = edge.assignments.iter().map(|(name, value)| format!("{name} = {value}"));
            condition.chain(assigned).collect::<Vec<_>>().join("; ")
        }
        _ => String::new(),
    }
}

/// The bits of [`protocol::GraphDrawingColumns::edge_flags`] that do not depend on the view.
pub(super) fn edge_flags(program: &Program, element: Element) -> u32 {
    match element {
        Element::Edge(state, edge) => {
            let edge = &program.state(state).edges[edge.place()];
            let memlet = edge.memlet.as_deref();
            let combines = memlet.is_some_and(|memlet| memlet.wcr.is_some());
            let is_dynamic = memlet.is_some_and(|memlet| memlet.is_dynamic);
            bit(memlet.is_none(), EdgeFlag::ORDERS_ONLY)
                | bit(combines, EdgeFlag::COMBINES)
                | bit(is_dynamic, EdgeFlag::DYNAMIC)
                | bit(edge.binds_view(), EdgeFlag::BINDS_VIEW)
        }
        _ => EdgeFlag::INTERSTATE,
    }
}

/// The container of an access node, with its name.
pub(super) fn container(program: &Program, element: Element) -> Option<(&str, &Container)> {
    let Element::Node(state, node) = element else { return None };
    let NodeKind::Access { data } = &program.state(state).nodes[node.place()].kind else {
        return None;
    };
    // A part of a structure is named after it: `s.values`.
    let containers = &program.graph_of(state).containers;
    if let Some(container) = containers.get(data) {
        return Some((data, container));
    }
    let mut parts = data.split('.');
    let mut container = containers.get(parts.next()?)?;
    for part in parts {
        container = &container.members.iter().find(|(name, _)| &**name == part)?.1;
    }
    Some((data, container))
}

/// Whether an access node's data lives in the graph only.
pub(super) fn is_transient(program: &Program, element: Element) -> bool {
    container(program, element).is_some_and(|(_, container)| container.is_transient)
}

/// Where an element was written.
pub(super) fn source(program: &Program, element: Element) -> Option<GraphSource> {
    let Element::Node(state, node) = element else { return None };
    let place = program.state(state).nodes[node.place()].source?;
    let file = program.source_files.get(place.file as usize)?;
    Some(GraphSource { file: file.clone(), line: place.line })
}

/// A container in the protocol's words.
pub(super) fn container_to_proto(name: &str, container: &Container) -> GraphContainer {
    GraphContainer {
        name: name.to_owned(),
        kind: container_kind(container).to_owned(),
        element_type: container.element.name.to_string(),
        shape: container.shape.iter().map(|size| size.to_string()).collect(),
        transient: container.is_transient,
        storage: container.storage.to_string(),
    }
}

pub(super) fn container_kind(container: &Container) -> &str {
    match &container.kind {
        ContainerKind::Array => "array",
        ContainerKind::Scalar => "scalar",
        ContainerKind::Stream => "stream",
        ContainerKind::View => "view",
        ContainerKind::Reference => "reference",
        ContainerKind::Structure => "structure",
        ContainerKind::Other(name) => name,
    }
}

/// `float64[M, N]`.
fn container_type(container: &Container) -> String {
    let shape: Vec<String> = container.shape.iter().map(|size| size.to_string()).collect();
    match container.kind {
        ContainerKind::Scalar => container.element.name.to_string(),
        _ => format!("{}[{}]", container.element.name, shape.join(", ")),
    }
}

/// `i=0:I, j=0:J`, ends left out as in Python.
pub(super) fn map_range(map: &Map) -> String {
    let parts = map.parameters.iter().zip(&map.range);
    let parts = parts.map(|(name, dimension)| format!("{name}={}", range(dimension)));
    parts.collect::<Vec<_>>().join(", ")
}

fn range(dimension: &Dimension) -> String {
    let end = dimension.end.plus(&Expr::integer(1));
    let end = end.map(|end| end.to_string()).unwrap_or_else(|_| format!("{} + 1", dimension.end));
    let is_one = |expr: &Expr| *expr == Expr::integer(1);
    let step = if is_one(&dimension.step) { String::new() } else { format!(":{}", dimension.step) };
    let tile = if is_one(&dimension.tile) { String::new() } else { format!(":{}", dimension.tile) };
    if tile.is_empty() {
        format!("{}:{end}{step}", dimension.start)
    } else {
        format!("{}:{end}:{}{tile}", dimension.start, dimension.step)
    }
}

/// `A[0:M, k]`.
pub(super) fn memlet(memlet: &Memlet) -> String {
    match &memlet.subset {
        Some(inside) => format!("{}[{}]", memlet.data, subset(inside)),
        None => memlet.data.to_string(),
    }
}

/// `0:M, k`.
pub(super) fn subset(subset: &Subset) -> String {
    let parts = subset.dimensions.iter().map(|dimension| {
        if dimension.start == dimension.end {
            dimension.start.to_string()
        } else {
            range(dimension)
        }
    });
    let mut told = parts.collect::<Vec<_>>().join(", ");
    if subset.is_union() {
        told.push_str(" and more");
    }
    told
}

pub(super) fn one_line(code: &str) -> String {
    code.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
