//! One answer a method.

mod advice;
mod bars;
mod boxes;
mod call_graph;
mod details;
mod distribution;
mod estimates;
mod event_bins;
mod events;
mod experiment;
mod export;
mod flame;
mod functions;
mod heat;
mod idle;
mod instructions;
mod lanes;
mod marks;
mod migrations;
mod only;
mod pairs;
mod rows;
mod scatter;
mod search;
mod source_lines;
mod span;
mod summary;
mod tables;
mod timeline_export;
mod treemap;

use analysis::{NodeId, Tree};
use profile::MetricId;
use protocol::{
    ErrorCode, LocateParams, LocateResult, NodeName, NodeParams, NodesResult, ProtocolError, Reply,
    ViewSpec,
};

pub(crate) use advice::{advice, rule_info};
pub(crate) use bars::bars;
pub(crate) use call_graph::call_graph;
pub(crate) use details::details;
pub use details::{facet_total, facets};
pub(crate) use distribution::distribution;
pub(crate) use estimates::estimates;
pub(crate) use event_bins::event_bins;
pub(crate) use events::events;
pub(crate) use experiment::{
    experiment, experiment_differences, experiment_effects, experiment_history, experiment_matrix,
};
pub(crate) use export::{export_csv, export_svg};
pub(crate) use flame::flame;
pub(crate) use functions::{export_functions_csv, functions};
pub(crate) use heat::heat;
pub(crate) use idle::idle;
pub use instructions::function_instructions;
pub(crate) use instructions::instructions;
pub(crate) use lanes::{lanes, tracks, untimed};
pub(crate) use marks::find_mark;
pub(crate) use migrations::migrations;
pub(crate) use pairs::pairs;
pub(crate) use rows::{rows, rows_of};
pub(crate) use scatter::{export_calls_csv, scatter};
pub(crate) use search::{filters, find, search};
pub(crate) use source_lines::source_lines;
pub(crate) use span::{find_span, sampled_frame, span};
pub(crate) use summary::summary;
pub(crate) use tables::{profile_tables, tree_table, write_profile};
pub use timeline_export::{all_tracks_svg, spans_csv};
pub(crate) use timeline_export::{export_spans_csv, export_timeline_svg};
pub(crate) use treemap::treemap;

use crate::kinds::profile::convert;
use crate::kinds::profile::trees::views::{View, view_of};
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

/// The node of a number, if it belongs to this build of the view.
fn node_of(
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
fn label_of(tree: &Tree, node: NodeId) -> Option<String> {
    let label = tree.label(node);
    (label != tree.name(node)).then(|| label.into_owned())
}

fn node_name(tree: &Tree, node: NodeId) -> NodeName {
    NodeName { node: node.0, key: tree.node(node).key.0, name: tree.label(node).into_owned() }
}

/// The view's metric, checked by whoever built the view.
fn metric_of(spec: &ViewSpec) -> MetricId {
    MetricId(spec.metric)
}
