//! [`protocol::ProfileRequest::SourceLines`].

use protocol::{ProtocolError, Reply, SourceLinesColumns, SourceLinesParams, SourceLinesResult};

use crate::ProfileDocument;
use crate::kinds::profile::convert;
use crate::kinds::profile::source::index::filtered_sources;
use crate::kinds::profile::trees::views::{filtered_by, view_options};

pub(crate) fn source_lines(
    document: &ProfileDocument,
    params: &SourceLinesParams,
) -> Result<Reply<SourceLinesResult, SourceLinesColumns>, ProtocolError> {
    let options = view_options(document, &params.view)?;
    let filtered = filtered_by(document, &options).map_err(convert::filter_error)?;
    let index = filtered_sources(document, &options)?;
    let mut columns = SourceLinesColumns::default();
    let lines = index.file(&params.file).map(|file| index.lines(file));
    for line in lines.into_iter().flatten() {
        columns.line.push(line.line);
        columns.self_value.push(line.self_value);
        columns.total_value.push(line.total_value);
    }
    columns.scale = document.metric_ids().map(|metric| filtered.program_total(metric)).collect();
    let estimated = filtered.profile().origin.estimated_paths;
    Ok(Reply { result: SourceLinesResult { estimated }, columns })
}
