//! Paths of nodes: the heaviest, and that of keys.

use protocol::{LocateParams, LocateResult, NodeParams, NodesResult, ProtocolError, Reply};

use super::nodes::{node_name, node_of};
use crate::kinds::profile::convert;
use crate::kinds::profile::trees::views::view_of;
use crate::{ProfileDocument, lock};

/// The heaviest path below a node.
pub(crate) fn hottest_path(
    document: &ProfileDocument,
    params: &NodeParams,
) -> Result<Reply<NodesResult>, ProtocolError> {
    let view = view_of(document, &params.view)?;
    let mut tree = lock(&view.tree);
    let node = node_of(&view, &tree, params.instance, params.node)?;
    let nodes = tree.hottest_path(node).into_iter().map(|node| node.0).collect();
    Ok(Reply::from(NodesResult { instance: view.instance, nodes }))
}

/// The node of a path of keys.
pub(crate) fn locate(
    document: &ProfileDocument,
    params: &LocateParams,
) -> Result<Reply<LocateResult>, ProtocolError> {
    let view = view_of(document, &params.view)?;
    let mut tree = lock(&view.tree);
    let nodes = tree.locate(&convert::path(&params.path));
    let nodes = nodes.into_iter().map(|node| node_name(&tree, node)).collect();
    Ok(Reply::from(LocateResult { instance: view.instance, nodes }))
}
