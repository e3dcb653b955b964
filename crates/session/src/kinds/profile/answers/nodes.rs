//! Nodes by their numbers, and their names.

use analysis::{NodeId, Tree};
use profile::MetricId;
use protocol::{ErrorCode, NodeName, ProtocolError, ViewSpec};

use crate::kinds::profile::trees::views::View;

/// The node of a number, if it belongs to this build of the view.
pub(super) fn node_of(
    view: &View,
    tree: &Tree,
    instance: Option<u32>,
    node: u32,
) -> Result<NodeId, ProtocolError> {
    let node = NodeId(node);
    if node == NodeId::ROOT {
        return Ok(node);
    }
    if instance != Some(view.instance) {
        let message = "the view was built anew since its nodes were numbered";
        return Err(ProtocolError::new(ErrorCode::ViewExpired, message));
    }
    if !tree.contains(node) {
        let message = format!("the view has no node {}", node.0);
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    Ok(node)
}

/// Name and place of a node's function, where another one has the same name.
pub(super) fn label_of(tree: &Tree, node: NodeId) -> Option<String> {
    let label = tree.label(node);
    (label != tree.name(node)).then(|| label.into_owned())
}

/// The nodes from the whole program to a node.
pub(super) fn breadcrumb(tree: &Tree, node: NodeId) -> Vec<NodeName> {
    tree.path(node).into_iter().map(|node| node_name(tree, node)).collect()
}

pub(super) fn node_name(tree: &Tree, node: NodeId) -> NodeName {
    NodeName { node: node.0, key: tree.node(node).key.0, name: tree.label(node).into_owned() }
}

/// The view's metric, checked by whoever built the view.
pub(super) fn metric_of(spec: &ViewSpec) -> MetricId {
    MetricId(spec.metric)
}
