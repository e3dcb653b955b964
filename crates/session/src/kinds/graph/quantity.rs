//! What a box or an edge is worth in a quantity.

use protocol::{GraphBasis, GraphKind, GraphShow, NodeQuantity};
use sdfg::cost::{EdgeValues, NodeValues};
use sdfg::model::{BlockKind, EdgeIndex, NodeIndex, Program, State, StateIndex};
use sdfg::outline::Element;

use super::overlay::{Valued, in_words};
use super::{GraphDocument, network, wording};
use crate::kept::Question;

const NONE: NodeValues = NodeValues { work: f64::NAN, depth: f64::NAN, moved: f64::NAN };

/// The value of a box; no number where it has none.
pub(super) fn node_value(of: Valued<'_>, element: Element, show: &GraphShow) -> f64 {
    let kind = wording::kind(&of.document.program, element);
    if !applies(&show.nodes, kind) {
        return f64::NAN;
    }
    let told = match show.basis {
        GraphBasis::Each => cost(of, element),
        GraphBasis::Whole => in_all(of, element),
    };
    let moved = || if show.in_bytes { told.moved } else { moved_elements(of, element, show.basis) };
    match &show.nodes {
        NodeQuantity::Work {} => told.work,
        // What runs several times at once is not deeper for it.
        NodeQuantity::Depth {} => told.depth,
        NodeQuantity::Parallelism {} => quotient(cost(of, element).work, told.depth),
        NodeQuantity::Movement {} => moved(),
        NodeQuantity::Intensity {} => quotient(told.work, moved()),
        NodeQuantity::Network {} => network::value(of.document, element, show),
        NodeQuantity::Memory {} => memory(of, element, show.in_bytes),
        NodeQuantity::Measured { name } => of.document.measured(element, name).unwrap_or(f64::NAN),
        NodeQuantity::Bandwidth {} => quotient(in_all(of, element).moved, seconds(of, element)),
        NodeQuantity::Rate {} => quotient(in_all(of, element).work, seconds(of, element)),
        NodeQuantity::None {} | NodeQuantity::Storage {} => f64::NAN,
    }
}

/// Whether a quantity makes sense for a kind of box.
pub(super) fn applies(quantity: &NodeQuantity, kind: GraphKind) -> bool {
    let is_data = matches!(kind, GraphKind::Access | GraphKind::Stream);
    let is_end = matches!(kind, GraphKind::MapExit | GraphKind::ConsumeExit | GraphKind::Jump);
    match quantity {
        NodeQuantity::None {} => false,
        NodeQuantity::Memory {} | NodeQuantity::Storage {} => is_data,
        NodeQuantity::Movement {} => !is_end,
        _ => !is_data && !is_end,
    }
}

/// What a quantity is called, and its unit.
pub(super) fn node_unit(document: &GraphDocument, show: &GraphShow) -> (String, String) {
    let moved = if show.in_bytes { "bytes" } else { "elements" };
    let basis = in_words(show.basis);
    let (title, unit): (String, &str) = match &show.nodes {
        NodeQuantity::None {} | NodeQuantity::Storage {} => (String::new(), ""),
        NodeQuantity::Work {} => (format!("work {basis}"), "operations"),
        NodeQuantity::Depth {} => ("depth".to_owned(), "operations"),
        NodeQuantity::Parallelism {} => ("average parallelism".to_owned(), ""),
        NodeQuantity::Intensity {} => {
            let unit = if show.in_bytes { "operations/byte" } else { "operations/element" };
            ("arithmetic intensity".to_owned(), unit)
        }
        NodeQuantity::Movement {} => (format!("data movement {basis}"), moved),
        NodeQuantity::Network {} => (format!("payload through the network {basis}"), "bytes"),
        NodeQuantity::Memory {} => ("memory".to_owned(), moved),
        NodeQuantity::Measured { name } => {
            return (format!("{name}, measured"), document.measured_unit(name));
        }
        NodeQuantity::Bandwidth {} => ("bandwidth reached".to_owned(), "bytes/second"),
        NodeQuantity::Rate {} => ("rate reached".to_owned(), "operations/second"),
    };
    (title, unit.to_owned())
}

/// The value of an edge; no number where it has none.
pub(super) fn edge_value(of: Valued<'_>, element: Element, show: &GraphShow) -> f64 {
    let Element::Edge(state, edge) = element else { return f64::NAN };
    if of.document.program.state(state).edges[edge.place()].binds_view() {
        return f64::NAN;
    }
    let values = edge_values(of, state, edge, show.basis);
    if show.in_bytes { values.bytes } else { values.elements }
}

fn edge_values(
    of: Valued<'_>,
    state: StateIndex,
    edge: EdgeIndex,
    basis: GraphBasis,
) -> EdgeValues {
    match basis {
        GraphBasis::Each => of.values.edges[state.place()][edge.place()],
        GraphBasis::Whole => of.values.edge_in_all(state, edge),
    }
}

