//! [`protocol::Request::Rows`].

use std::collections::HashSet;

use analysis::{Marks, NodeId, Pattern, Tree, matching_frames, matching_keys};
use layout::{Row, RowSort, RowsLayout, RowsView};
use profile::MetricId;
use protocol::{
    ErrorCode, ProtocolError, Reply, RowInfo, RowsColumns, RowsParams, RowsResult, SortBy,
};

use super::nodes::{label_of, node_of};
use crate::kinds::pattern_error;
use crate::kinds::profile::compare::tests_of_runs::tags;
use crate::kinds::profile::convert;
use crate::kinds::profile::pictures::appearance::appearance;
use crate::kinds::profile::trees::views::view_of;
use crate::{ProfileDocument, lock};

/// Most rows in an answer.
const MOST_ROWS: u32 = 10_000;

pub(crate) fn rows(
    document: &ProfileDocument,
    params: &RowsParams,
) -> Result<Reply<RowsResult, RowsColumns>, ProtocolError> {
    let view = view_of(document, &params.view)?;
    let mut tree = lock(&view.tree);
    node_of(&view, &tree, params.instance, params.root)?;
    for &node in &params.expanded {
        node_of(&view, &tree, params.instance, node)?;
    }
    let count = params.count.min(MOST_ROWS) as usize;
    let (layout, filter) = rows_of(document, &mut tree, params, count)?;
    let metrics: Vec<MetricId> = document.metric_ids().collect();
    let mut columns = RowsColumns::default();
    let mut rows = vec![];
    for row in &layout.rows {
        for &metric in &metrics {
            let (own, total) = tree.values(row.node, metric);
            columns.self_value.push(own);
            columns.total_value.push(total);
        }
        let colours = appearance(document).of_node(&tree, row.node);
        rows.push(RowInfo { colours: colours.0, ..row_info(&mut tree, row, filter.as_ref()) });
    }
    let metric = MetricId(params.view.metric);
    let tags = tags(document, &view, &mut tree, metric, layout.rows.iter().map(|row| row.node));
    for (row, tag) in rows.iter_mut().zip(tags.into_iter().flatten()) {
        row.tag = Some(convert::tag(tag));
    }
    columns.scale = metrics.iter().map(|&metric| tree.filtered().program_total(metric)).collect();
    let result = RowsResult {
        instance: view.instance,
        total_rows: layout.total as u32,
        metrics: metrics.len() as u32,
        rows,
    };
    Ok(Reply { result, columns })
}

/// What a filter box asks for.
pub(crate) struct RowFilter {
    pattern: Pattern,
    /// By key, whether a frame of the group matches.
    keys: Vec<bool>,
    marks: Marks,
}

/// The wanted rows of a table.
pub(crate) fn rows_of(
    document: &ProfileDocument,
    tree: &mut Tree,
    params: &RowsParams,
    count: usize,
) -> Result<(RowsLayout, Option<RowFilter>), ProtocolError> {
    let metric = MetricId(params.sort.metric);
    if metric.index() >= document.metrics().len() {
        let message = format!("no metric {} to sort by", metric.0);
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    let reverse = params.sort.reverse;
    let sort = match params.sort.by {
        SortBy::Name => RowSort::Name { reverse },
        SortBy::SelfValue => RowSort::SelfValue { metric, reverse },
        SortBy::TotalValue => RowSort::TotalValue { metric, reverse },
        SortBy::Interval | SortBy::Verdict => {
            let message = "only lists of functions are sorted by what runs say of a change";
            return Err(ProtocolError::new(ErrorCode::BadRequest, message));
        }
    };
    let filter = match params.filter.as_str() {
        "" => None,
        text => {
            let pattern = Pattern::search(text).map_err(pattern_error)?;
            let frames = matching_frames(tree.filtered(), &pattern);
            let keys = matching_keys(tree.keys(), &frames);
            let marks = tree.mark_frames(frames);
            Some(RowFilter { pattern, keys, marks })
        }
    };
    let expanded: HashSet<u32> = params.expanded.iter().copied().collect();
    let view = RowsView {
        root: NodeId(params.root),
        expanded: &expanded,
        sort,
        first: params.first as usize,
        count,
    };
    let layout = layout::rows(tree, &view, |tree, node| match &filter {
        None => true,
        Some(filter) => matches(tree, node, filter) || tree.leads_to(node, &filter.marks),
    });
    Ok((layout, filter))
}

fn matches(tree: &Tree, node: NodeId, filter: &RowFilter) -> bool {
    let entry = tree.node(node);
    match entry.frame {
        None => false,
        Some(_) if tree.is_frame(node) && filter.keys[entry.key.index()] => true,
        // Names of lines and addresses have more than those of their frames.
        Some(_) => filter.pattern.is_match(&tree.name(node)),
    }
}

fn row_info(tree: &mut Tree, row: &Row, filter: Option<&RowFilter>) -> RowInfo {
    let has_children = !tree.children(row.node).is_empty();
    let matched = filter.is_some_and(|filter| matches(tree, row.node, filter));
    let node = tree.node(row.node);
    let place = tree.place(row.node);
    RowInfo {
        node: row.node.0,
        key: node.key.0,
        depth: row.depth,
        has_children,
        expanded: row.expanded,
        matched,
        name: tree.name(row.node).into_owned(),
        label: label_of(tree, row.node),
        file: place.file.to_owned(),
        line: place.line,
        module: place.module.to_owned(),
        colours: 0,
        tag: None,
    }
}
