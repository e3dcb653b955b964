//! Where edges go through scopes.

use crate::model::{Edge, NodeKind, State};

/// What an edge carries through the entry or the exit of a scope, in or out of it: by the connector, or
/// by the data where it has none. Other connectors decide a range.
pub(crate) fn passage(edge: &Edge, is_in: bool) -> Option<&str> {
    let own = if is_in { &edge.target_connector } else { &edge.source_connector };
    match own {
        Some(own) => own.strip_prefix(if is_in { "IN_" } else { "OUT_" }),
        None => edge.memlet.as_ref().map(|memlet| &*memlet.data),
    }
}

/// The container at the end of an edge's way out of scopes.
pub(in crate::cost) fn far_end<'s>(
    state: &'s State,
    edge: &'s Edge,
    is_source: bool,
) -> Option<&'s str> {
    let mut edge = edge;
    for _ in 0..=state.nodes.len() {
        let node = if is_source { edge.source } else { edge.target };
        let kind = &state.nodes[node.place()].kind;
        if let NodeKind::Access { data } = kind {
            return Some(data);
        }
        if !(if is_source { kind.is_entry() } else { kind.is_exit() }) {
            return None;
        }
        let name = passage(edge, !is_source)?;
        edge = state.edges.iter().find(|next| {
            let at = if is_source { next.target } else { next.source };
            at == node && passage(next, is_source) == Some(name)
        })?;
    }
    None
}
