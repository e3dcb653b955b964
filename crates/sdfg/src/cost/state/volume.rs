//! What edges move by their own memlets.

use super::node::is_opaque;
use super::passage::far_end;
use crate::cost::certainty::Excess;
use crate::cost::context::Context;
use crate::cost::known::Known;
use crate::cost::report::Report;
use crate::cost::symbols::Symbols;
use crate::cost::unknown::Unknown;
use crate::expr::{Expr, Facts, TooLarge};
use crate::model::{ContainerKind, Edge, Graph, Memlet, NodeIndex, NodeKind, State, StateIndex};

/// Elements and bytes, and why they may be less.
#[derive(Clone)]
pub(super) struct Volume {
    pub(super) elements: Expr,
    pub(super) bytes: Expr,
    pub(super) excess: Option<Excess>,
}

/// As the file has it.
pub(super) fn declared_volume(
    context: &mut Context<'_, '_>,
    index: StateIndex,
    edge: &Edge,
    memlet: &Memlet,
) -> Volume {
    let (known, report) = (context.known, &mut *context.report);
    let unbounded = memlet.is_dynamic && memlet.volume.is_zero();
    let excess = if unbounded {
        Some(Excess::Unbounded)
    } else {
        memlet.is_dynamic.then_some(Excess::DataDecides)
    };
    let name = format!("{}_elements", memlet.data);
    let place = format!("{index:?} {:?} {:?}", edge.source, edge.target);
    let elements = if !known.rules.is_exact() {
        (*memlet.volume).clone()
    } else if hands_on_unseen(known, index, edge, memlet) {
        let why = "code passes it to an unknown function";
        report.unknown_of(&name, &place, Unknown::count(why))
    } else if !memlet.is_dynamic && is_copy(known.program.state(index), edge) {
        // How much is copied the part says; a volume may be about that.
        report.or_unknown(copied_elements(&known.facts, memlet), &name)
    } else if unbounded {
        let most = copied(known, context.symbols, index, edge, memlet);
        let why = "data decides how many elements move";
        report.unknown_of(&name, &place, Unknown::count(why).at_most(most))
    } else {
        report.or_unknown(not_less_than_none(&known.facts, memlet), &name)
    };
    let bytes = bytes(report, known.program.graph_of(index), memlet, &elements);
    let bytes = report.or_unknown(bytes, &format!("{}_bytes", memlet.data));
    Volume { elements, bytes, excess }
}

/// Whether code gets more than one element to hand on to what may do anything with them.
fn hands_on_unseen(known: &Known<'_>, index: StateIndex, edge: &Edge, memlet: &Memlet) -> bool {
    let state = known.program.state(index);
    // A part that moves as one is a pointer to it.
    let part = memlet.subset.as_ref().filter(|subset| !subset.is_union());
    let is_one = *memlet.volume == Expr::integer(1)
        && part
            .is_none_or(|part| part.element_count().is_ok_and(|count| count == Expr::integer(1)));
    !is_one
        && [edge.source, edge.target]
            .into_iter()
            .any(|node| is_opaque(known.rules, &state.nodes[node.place()]))
}

/// Elements of the part that a copy is of.
fn copied_elements(facts: &Facts, memlet: &Memlet) -> Result<Expr, TooLarge> {
    match &memlet.subset {
        Some(subset) if !subset.is_union() => {
            let sizes = subset.dimensions.iter();
            let sizes = sizes.map(|one| facts.at_least_zero(&one.count()?));
            sizes.into_iter().try_fold(Expr::integer(1), |all, size| all.times(&size?))
        }
        _ => not_less_than_none(facts, memlet),
    }
}

/// The volume, which is none where a size is below what a stencil needs: of a part without indices
/// nothing moves.
fn not_less_than_none(facts: &Facts, memlet: &Memlet) -> Result<Expr, TooLarge> {
    let whole = match &memlet.subset {
        Some(subset) if !subset.is_union() => subset.element_count()? == *memlet.volume,
        _ => false,
    };
    let (Some(subset), true) = (&memlet.subset, whole) else {
        return facts.at_least_zero(&memlet.volume);
    };
    // Tiles that are cut count as what is left of them.
    let sizes = subset.dimensions.iter().map(|one| facts.at_least_zero(&one.count()?));
    sizes.into_iter().try_fold(Expr::integer(1), |all, size| all.times(&size?))
}

/// The most elements that an edge between two containers moves: each once. Code and scopes may
/// want an element again and again, and a stream holds any number over time.
fn copied(
    known: &Known<'_>,
    symbols: &Symbols,
    index: StateIndex,
    edge: &Edge,
    memlet: &Memlet,
) -> Option<Expr> {
    let (state, graph) = (known.program.state(index), known.program.graph_of(index));
    let holds_each_once = |node: NodeIndex| {
        let NodeKind::Access { data } = &state.nodes[node.place()].kind else { return false };
        let container = graph.containers.get(data);
        container.is_some_and(|container| container.kind != ContainerKind::Stream)
    };
    let adds_up = memlet.wcr.is_some();
    if adds_up || !holds_each_once(edge.source) || !holds_each_once(edge.target) {
        return None;
    }
    let elements = match &memlet.subset {
        Some(subset) if !subset.is_union() => subset.element_count().ok()?,
        _ => graph.containers.get(&memlet.data)?.element_count().ok()?,
    };
    let graph = known.program.region(state.region).graph;
    symbols.resolved_in_outermost(&elements, graph).ok()
}

fn bytes(
    report: &mut Report,
    graph: &Graph,
    memlet: &Memlet,
    elements: &Expr,
) -> Result<Expr, TooLarge> {
    let mut names = memlet.data.split('.');
    let mut container = names.next().and_then(|name| graph.containers.get(name));
    for member in names {
        container = container.and_then(|container| {
            let mut members = container.members.iter();
            members.find(|(name, _)| **name == *member).map(|(_, container)| container)
        });
    }
    elements.times(&report.element_bytes(container, &memlet.data))
}

/// Whether an edge copies from one container to another, neither of which is a stream's.
fn is_copy(state: &State, edge: &Edge) -> bool {
    let is_access =
        |node: NodeIndex| matches!(state.nodes[node.place()].kind, NodeKind::Access { .. });
    (is_access(edge.source) || is_access(edge.target))
        && edge.memlet.as_ref().is_some_and(|memlet| memlet.wcr.is_none())
        && far_end(state, edge, true).is_some()
        && far_end(state, edge, false).is_some()
}
