//! `textDocument/inlayHint`: total and self at the end of hot lines.

use lsp_types::{InlayHint, InlayHintLabel, InlayHintParams, InlayHintTooltip, Position};
use session::NO_VALUE;

use crate::lsp::refusal::Refusal;
use crate::lsp::source::Source;
use crate::lsp::texts::LineLength;
use crate::lsp::workspace::Workspace;

/// The protocol's largest number, which means the end of the line.
const END_OF_LINE: u32 = i32::MAX as u32;

pub(in crate::lsp) fn inlay_hint(
    workspace: &Workspace,
    params: InlayHintParams,
) -> Result<Vec<InlayHint>, Refusal> {
    let uri = params.text_document.uri;
    let lines = params.range.start.line..=params.range.end.line;
    let least = workspace.settings.hot_line_percent / 100.0;
    let mut hints = vec![];
    // Values of a formula are not shares of anything.
    let shares = |source: &Source<'_>| !source.document.is_derived(source.metric);
    if let Some(source) = workspace.sources(&uri).active.filter(shares) {
        let whole = (source.index.total() as f64).abs();
        for line in source.index.lines(source.file) {
            let size = line.total_value.unsigned_abs() as f64;
            let is_hot = line.total_value != NO_VALUE && size > 0.0 && size >= least * whole;
            if let Some(now) = source.placed.lines.now(line.line).filter(|_| is_hot)
                && lines.contains(&(now - 1))
            {
                let short = source.total_in_short(line.self_value, line.total_value);
                let values = source.self_and_total(line.self_value, line.total_value);
                hints.push((now - 1, short, format!("{values}{}", source.mark())));
            }
        }
    }
    hints.sort_by_key(|&(line, ..)| line);
    let hint = |(line, text, values): (u32, String, String)| {
        let character = match workspace.texts.line_length(uri.as_str(), line) {
            LineLength::Unknown => END_OF_LINE,
            LineLength::NoLine => return None,
            LineLength::Of(length) => length,
        };
        Some(InlayHint {
            position: Position::new(line, character),
            label: InlayHintLabel::String(text),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String(values)),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        })
    };
    Ok(hints.into_iter().filter_map(hint).collect())
}
