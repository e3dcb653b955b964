//! What several elements cost together.

use std::collections::HashSet;

use protocol::{ErrorCode, GraphSumParams, GraphSumResult, ProtocolError, Reply};
use sdfg::cost::{Amount, AtMost, Cost, Excess, Movement};
use sdfg::expr::TooLarge;
use sdfg::model::{EdgeIndex, NodeKind, Program, StateIndex};
use sdfg::outline::Element;

use super::overlay::bindings;
use super::{GraphDocument, element, search};

/// Most elements in a sum.
const MOST: usize = 1000;

/// Adds up what elements cost in the whole run. What is in another one, or is an edge of it, is in
/// its costs already.
pub(crate) fn sum(
    document: &GraphDocument,
    params: &GraphSumParams,
) -> Result<Reply<GraphSumResult>, ProtocolError> {
    if params.elements.len() > MOST {
        let message = format!("at most {MOST} elements are added up");
        return Err(ProtocolError::new(ErrorCode::Limit, message));
    }
    let mut asked = vec![];
    for &number in &params.elements {
        let element = document.element(number)?;
        if !asked.contains(&element) {
            asked.push(element);
        }
    }
    let program = &document.program;
    let boxes: HashSet<Element> = asked.iter().copied().filter(is_box).collect();
    let is_inside = |element: Element| {
        program.containers_of(element).iter().any(|around| boxes.contains(around))
            || ends(program, element).iter().any(|end| boxes.contains(end))
    };
    let mut sum = Sum::default();
    let (mut counted, mut left_out) = (vec![], vec![]);
    for element in asked {
        let told = search::described(document, element);
        if is_inside(element) || !sum.add(document, element).map_err(too_long)? {
            left_out.push(told);
        } else {
            counted.push(told);
        }
    }
    let at = bindings(&params.symbols);
    let mut whole = document.teller(&at).of_cost(&sum.cost, sum.distinct.as_ref());
    // The longest chain of several is not the sum of theirs.
    whole.retain(|cost| !matches!(&*cost.name, "depth" | "parallelism"));
    Ok(Reply::from(GraphSumResult { counted, left_out, whole }))
}

fn too_long(_: TooLarge) -> ProtocolError {
    ProtocolError::new(ErrorCode::Limit, "the sum of these elements is too long to show")
}

/// Whether an element has something in it or at it, rather than being an edge.
fn is_box(element: &Element) -> bool {
    !matches!(element, Element::Edge(..) | Element::Transition(..))
}

/// The nodes that an edge joins; of the end of a scope its beginning.
fn ends(program: &Program, element: Element) -> Vec<Element> {
    let Element::Edge(state, edge) = element else { return vec![] };
    let nodes = program.state(state);
    let edge = &nodes.edges[edge.place()];
    let ends = [edge.source, edge.target].into_iter();
    let whole = ends.map(|node| match nodes.nodes[node.place()].kind {
        NodeKind::MapExit | NodeKind::ConsumeExit => {
            nodes.nodes[node.place()].scope.unwrap_or(node)
        }
        _ => node,
    });
    whole.map(|node| Element::Node(state, node)).collect()
}

#[derive(Default)]
struct Sum {
    cost: Cost,
    /// None once it is not known of one.
    distinct: Option<Amount>,
    count: usize,
    edges: HashSet<(StateIndex, EdgeIndex)>,
    /// States of nodes and edges.
    graphs: HashSet<StateIndex>,
    has_edge: bool,
}

impl Sum {
    /// Adds an element; whether it has costs.
    fn add(&mut self, document: &GraphDocument, element: Element) -> Result<bool, TooLarge> {
        let Some(mut cost) = cost(document, element) else { return Ok(false) };
        if let Some(excess) = element::doubt(document, element) {
            let AtMost { work, depth, moved } = &mut cost.at_most;
            for part in [work, depth, moved] {
                part.get_or_insert(excess);
            }
        }
        self.cost = self.cost.plus(&cost)?;
        self.distinct = match (self.count, self.distinct.take(), distinct(document, element)) {
            (0, _, one) => one,
            // What several of them access counts for each.
            (_, Some(all), Some(one)) => Some(Amount {
                bytes: all.bytes.plus(&one.bytes)?,
                excess: all.excess.or(one.excess).or(Some(Excess::Overlap)),
            }),
            _ => None,
        };
        self.count += 1;
        // An edge from one to the other moves once, and is in the costs of both. So are an edge and
        // what goes on from it in a scope or in an inner graph.
        let own = edges(&document.program, element);
        self.has_edge |= matches!(element, Element::Edge(..));
        self.graphs.extend(own.iter().map(|(state, _)| *state));
        let mut is_shared = self.count > 1 && (self.has_edge || self.graphs.len() > 1);
        for edge in own {
            is_shared |= !self.edges.insert(edge);
        }
        if is_shared {
            self.cost.at_most.moved = self.cost.at_most.moved.or(Some(Excess::Overlap));
        }
        Ok(true)
    }
}

/// What an element costs in the whole run.
fn cost(document: &GraphDocument, element: Element) -> Option<Cost> {
    let Element::Edge(state, edge) = element else { return element::in_all(document, element) };
    let program = &document.program;
    if program.state(state).edges[edge.place()].binds_view() {
        return None;
    }
    let Movement { bytes, excess, .. } = document.costs.edge_in_all(program, state, edge)?;
    let mut cost = Cost { moved: bytes, ..Cost::default() };
    cost.at_most.moved = excess;
    Some(cost)
}

/// What has to move if each time that it is reached every element of data moves once.
fn distinct(document: &GraphDocument, element: Element) -> Option<Amount> {
    let Amount { bytes, excess } = element::distinct(document, element)?;
    if document.changes_inside(bytes) {
        // Not the same each time.
        return None;
    }
    let bytes = bytes.times(&element::times(document, element)?).ok()?;
    Some(Amount { bytes, excess: *excess })
}

/// The edges whose movement is an element's own.
fn edges(program: &Program, element: Element) -> Vec<(StateIndex, EdgeIndex)> {
    let all = |state: StateIndex| {
        let edges = 0..program.state(state).edges.len() as u32;
        edges.map(move |edge| (state, EdgeIndex(edge)))
    };
    match element {
        Element::Edge(state, edge) => vec![(state, edge)],
        Element::Node(state, _) => all(state)
            .filter(|&(state, edge)| ends(program, Element::Edge(state, edge)).contains(&element))
            .collect(),
        _ => vec![],
    }
}
