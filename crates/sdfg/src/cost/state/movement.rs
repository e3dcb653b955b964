//! What edges move: worked out from the innermost edges outwards, or as the file tells it.

use super::nested::inside_nested;
use super::passage::passage;
use super::volume::{Volume, declared_volume};
use crate::cost::adjacency::Adjacency;
use crate::cost::certainty::Excess;
use crate::cost::context::Context;
use crate::cost::costs::Movement;
use crate::cost::found::Flow;
use crate::cost::maps::in_scope_times;
use crate::expr::Expr;
use crate::model::{Edge, EdgeIndex, NodeIndex, NodeKind, State, StateIndex};

/// What each edge of a state moves. The edges of inner graphs are done.
pub(super) fn movements(
    context: &mut Context<'_, '_>,
    (edges, flow): (&[Vec<Option<Movement>>], &Flow),
    index: StateIndex,
    order: &[NodeIndex],
    adjacency: &Adjacency,
) -> Vec<Option<Movement>> {
    let state = context.known.program.state(index);
    let tiles = beside_partial_tiles(state);
    let mut volumes = vec![];
    for (place, edge) in state.edges.iter().enumerate() {
        let volume = edge.memlet.as_deref().map(|memlet| {
            let declared = declared_volume(context, index, edge, memlet);
            let is_partial = tiles[place] && !context.known.rules.is_exact();
            let excess = declared.excess.or(is_partial.then_some(Excess::PartialTiles));
            Volume { excess, ..declared }
        });
        volumes.push(volume);
    }
    let declared_volume: Vec<Option<Expr>> =
        volumes.iter().map(|one| one.as_ref().map(|one| one.elements.clone())).collect();
    if context.known.rules.is_exact() {
        for (place, edge) in state.edges.iter().enumerate() {
            if let (Some(inner), Some(_)) =
                (inside_nested(context, (edges, flow), state, edge), &volumes[place])
            {
                volumes[place] = Some(inner);
            }
        }
        // An inner entry comes later in the order than those around it, an inner exit earlier.
        for &node in order.iter().rev() {
            through_scope(context, index, node, true, adjacency, &mut volumes);
        }
        for &node in order {
            through_scope(context, index, node, false, adjacency, &mut volumes);
        }
    }
    let mut all = vec![];
    for ((edge, volume), declared_volume) in state.edges.iter().zip(volumes).zip(declared_volume) {
        let is_seam = edge.binds_view();
        let is_outermost = state.scope_behind(edge.source).is_none()
            && !(is_seam && context.known.rules.is_exact());
        if is_seam && !is_outermost && volume.is_some() {
            context.report.note("edges that bind a view to its data move nothing");
        }
        all.push(volume.map(|Volume { elements, bytes, excess }| Movement {
            declared_volume: declared_volume.filter(|declared_volume| {
                let plain = elements.without_clamps().ok();
                *declared_volume != elements && Some(declared_volume) != plain.as_ref() && !is_seam
            }),
            elements,
            bytes,
            is_outermost,
            excess,
        }));
    }
    all
}

/// Fills in what goes into an entry or comes out of an exit: what its inner edges of the same
/// connector move, in all iterations.
fn through_scope(
    context: &mut Context<'_, '_>,
    index: StateIndex,
    node: NodeIndex,
    is_entry: bool,
    adjacency: &Adjacency,
    volumes: &mut [Option<Volume>],
) {
    let state = context.known.program.state(index);
    let kind = &state.nodes[node.place()].kind;
    if !(if is_entry { kind.is_entry() } else { kind.is_exit() }) {
        return;
    }
    let entry = if is_entry { Some(node) } else { state.nodes[node.place()].scope };
    let Some(entry) = entry else { return };
    let (incoming, outgoing) =
        (&adjacency.incoming[node.place()], &adjacency.outgoing[node.place()]);
    let (outer, inner) = if is_entry { (incoming, outgoing) } else { (outgoing, incoming) };
    for &edge in outer {
        let one = &state.edges[edge.place()];
        let Some(name) = passage(one, is_entry) else { continue };
        let is_same =
            |inner: &&EdgeIndex| passage(&state.edges[inner.place()], !is_entry) == Some(name);
        let parts: Vec<Volume> = inner
            .iter()
            .filter(is_same)
            .filter_map(|inner| volumes[inner.place()].clone())
            .collect();
        if parts.is_empty() || volumes[edge.place()].is_none() {
            continue;
        }
        let excess = parts.iter().find_map(|part| part.excess);
        let mut sum = |part: fn(&Volume) -> &Expr| {
            let body = Expr::sum(parts.iter().map(|one| part(one).clone()))?;
            in_scope_times(context, &body, index, entry)
        };
        let (elements, bytes) = (sum(|one| &one.elements), sum(|one| &one.bytes));
        let data = one.memlet.as_ref().map_or("", |memlet| &*memlet.data);
        volumes[edge.place()] = Some(Volume {
            elements: context.report.or_unknown(elements, &format!("{data}_elements")),
            bytes: context.report.or_unknown(bytes, &format!("{data}_bytes")),
            excess,
        });
    }
}

/// Edges at a map whose tiles may be partial, and at the scopes around it.
fn beside_partial_tiles(state: &State) -> Vec<bool> {
    let mut is_tiled = vec![false; state.nodes.len()];
    for (place, node) in state.nodes.iter().enumerate() {
        let NodeKind::MapEntry(map) = &node.kind else { continue };
        if !map.has_partial_tiles() {
            continue;
        }
        let mut entry = Some(NodeIndex(place as u32));
        while let Some(one) = entry.filter(|one| !is_tiled[one.place()]) {
            is_tiled[one.place()] = true;
            entry = state.nodes[one.place()].scope;
        }
    }
    let exits_too = |node: NodeIndex| {
        let one = &state.nodes[node.place()];
        let ends = one.kind.is_exit() && one.scope.is_some_and(|entry| is_tiled[entry.place()]);
        is_tiled[node.place()] || ends
    };
    // What a tiled scope moves inside, each time, is exact.
    let is_outside = |edge: &Edge| {
        exits_too(edge.target) && !state.nodes[edge.target.place()].kind.is_exit()
            || exits_too(edge.source) && state.nodes[edge.source.place()].kind.is_exit()
    };
    state.edges.iter().map(is_outside).collect()
}
