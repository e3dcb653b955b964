//! All about one element.

use std::sync::Arc;

use protocol::{
    GraphCode, GraphCost, GraphElementParams, GraphElementResult, GraphNeighbour, GraphProperty,
    GraphStep, ProtocolError, Reply,
};
use sdfg::cost::{Amount, Cost, Excess, SymbolKind};
use sdfg::expr::{Bindings, Expr, TooLarge};
use sdfg::model::{
    BlockKind, Container, Edge, EdgeIndex, Language, Node, NodeIndex, NodeKind, Program,
    RegionKind, StateIndex,
};
use sdfg::outline::Element;

use super::costs::Teller;
use super::overlay::bindings;
use super::{GraphDocument, costs, network, wording};

/// Neighbours that are told; further ones are counted in a property.
const MOST_NEIGHBOURS: usize = 500;

/// All about one element. `base` is what the graph is compared with.
pub(crate) fn element(
    document: &GraphDocument,
    base: Option<&Arc<GraphDocument>>,
    params: &GraphElementParams,
) -> Result<Reply<GraphElementResult>, ProtocolError> {
    let element = document.element(params.element)?;
    let program = &document.program;
    let at = bindings(&params.show.symbols);
    let times = times(document, element);
    let (each, whole) = costs_of_element(document, element, &at);
    let kind = match element {
        Element::Edge(..) | Element::Transition(..) => None,
        _ => Some(wording::kind(program, element)),
    };
    let label = match kind {
        Some(_) => wording::label(program, element),
        None => match wording::edge_label(document, element) {
            label if label.is_empty() => "order".to_owned(),
            label => label,
        },
    };
    let path = program.containers_of(element).into_iter().map(|around| GraphStep {
        element: document.outline.number(around),
        label: wording::label(program, around),
        kind: wording::kind(program, around),
    });
    let mut neighbours = neighbours(document, element, &at);
    let mut properties = properties(document, element);
    if neighbours.len() > MOST_NEIGHBOURS {
        properties.push(property("edges", neighbours.len().to_string()));
        neighbours.truncate(MOST_NEIGHBOURS);
    }
    let base = base.and_then(|base| {
        let partner = document.partners(base).get(element)?;
        Some(costs_of_element(base, partner, &at).1)
    });
    Ok(Reply::from(GraphElementResult {
        id: program.id_of(element).to_string(),
        kind,
        label,
        path: path.collect(),
        properties,
        each,
        whole,
        times: match times {
            Some(times) => {
                document.teller(&at).of_expr("times", "", &times, doubt(document, element))
            }
            None => costs::unknown("times", "", "not known"),
        },
        base: base.unwrap_or_default(),
        measured: document.measured_costs(element),
        code: code(document, element),
        source: wording::source(program, element),
        neighbours,
    }))
}

/// What an element costs; nothing for edges.
pub(super) fn cost(document: &GraphDocument, element: Element) -> Option<Cost> {
    let (program, costs) = (&document.program, &document.costs);
    match element {
        Element::Region(region) => Some(costs.regions[region.place()].clone()),
        Element::Block(region, block) => match &program.region(region).block(block).kind {
            BlockKind::State(state) => Some(costs.states[state.place()].clone()),
            BlockKind::Region(inner) => Some(costs.regions[inner.place()].clone()),
            BlockKind::Conditional { .. } => {
                costs.differing.conditionals.get(&(region, block)).map(|one| one.each.clone())
            }
            _ => None,
        },
        Element::Node(state, node) => Some(costs.nodes[state.place()][node.place()].clone()),
        Element::Edge(..) | Element::Transition(..) => None,
    }
}

/// How often an element is reached in the whole run.
pub(super) fn times(document: &GraphDocument, element: Element) -> Option<Expr> {
    let (program, times) = (&document.program, &document.costs.times);
    let conditionals = &document.costs.differing.conditionals;
    match element {
        Element::Region(region) => times.regions[region.place()].clone(),
        Element::Block(region, block) => match &program.region(region).block(block).kind {
            BlockKind::State(state) => times.states[state.place()].clone(),
            BlockKind::Region(inner) => times.regions[inner.place()].clone(),
            BlockKind::Conditional { .. } => {
                conditionals.get(&(region, block)).and_then(|one| one.times.clone())
            }
            _ => None,
        },
        Element::Node(state, node) => times.of_node(program, state, node).cloned(),
        Element::Edge(state, edge) => {
            let source = program.state(state).edges[edge.place()].source;
            times.inside(state, program.state(state).scope_behind(source)).cloned()
        }
        Element::Transition(..) => None,
    }
}

