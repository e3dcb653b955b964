//! Exports.

use profile::MetricId;
use protocol::{ErrorCode, ExportSvgParams, ProtocolError, Reply, RowsParams, TextResult};

use super::nodes::node_of;
use super::rows_of;
use crate::kinds::profile::csv;
use crate::kinds::profile::pictures::boxes::painter;
use crate::kinds::profile::pictures::flame_svg::{SvgOptions, svg};
use crate::kinds::profile::trees::views::view_of;
use crate::{ProfileDocument, lock};

/// Most rows of an exported table.
const MOST_ROWS: usize = 1_000_000;

pub(crate) fn export_svg(
    document: &ProfileDocument,
    params: &ExportSvgParams,
) -> Result<Reply<TextResult>, ProtocolError> {
    let view = view_of(document, &params.view)?;
    let mut tree = lock(&view.tree);
    let root = node_of(&view, &tree, params.instance, params.root)?;
    let options = SvgOptions {
        width: params.width,
        theme: params.theme,
        colour: params.colour,
        search: params.search.clone(),
        labels: params.labels,
    };
    let painter = painter(document, &view, &mut tree, MetricId(params.view.metric));
    let text = svg(document, &mut tree, root, painter, &options)?;
    Ok(Reply::from(TextResult { text, file_name: format!("{}.svg", document.title()) }))
}

pub(crate) fn export_csv(
    document: &ProfileDocument,
    params: &RowsParams,
) -> Result<Reply<TextResult>, ProtocolError> {
    let view = view_of(document, &params.view)?;
    let mut tree = lock(&view.tree);
    node_of(&view, &tree, params.instance, params.root)?;
    let all = RowsParams { first: 0, ..params.clone() };
    let (layout, _) = rows_of(document, &mut tree, &all, MOST_ROWS)?;
    let table = csv::table(document, &view, &mut tree, &layout.rows);
    let text = table.map_err(|error| {
        ProtocolError::new(ErrorCode::Limit, format!("the table cannot be written: {error}"))
    })?;
    Ok(Reply::from(TextResult { text, file_name: format!("{}.csv", document.title()) }))
}
