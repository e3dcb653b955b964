//! Containers of one element that get their value at one place: as symbols do, from other such values,
//! or from an array.

use std::collections::HashMap;
use std::sync::Arc;

use super::known::Known;
use crate::expr::{Expr, parse};
use crate::model::{ContainerKind, Edge, Graph, GraphIndex, Language, NodeIndex, NodeKind, State};

/// What a container of one element holds.
#[derive(Debug, Clone)]
pub(super) enum Held {
    /// This, in symbols and containers of one element.
    Value(Expr),
    /// An element of this container.
    ElementOf(Arc<str>),
}

/// Those of a graph that are written once, outside of scopes, and are not an argument.
pub(super) fn scalars<'p>(known: &Known<'p>, graph: GraphIndex) -> HashMap<&'p str, Held> {
    let program = known.program;
    let containers = program.graph(graph);
    let mut writes: HashMap<&str, Vec<(&State, &Edge)>> = HashMap::new();
    for index in &known.states_of[graph.place()] {
        let state = program.state(*index);
        for edge in state.edges.iter().filter(|edge| edge.memlet.is_some()) {
            if let NodeKind::Access { data } = &state.nodes[edge.target.place()].kind
                && is_one_element(containers, data)
            {
                writes.entry(data).or_default().push((state, edge));
            }
        }
    }
    let only = writes.into_iter().filter_map(|(name, writes)| match writes[..] {
        [(state, edge)] => Some((name, held(containers, state, edge)?)),
        _ => None,
    });
    only.collect()
}

fn is_one_element(graph: &Graph, name: &str) -> bool {
    graph.containers.get(name).is_some_and(|container| {
        let is_one = |size: &Arc<Expr>| **size == Expr::integer(1);
        let kind = matches!(container.kind, ContainerKind::Scalar | ContainerKind::Array);
        kind && container.is_transient && container.shape.iter().all(is_one)
    })
}

fn held(graph: &Graph, state: &State, edge: &Edge) -> Option<Held> {
    let source = &state.nodes[edge.source.place()];
    let is_combined = edge.memlet.as_ref().is_some_and(|memlet| memlet.wcr.is_some());
    if is_combined || source.scope.is_some() {
        return None;
    }
    let of_container = |data: &Arc<str>| {
        if is_one_element(graph, data) {
            Held::Value(Expr::symbol(data))
        } else {
            Held::ElementOf(data.clone())
        }
    };
    match &source.kind {
        NodeKind::Access { data } => Some(of_container(data)),
        NodeKind::Tasklet(code) if code.language == Language::Python => {
            let (name, value) = code.text.trim().split_once('=')?;
            if value.starts_with('=') || Some(name.trim()) != edge.source_connector.as_deref() {
                return None;
            }
            let value = parse(value).ok()?;
            let input = |connector: &str| input_of(state, edge.source, connector);
            if let Some(data) = value.as_symbol().and_then(input) {
                return Some(of_container(data));
            }
            let reads_array = value
                .symbols()
                .into_iter()
                .filter_map(input)
                .any(|data| !is_one_element(graph, data));
            let by = |name: &str| input(name).map(|data| Expr::symbol(data));
            (!reads_array).then(|| value.substituted(&by).ok().map(Held::Value))?
        }
        _ => None,
    }
}

/// The container that a tasklet reads under a name.
fn input_of<'s>(state: &'s State, tasklet: NodeIndex, connector: &str) -> Option<&'s Arc<str>> {
    let mut edges = state.edges.iter().filter(|edge| {
        edge.target == tasklet && edge.target_connector.as_deref() == Some(connector)
    });
    match &state.nodes[edges.next()?.source.place()].kind {
        NodeKind::Access { data } => Some(data),
        _ => None,
    }
}
