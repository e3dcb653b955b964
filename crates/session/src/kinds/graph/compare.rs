//! Two graphs side by side.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use protocol::{
    ComparedCost, ComparedElement, GraphCompareParams, GraphCompareResult, GraphCost,
    ProtocolError, Reply,
};
use sdfg::compare::Comparison;
use sdfg::expr::{Bindings, Expr};
use sdfg::outline::Element;

use super::costs::Teller;
use super::overlay::bindings;
use super::{GraphDocument, element, search};
use crate::kept::Question;

/// Elements of a list that are told; the list's count tells of the others.
const MOST_ELEMENTS: usize = 1000;

/// A graph and the one before it, with what belongs together.
#[derive(Debug)]
pub(super) struct Partners {
    comparison: Comparison,
    /// By element of the graph, the element of the one before it.
    base_of: HashMap<Element, Element>,
}

/// Partners in the graph at an address, which the answer keeps from becoming that of another one.
#[derive(PartialEq, Eq, Hash)]
struct PartnersIn(usize);

impl Question for PartnersIn {
    type Answer = (Weak<GraphDocument>, Arc<Partners>);
    const KEPT: usize = 1;
}

impl Partners {
    /// The element of the other graph that an element is the same as.
    pub(super) fn get(&self, element: Element) -> Option<Element> {
        self.base_of.get(&element).copied()
    }

    fn new(base: &GraphDocument, new: &GraphDocument) -> Partners {
        let comparison = Comparison::new((&base.program, &base.costs), (&new.program, &new.costs));
        let block = |(region, block)| Element::Block(region, block);
        let node = |(state, node)| Element::Node(state, node);
        let edge = |(state, edge)| Element::Edge(state, edge);
        let mut base_of = HashMap::new();
        base_of.extend(comparison.blocks.both.iter().map(|m| (block(m.at.new), block(m.at.base))));
        base_of.extend(comparison.nodes.both.iter().map(|m| (node(m.at.new), node(m.at.base))));
        base_of.extend(comparison.edges.both.iter().map(|m| (edge(m.at.new), edge(m.at.base))));
        if let (Some(base), Some(new)) = (base.program.root(), new.program.root()) {
            base_of.insert(Element::Region(new.region), Element::Region(base.region));
        }
        Partners { comparison, base_of }
    }
}

impl GraphDocument {
    /// What belongs together in this graph and the one before it.
    pub(super) fn partners(&self, base: &Arc<GraphDocument>) -> Arc<Partners> {
        let partners = self.kept().made(PartnersIn(Arc::as_ptr(base).addr()), || {
            (Arc::downgrade(base), Arc::new(Partners::new(base, self)))
        });
        partners.1.clone()
    }
}