/// Each time and in the whole run.
fn costs_of_element(
    document: &GraphDocument,
    element: Element,
    at: &Bindings,
) -> (Vec<GraphCost>, Vec<GraphCost>) {
    let teller = document.teller(at);
    if let Element::Edge(state, edge) = element {
        if document.program.state(state).edges[edge.place()].binds_view() {
            let note = "nothing moves: the edge says which data a view is of";
            return (vec![costs::unknown("movement", "bytes", note)], vec![]);
        }
        let Some(movement) = &document.costs.edges[state.place()][edge.place()] else {
            return (vec![], vec![]);
        };
        let whole = document.costs.edge_in_all(&document.program, state, edge);
        let mut whole = whole.map(|whole| teller.movement(&whole)).unwrap_or_default();
        if let Some(excess) = doubt(document, element) {
            whole.iter_mut().for_each(|cost| costs::limit(cost, excess));
        }
        return (teller.movement(movement), whole);
    }
    let Some(cost) = cost(document, element) else { return (vec![], vec![]) };
    let distinct = distinct(document, element);
    let mut each = teller.of_cost(&cost, distinct);
    let mut whole =
        in_all(document, element).map(|whole| teller.of_cost(&whole, None)).unwrap_or_default();
    if let Some((_, container)) = wording::container(&document.program, element) {
        let memory = memory(container, teller);
        // Data at rest computes nothing.
        each = vec![memory.clone(), each.swap_remove(1)];
        if !whole.is_empty() {
            whole = vec![memory, whole.swap_remove(1)];
        }
    }
    if let Some(excess) = doubt(document, element) {
        whole.iter_mut().for_each(|cost| costs::limit(cost, excess));
    }
    let [once, in_all] = network::of_node(document, element, at);
    each.extend(once);
    whole.extend(in_all);
    (each, whole)
}

/// Why an element may be reached less often than is told: data decides whether its state runs.
pub(super) fn doubt(document: &GraphDocument, element: Element) -> Option<Excess> {
    let (times, conditionals) = (&document.costs.times, &document.costs.differing.conditionals);
    let is_certain = match element {
        Element::Node(state, _) | Element::Edge(state, _) => times.are_certain[state.place()],
        Element::Block(region, block) => match document.program.region(region).block(block).kind {
            BlockKind::State(state) => times.are_certain[state.place()],
            BlockKind::Region(inner) => times.regions_are_certain[inner.place()],
            _ => conditionals.get(&(region, block)).is_none_or(|one| one.is_certain),
        },
        Element::Region(region) => times.regions_are_certain[region.place()],
        Element::Transition(..) => true,
    };
    (!is_certain).then_some(Excess::DataDecides)
}

impl GraphDocument {
    /// Whether an expression has another value each time: it depends on what is set while the program
    /// runs.
    pub(super) fn changes_inside(&self, expr: &Expr) -> bool {
        let symbols = self.plan.free_symbols().iter();
        let mut inside = symbols.filter(|symbol| symbol.kind == SymbolKind::Inside);
        inside.any(|symbol| expr.symbols().contains(&*symbol.name))
    }
}

/// Distinct bytes of an element, each time that it is reached.
pub(super) fn distinct(document: &GraphDocument, element: Element) -> Option<&Amount> {
    let (program, distinct) = (&document.program, &document.costs.distinct);
    match element {
        Element::Region(region) => Some(&distinct.regions[region.place()]),
        Element::Block(region, block) => match &program.region(region).block(block).kind {
            BlockKind::State(state) => Some(&distinct.states[state.place()]),
            BlockKind::Region(inner) => Some(&distinct.regions[inner.place()]),
            _ => None,
        },
        Element::Node(state, node) => Some(&distinct.nodes[state.place()][node.place()]),
        Element::Edge(..) | Element::Transition(..) => None,
    }
}

/// What an element costs in the whole run; nothing for edges.
pub(super) fn in_all(document: &GraphDocument, element: Element) -> Option<Cost> {
    let (program, costs) = (&document.program, &document.costs);
    match element {
        Element::Region(region) => costs.region_in_all(region),
        Element::Block(region, block) => match &program.region(region).block(block).kind {
            BlockKind::State(state) => costs.state_in_all(*state),
            BlockKind::Region(inner) => costs.region_in_all(*inner),
            BlockKind::Conditional { .. } => costs
                .differing
                .conditionals
                .get(&(region, block))
                .and_then(|one| one.in_all.clone()),
            _ => None,
        },
        Element::Node(state, node) => costs.node_in_all(program, state, node),
        Element::Edge(..) | Element::Transition(..) => None,
    }
}