/// What an element costs each time that it is reached.
fn cost(of: Valued<'_>, element: Element) -> NodeValues {
    let (program, values) = (&of.document.program, of.values);
    match element {
        Element::Region(region) => values.regions[region.place()],
        Element::Block(region, block) => match &program.region(region).block(block).kind {
            BlockKind::State(state) => values.states[state.place()],
            BlockKind::Region(inner) => values.regions[inner.place()],
            BlockKind::Conditional { .. } => values.conditional(region, block).unwrap_or(NONE),
            _ => NONE,
        },
        Element::Node(state, node) => values.nodes[state.place()][node.place()],
        Element::Edge(..) | Element::Transition(..) => NONE,
    }
}

/// What an element costs in the whole run.
pub(super) fn in_all(of: Valued<'_>, element: Element) -> NodeValues {
    let (program, values) = (&of.document.program, of.values);
    match element {
        Element::Region(region) => values.region_in_all(region),
        Element::Block(region, block) => match &program.region(region).block(block).kind {
            BlockKind::State(state) => values.state_in_all(*state),
            BlockKind::Region(inner) => values.region_in_all(*inner),
            BlockKind::Conditional { .. } => {
                values.conditional_in_all(region, block).unwrap_or(NONE)
            }
            _ => NONE,
        },
        Element::Node(state, node) => values.node_in_all(state, node),
        Element::Edge(..) | Element::Transition(..) => NONE,
    }
}

/// Elements that move over the outer edges of a box, where these are known.
fn moved_elements(of: Valued<'_>, element: Element, basis: GraphBasis) -> f64 {
    let program = &of.document.program;
    let elements = |state: StateIndex, edge: EdgeIndex| {
        // Edges that order only move nothing, nor do those that bind a view.
        let moves = of.document.costs.edges[state.place()][edge.place()].is_some()
            && !program.state(state).edges[edge.place()].binds_view();
        if moves { edge_values(of, state, edge, basis).elements } else { 0.0 }
    };
    match element {
        Element::Block(region, block) => match program.region(region).block(block).kind {
            BlockKind::State(state) => {
                let edges = of.document.costs.edges[state.place()].iter().enumerate();
                let outermost = edges.filter(|(_, movement)| {
                    movement.as_ref().is_some_and(|movement| movement.is_outermost)
                });
                outermost.map(|(edge, _)| elements(state, EdgeIndex(edge as u32))).sum()
            }
            _ => f64::NAN,
        },
        Element::Node(state, node) => {
            let outer = of.document.kept().made(Outer, || OuterEdges::of_program(program));
            let edges = outer.of(state, node);
            edges.iter().map(|&edge| elements(state, edge)).sum()
        }
        _ => f64::NAN,
    }
}

/// By node, the edges at it that are outside of what it holds: of a scope those into its entry and
/// out of its exit.
#[derive(Debug)]
struct OuterEdges(Vec<Vec<Vec<EdgeIndex>>>);

#[derive(PartialEq, Eq, Hash)]
struct Outer;

impl Question for Outer {
    type Answer = OuterEdges;
    const KEPT: usize = 1;
}

impl OuterEdges {
    fn of_program(program: &Program) -> OuterEdges {
        let of_state = |state: &State| {
            let mut outer = vec![vec![]; state.nodes.len()];
            for (index, edge) in state.edges.iter().enumerate() {
                let index = EdgeIndex(index as u32);
                let [source, target] =
                    [edge.source, edge.target].map(|node| &state.nodes[node.place()]);
                match (&source.kind, source.scope) {
                    (kind, _) if kind.is_entry() => {}
                    (kind, Some(entry)) if kind.is_exit() => outer[entry.place()].push(index),
                    _ => outer[edge.source.place()].push(index),
                }
                if !target.kind.is_exit() {
                    outer[edge.target.place()].push(index);
                }
            }
            outer
        };
        OuterEdges(program.states.iter().map(of_state).collect())
    }

    fn of(&self, state: StateIndex, node: NodeIndex) -> &[EdgeIndex] {
        &self.0[state.place()][node.place()]
    }
}

/// What a container takes.
fn memory(of: Valued<'_>, element: Element, in_bytes: bool) -> f64 {
    let Element::Node(state, _) = element else { return f64::NAN };
    let Some((name, container)) = wording::container(&of.document.program, element) else {
        return f64::NAN;
    };
    let program = &of.document.program;
    let graph = program.region(program.state(state).region).graph;
    let names = &of.document.container_names[graph.place()];
    let Ok(place) = names.binary_search_by(|known| (**known).cmp(name)) else {
        return f64::NAN;
    };
    let elements = of.values.containers[graph.place()][place];
    match (in_bytes, container.element.size) {
        (true, Some(size)) => elements * f64::from(size),
        (true, None) => f64::NAN,
        (false, _) => elements,
    }
}

fn seconds(of: Valued<'_>, element: Element) -> f64 {
    let seconds = of.document.measured_seconds(element);
    seconds.filter(|_| !of.unlike.has(element)).unwrap_or(f64::NAN)
}

/// A quotient; nothing where there is nothing below the line.
fn quotient(above: f64, below: f64) -> f64 {
    if below > 0.0 { above / below } else { f64::NAN }
}
