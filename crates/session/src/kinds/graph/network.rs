//! What goes over the network.

use protocol::{CostCertainty, GraphBasis, GraphCost, GraphShow};
use sdfg::cost::Certainty;
use sdfg::expr::Bindings;
use sdfg::network::{Communication, Traffic};
use sdfg::outline::Element;

use super::GraphDocument;
use super::costs::Teller;
use super::overlay::bindings;

/// Bytes of payload through the network of a box; no number where it has no node that communicates,
/// or where they are not known.
pub(super) fn value(document: &GraphDocument, element: Element, show: &GraphShow) -> f64 {
    let mut inside = inside(document, element).peekable();
    if inside.peek().is_none() {
        return f64::NAN;
    }
    let at = bindings(&show.symbols);
    let is_node = matches!(element, Element::Node(..));
    // How often what is in a box is reached each time that the box is, is not known.
    let of = |one: &Communication| match show.basis {
        GraphBasis::Each if is_node => one.each.clone(),
        GraphBasis::Each => None,
        GraphBasis::Whole => one.in_all.clone(),
    };
    inside.map(|one| of(one).map_or(f64::NAN, |traffic| bytes(&traffic, &at))).sum()
}

/// The network's part of the totals; none of a graph that does not communicate.
pub(super) fn total(document: &GraphDocument, at: &Bindings) -> Option<GraphCost> {
    let network = &document.network;
    if network.nodes.is_empty() {
        return None;
    }
    let mut traffic_cost = traffic_cost(document.teller(at), &network.total);
    if network.unknown_count > 0 {
        traffic_cost.certainty = CostCertainty::Unknown;
        traffic_cost.note =
            format!("without {} nodes whose payload is not known", network.unknown_count);
    }
    Some(traffic_cost)
}

/// What a node sends and receives, each time and in the whole run.
pub(super) fn of_node(
    document: &GraphDocument,
    element: Element,
    at: &Bindings,
) -> [Option<GraphCost>; 2] {
    let nodes = document.network.nodes.iter();
    let mut own = nodes.filter(|one| Element::Node(one.state, one.node) == element);
    let Some(one) = own.next() else { return [None, None] };
    let teller = document.teller(at);
    [&one.each, &one.in_all].map(|traffic| {
        let unknown = || super::costs::unknown("network", "bytes", "the payload is not known");
        Some(traffic.as_ref().map_or_else(unknown, |traffic| traffic_cost(teller, traffic)))
    })
}

fn traffic_cost(teller: Teller<'_>, traffic: &Traffic) -> GraphCost {
    let excess = match traffic.certainty {
        Certainty::AtMost(excess) => Some(excess),
        Certainty::Exact | Certainty::Unknown => None,
    };
    teller.of_expr("network", "bytes", &traffic.through, excess)
}

/// The nodes that communicate in an element, or which it is.
fn inside(document: &GraphDocument, element: Element) -> impl Iterator<Item = &Communication> {
    document.network.nodes.iter().filter(move |one| {
        let node = Element::Node(one.state, one.node);
        node == element || document.program.containers_of(node).contains(&element)
    })
}

fn bytes(traffic: &Traffic, at: &Bindings) -> f64 {
    traffic.through.evaluate(at).map_or(f64::NAN, |value| value.to_f64())
}