fn memory(container: &Container, teller: Teller<'_>) -> GraphCost {
    let elements = match &container.total_size {
        Some(size) => Ok((**size).clone()),
        None => container.element_count(),
    };
    let size = container.element.size.map(i128::from);
    let bytes = elements.and_then(|elements| match size {
        Some(size) => elements.times(&Expr::integer(size)),
        None => Err(TooLarge),
    });
    match (bytes, size) {
        (Ok(bytes), _) => teller.of_expr("memory", "bytes", &bytes, None),
        (Err(_), None) => costs::unknown("memory", "bytes", "the size of an element is not known"),
        (Err(error), Some(_)) => costs::unknown("memory", "bytes", &error.to_string()),
    }
}

fn property(name: &str, value: impl Into<String>) -> GraphProperty {
    GraphProperty { name: name.to_owned(), value: value.into() }
}

/// What a file says of an element.
fn properties(document: &GraphDocument, element: Element) -> Vec<GraphProperty> {
    let program = &document.program;
    let container = wording::container(program, element);
    let mut all = container.map_or_else(Vec::new, |(_, container)| container_properties(container));
    all.extend(match element {
        Element::Region(region) => {
            vec![property("blocks", program.region(region).blocks.len().to_string())]
        }
        Element::Block(region, block) => {
            block_properties(program, &program.region(region).block(block).kind)
        }
        Element::Node(state, node) => node_properties(&program.state(state).nodes[node.place()]),
        Element::Edge(state, edge) => edge_properties(&program.state(state).edges[edge.place()]),
        Element::Transition(region, edge) => {
            let edge = &program.region(region).edges[edge.place()];
            let condition = edge.condition.iter();
            let condition = condition.map(|condition| property("condition", condition.to_string()));
            let assignments = edge.assignments.iter();
            condition
                .chain(assignments.map(|(name, value)| property(name, value.to_string())))
                .collect()
        }
    });
    all
}

fn list(all: &[Arc<Expr>]) -> String {
    let all: Vec<String> = all.iter().map(|one| one.to_string()).collect();
    format!("[{}]", all.join(", "))
}

fn container_properties(container: &Container) -> Vec<GraphProperty> {
    let mut all = vec![
        property("container", wording::container_kind(container)),
        property("type", &*container.element.name),
        property("shape", list(&container.shape)),
    ];
    if !container.strides.is_empty() {
        all.push(property("strides", list(&container.strides)));
    }
    if container.offset.iter().any(|offset| !offset.is_zero()) {
        all.push(property("offset", list(&container.offset)));
    }
    if let Some(size) = &container.total_size {
        all.push(property("allocated elements", size.to_string()));
    }
    if container.alignment != 0 {
        all.push(property("alignment", format!("{} bytes", container.alignment)));
    }
    all.push(property("storage", &*container.storage));
    let lives = if container.is_transient { "in the graph only" } else { "an argument" };
    all.push(property("lifetime", lives));
    for (name, member) in &container.members {
        let member = format!("{} {}", member.element.name, list(&member.shape));
        all.push(property(&format!("member {name}"), member));
    }
    all
}

fn block_properties(program: &Program, kind: &BlockKind) -> Vec<GraphProperty> {
    match kind {
        BlockKind::State(state) => {
            let state = program.state(*state);
            vec![
                property("nodes", state.nodes.len().to_string()),
                property("edges", state.edges.len().to_string()),
            ]
        }
        BlockKind::Region(inner) => {
            let RegionKind::Loop(header) = &program.region(*inner).kind else { return vec![] };
            let parts = [
                ("begins", &header.init),
                ("continues while", &header.condition),
                ("each time", &header.update),
            ];
            let parts = parts.into_iter().filter_map(|(name, code)| {
                Some(property(name, wording::one_line(&code.as_ref()?.text)))
            });
            parts.collect()
        }
        _ => vec![],
    }
}