/// Two graphs side by side.
pub(crate) fn compare(
    document: &GraphDocument,
    base: &Arc<GraphDocument>,
    params: &GraphCompareParams,
) -> Result<Reply<GraphCompareResult>, ProtocolError> {
    let at = bindings(&params.symbols);
    let (before, after) = (base.teller(&at), document.teller(&at));
    let partners = document.partners(base);
    let Comparison { total, containers, blocks, nodes, edges } = &partners.comparison;
    let block = |&(region, block): &(_, _)| Element::Block(region, block);
    let node = |&(state, node): &(_, _)| Element::Node(state, node);
    let edge = |&(state, edge): &(_, _)| Element::Edge(state, edge);
    let differing = |m: &(Element, Element, bool)| m.2.then_some((m.0, m.1));
    let changed = blocks.both.iter().map(|m| (block(&m.at.base), block(&m.at.new), m.differs));
    let changed = changed
        .chain(nodes.both.iter().map(|m| (node(&m.at.base), node(&m.at.new), m.differs)))
        .chain(edges.both.iter().map(|m| (edge(&m.at.base), edge(&m.at.new), m.differs)));
    let changed: Vec<(Element, Element)> = changed.filter_map(|m| differing(&m)).collect();
    let removed = blocks.only_base.iter().map(block).chain(nodes.only_base.iter().map(node));
    let removed: Vec<Element> = removed.chain(edges.only_base.iter().map(edge)).collect();
    let added = blocks.only_new.iter().map(block).chain(nodes.only_new.iter().map(node));
    let added: Vec<Element> = added.chain(edges.only_new.iter().map(edge)).collect();
    let matched = blocks.both.len() + nodes.both.len() + edges.both.len();
    let told = |of: &GraphDocument, elements: &[Element]| {
        elements.iter().take(MOST_ELEMENTS).map(|&one| search::described(of, one)).collect()
    };
    let mut by_container: Vec<ComparedCost> = containers
        .iter()
        .map(|(name, sides)| {
            let one = |expr: &Option<Expr>, teller: Teller<'_>| {
                expr.as_ref().map(|expr| teller.of_expr("movement", "bytes", expr, None))
            };
            compared(name, one(&sides.base, before), one(&sides.new, after))
        })
        .collect();
    let change =
        |cost: &ComparedCost| (cost.new.unwrap_or_default() - cost.base.unwrap_or_default()).abs();
    by_container.sort_by(|a, b| change(b).total_cmp(&change(a)).then_with(|| a.name.cmp(&b.name)));
    Ok(Reply::from(GraphCompareResult {
        totals: paired(
            before.of_cost(&total.base, Some(&base.costs.distinct.total)),
            after.of_cost(&total.new, Some(&document.costs.distinct.total)),
        ),
        containers: by_container,
        changed: changed
            .iter()
            .take(MOST_ELEMENTS)
            .map(|&(in_base, in_new)| ComparedElement {
                new: search::described(document, in_new),
                base: base.outline.number(in_base),
                costs: changed_costs((base, in_base), (document, in_new), &at),
            })
            .collect(),
        changed_count: changed.len() as f64,
        matched: matched as f64,
        removed: told(base, &removed),
        removed_count: removed.len() as f64,
        added: told(document, &added),
        added_count: added.len() as f64,
    }))
}

fn paired(base: Vec<GraphCost>, new: Vec<GraphCost>) -> Vec<ComparedCost> {
    let both = base.into_iter().zip(new);
    both.map(|(base, new)| compared(&base.name.clone(), Some(base), Some(new))).collect()
}

/// The costs of an element that differ.
fn changed_costs(
    (base, before): (&GraphDocument, Element),
    (new, after): (&GraphDocument, Element),
    at: &Bindings,
) -> Vec<ComparedCost> {
    let all = match (before, after) {
        (Element::Edge(a_state, a_edge), Element::Edge(b_state, b_edge)) => {
            let a = base.costs.edges[a_state.place()][a_edge.place()].as_ref();
            let b = new.costs.edges[b_state.place()][b_edge.place()].as_ref();
            let told =
                |of: &GraphDocument, movement| of.teller(at).movement(movement).into_iter().next();
            let (a, b) = (a.and_then(|a| told(base, a)), b.and_then(|b| told(new, b)));
            vec![compared("movement", a, b)]
        }
        _ => match (element::cost(base, before), element::cost(new, after)) {
            (Some(a), Some(b)) => {
                paired(base.teller(at).of_cost(&a, None), new.teller(at).of_cost(&b, None))
            }
            _ => vec![],
        },
    };
    all.into_iter().filter(|cost| cost.base_expression != cost.new_expression).collect()
}

fn compared(name: &str, base: Option<GraphCost>, new: Option<GraphCost>) -> ComparedCost {
    let side = |cost: Option<GraphCost>| match cost {
        Some(cost) => (cost.value, cost.expression, cost.unit),
        None => (None, String::new(), String::new()),
    };
    let ((base, base_expression, base_unit), (new, new_expression, unit)) = (side(base), side(new));
    ComparedCost {
        name: name.to_owned(),
        unit: if unit.is_empty() { base_unit } else { unit },
        base,
        new,
        base_expression,
        new_expression,
    }
}
