//! `hotframe/lines`: what every measured line of a file costs, for heat beside the text.

use lsp_types::TextDocumentIdentifier;
use protocol::editor::{EditorLine, EditorLines};
use serde::Deserialize;
use session::NO_VALUE;

use crate::lsp::refusal::Refusal;
use crate::lsp::source::Source;
use crate::lsp::texts::LineLength;
use crate::lsp::versions::Known;
use crate::lsp::workspace::Workspace;

/// Parameters of the request.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::lsp) struct LinesParams {
    text_document: TextDocumentIdentifier,
}

pub(in crate::lsp) fn lines(
    workspace: &Workspace,
    params: LinesParams,
) -> Result<Option<EditorLines>, Refusal> {
    let uri = params.text_document.uri;
    let mut out = None;
    // Values of a formula are not shares of anything.
    let has_shares = |source: &Source<'_>| {
        !source.document.is_derived(source.metric) && source.index.total() != 0
    };
    if let Some(source) = workspace.sources(&uri).active.filter(has_shares) {
        let share = |value: i64| value as f64 / source.index.total() as f64;
        let has_value = |value: i64| value != 0 && value != NO_VALUE;
        let measured = source.index.lines(source.file);
        let measured = measured.filter(|line| has_value(line.total_value) && line.line > 0);
        let line = |line: session::SourceLine| {
            Some(EditorLine {
                line: source.placed.lines.now(line.line)? - 1,
                self_share: share(line.self_value),
                total_share: share(line.total_value),
                text: source.self_and_total(line.self_value, line.total_value) + source.mark(),
            })
        };
        out = Some(EditorLines {
            title: source.document.title().to_owned(),
            metric: source.document.metrics()[source.metric.index()].name.clone(),
            is_stale: matches!(source.placed.how, Known::Stale { .. }),
            lines: measured.filter_map(line).collect(),
        });
    }
    if let Some(lines) = &mut out {
        lines.lines.retain(|line| {
            workspace.texts.line_length(uri.as_str(), line.line) != LineLength::NoLine
        });
    }
    Ok(out)
}