fn node_properties(node: &Node) -> Vec<GraphProperty> {
    let mut all = vec![];
    match &node.kind {
        NodeKind::MapEntry(map) => {
            all.push(property("range", wording::map_range(map)));
            if let Some(schedule) = &map.schedule {
                all.push(property("schedule", &**schedule));
            }
        }
        NodeKind::ConsumeEntry(consume) => {
            all.push(property("element", &*consume.element));
            all.push(property("elements", consume.element_count.to_string()));
        }
        NodeKind::Nested { symbol_mapping, .. } => {
            for (name, value) in symbol_mapping {
                all.push(property(&format!("symbol {name}"), value.to_string()));
            }
        }
        NodeKind::Library(library) => {
            all.push(property("class", library.class_path.clone()));
            if let Some(wcr) = &library.wcr {
                all.push(property("combines", wcr.clone()));
            }
        }
        NodeKind::Opaque(name) => all.push(property("unknown kind", name.clone())),
        _ => {}
    }
    if let Some(guid) = &node.guid {
        all.push(property("guid", &**guid));
    }
    all
}

fn edge_properties(edge: &Edge) -> Vec<GraphProperty> {
    let mut all = vec![];
    if let Some(memlet) = &edge.memlet {
        all.push(property("data", &*memlet.data));
        if let Some(subset) = &memlet.subset {
            all.push(property("subset", wording::subset(subset)));
        }
        if let Some(subset) = &memlet.other_subset {
            all.push(property("other subset", wording::subset(subset)));
        }
        all.push(property("volume", memlet.volume.to_string()));
        if memlet.is_dynamic {
            all.push(property("dynamic", "yes"));
        }
        if let Some(wcr) = &memlet.wcr {
            all.push(property("combines", &**wcr));
        }
    }
    let ends =
        [("from connector", &edge.source_connector), ("to connector", &edge.target_connector)];
    all.extend(ends.into_iter().filter_map(|(name, end)| Some(property(name, &**end.as_ref()?))));
    all
}

fn code(document: &GraphDocument, element: Element) -> Option<GraphCode> {
    let Element::Node(state, node) = element else { return None };
    let NodeKind::Tasklet(code) = &document.program.state(state).nodes[node.place()].kind else {
        return None;
    };
    let language = match &code.language {
        Language::Python => "Python",
        Language::Cpp => "C++",
        Language::Other(name) => name,
    };
    Some(GraphCode { language: language.to_owned(), text: code.text.clone() })
}

fn neighbours(document: &GraphDocument, element: Element, at: &Bindings) -> Vec<GraphNeighbour> {
    let teller = document.teller(at);
    let program = &document.program;
    let number = |element: Element| document.outline.number(element);
    let of_edge = |state: StateIndex, edge: EdgeIndex, other: NodeIndex, comes_in: bool| {
        let element = Element::Edge(state, edge);
        let other = Element::Node(state, other);
        let memlet = program.state(state).edges[edge.place()].memlet.as_deref();
        let movement = document.costs.edges[state.place()][edge.place()].as_ref();
        GraphNeighbour {
            comes_in,
            edge: number(element),
            other: number(other),
            label: wording::label(program, other),
            data: memlet.map(wording::memlet).unwrap_or_default(),
            movement: movement.map(|movement| {
                teller.of_expr("movement", "bytes", &movement.bytes, movement.excess)
            }),
        }
    };
    let of_transition = |(edge, other, comes_in): (Element, Element, bool)| GraphNeighbour {
        comes_in,
        edge: number(edge),
        other: number(other),
        label: wording::label(program, other),
        data: wording::edge_label(document, edge),
        movement: None,
    };
    match element {
        Element::Node(state, node) => {
            let mut found = vec![];
            for (index, edge) in (0..).map(EdgeIndex).zip(&program.state(state).edges) {
                if edge.target == node {
                    found.push(of_edge(state, index, edge.source, true));
                }
                if edge.source == node {
                    found.push(of_edge(state, index, edge.target, false));
                }
            }
            found
        }
        Element::Edge(state, index) => {
            let edge = &program.state(state).edges[index.place()];
            vec![
                of_edge(state, index, edge.source, true),
                of_edge(state, index, edge.target, false),
            ]
        }
        Element::Block(region, block) => {
            let edges = program.region(region).edges.iter().enumerate();
            let ends = edges.flat_map(|(index, edge)| {
                let element = Element::Transition(region, EdgeIndex(index as u32));
                [(edge.target, edge.source, true), (edge.source, edge.target, false)]
                    .into_iter()
                    .filter(|&(mine, ..)| mine == block)
                    .map(move |(_, other, comes_in)| {
                        (element, Element::Block(region, other), comes_in)
                    })
            });
            ends.map(of_transition).collect()
        }
        Element::Transition(region, index) => {
            let edge = &program.region(region).edges[index.place()];
            [(edge.source, true), (edge.target, false)]
                .map(|(block, comes_in)| {
                    of_transition((element, Element::Block(region, block), comes_in))
                })
                .into()
        }
        Element::Region(_) => vec![],
    }
}
