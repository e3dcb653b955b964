//! Which container the movement of an edge is counted at.

use std::sync::Arc;

use super::passage::far_end;
use crate::cost::known::Known;
use crate::model::{Edge, NodeIndex, NodeKind, StateIndex};

/// The container whose accesses an edge counts as: an innermost edge at one that lives outside of
/// scopes. What an inner graph accesses is counted in it.
pub(in crate::cost) fn counted(
    known: &Known<'_>,
    index: StateIndex,
    edge: &Edge,
) -> Option<Arc<str>> {
    let memlet = edge.memlet.as_ref()?;
    let state = known.program.state(index);
    let graph = known.program.region(state.region).graph;
    let kind = |node: NodeIndex| &state.nodes[node.place()].kind;
    // An argument that only conditions and assignments read has its edge alone.
    let is_nested = |node: NodeIndex, name: &Option<Arc<str>>| match (kind(node), name) {
        (NodeKind::Nested { graph: Some(graph), .. }, Some(name)) => {
            known.roots.is_accessed(*graph, name)
        }
        (NodeKind::Nested { graph, .. }, None) => graph.is_some(),
        _ => false,
    };
    let begins = |connector: &Option<Arc<str>>, with: &str| {
        connector.as_deref().is_none_or(|name| name.starts_with(with))
    };
    let is_around = kind(edge.target).is_entry() && begins(&edge.target_connector, "IN_")
        || kind(edge.source).is_exit() && begins(&edge.source_connector, "OUT_");
    if edge.binds_view()
        || is_around
        || is_nested(edge.source, &edge.source_connector)
        || is_nested(edge.target, &edge.target_connector)
    {
        return None;
    }
    known
        .roots
        .named_in(graph, index, &memlet.data)
        .or_else(|| known.roots.named_in(graph, index, far_end(state, edge, true)?))
        .or_else(|| known.roots.named_in(graph, index, far_end(state, edge, false)?))
}
