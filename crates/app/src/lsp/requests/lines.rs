//! `hotframe/lines`: what every measured line of a file costs, for heat beside the text.
//!
//! Takes `{ "textDocument": { "uri" } }`; gives `{ "title", "metric", "is_stale", "lines": [{ "line",
//! "self", "total", "text" }] }`, lines from 0, `self` and `total` as shares of the whole from 0 to 1,
//! `is_stale` where lines may be wrong because the file changed.

use lsp_types::TextDocumentIdentifier;
use serde::{Deserialize, Serialize};
use session::NO_VALUE;

use crate::lsp::server::{Refusal, Server};
use crate::lsp::source::Source;
use crate::lsp::texts::LineLength;
use crate::lsp::versions::Known;

/// Parameters of the request.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::lsp) struct LinesParams {
    text_document: TextDocumentIdentifier,
}

/// A file's lines in the order of the file.
#[derive(Serialize)]
pub(in crate::lsp) struct Lines {
    title: String,
    metric: String,
    is_stale: bool,
    lines: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    line: u32,
    #[serde(rename = "self")]
    own: f64,
    total: f64,
    text: String,
}

pub(in crate::lsp) fn lines(
    server: &mut Server,
    params: LinesParams,
) -> Result<Option<Lines>, Refusal> {
    let uri = params.text_document.uri;
    let mut out = None;
    // Values of a formula are no shares of anything.
    let has_shares = |source: &Source<'_>| {
        !source.document.is_derived(source.metric) && source.index.total() != 0
    };
    if let Some(source) = server.sources(&uri).active.filter(has_shares) {
        let share = |value: i64| value as f64 / source.index.total() as f64;
        let has_value = |value: i64| value != 0 && value != NO_VALUE;
        let measured = source.index.lines(source.file);
        let measured = measured.filter(|line| has_value(line.total_value) && line.line > 0);
        let line = |line: session::SourceLine| {
            Some(Line {
                line: source.placed.lines.now(line.line)? - 1,
                own: share(line.self_value),
                total: share(line.total_value),
                text: source.self_and_total(line.self_value, line.total_value) + source.mark(),
            })
        };
        out = Some(Lines {
            title: source.document.title().to_owned(),
            metric: source.document.metrics()[source.metric].name.clone(),
            is_stale: matches!(source.placed.how, Known::Stale { .. }),
            lines: measured.filter_map(line).collect(),
        });
    }
    if let Some(lines) = &mut out {
        lines.lines.retain(|line| server.line_length(&uri, line.line) != LineLength::NoLine);
    }
    Ok(out)
}
