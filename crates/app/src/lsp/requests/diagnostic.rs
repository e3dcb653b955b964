//! `textDocument/diagnostic`: the hottest lines of a file by self value, as hints; published
//! instead where the editor does not ask.

use std::cmp::Reverse;
use std::str::FromStr as _;

use lsp_types::{
    Diagnostic, DiagnosticSeverity, DocumentDiagnosticParams, DocumentDiagnosticReport,
    FullDocumentDiagnosticReport, Position, PublishDiagnosticsParams, Range,
    RelatedFullDocumentDiagnosticReport, Uri,
};
use serde_json::json;
use session::NO_VALUE;

use crate::lsp::server::{Refusal, Server};
use crate::lsp::texts::LineLength;

/// The protocol's largest number, which means the end of the line.
const END_OF_LINE: u32 = i32::MAX as u32;

pub(in crate::lsp) fn diagnostic(
    server: &mut Server,
    params: DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReport, Refusal> {
    let items = hottest(server, &params.text_document.uri);
    let full_document_diagnostic_report = FullDocumentDiagnosticReport { result_id: None, items };
    Ok(RelatedFullDocumentDiagnosticReport {
        related_documents: None,
        full_document_diagnostic_report,
    }
    .into())
}

/// Tells an editor that does not ask about a file: again about one that it was told of.
pub(in crate::lsp) fn publish(server: &mut Server, uri: &str) {
    if server.pulls_diagnostics() {
        return;
    }
    let Ok(address) = Uri::from_str(uri) else { return };
    let is_open = server.texts.get(uri).is_some();
    let diagnostics = if is_open { hottest(server, &address) } else { vec![] };
    let was_told = server.published.contains(uri);
    match (diagnostics.is_empty(), was_told) {
        (true, false) => return,
        (true, true) => drop(server.published.remove(uri)),
        (false, _) => drop(server.published.insert(uri.to_owned())),
    }
    let params = PublishDiagnosticsParams { uri: address, diagnostics, version: None };
    server.notify("textDocument/publishDiagnostics", json!(params));
}

fn hottest(server: &mut Server, uri: &Uri) -> Vec<Diagnostic> {
    let most = server.settings.diagnostics;
    if most == 0 {
        return vec![];
    }
    let mut found = vec![];
    if let Some(source) = server.sources(uri).active {
        let measured = source.index.lines(source.file);
        let mut lines: Vec<_> =
            measured.filter(|line| ![0, NO_VALUE].contains(&line.self_value)).collect();
        lines.sort_by_key(|line| Reverse((line.self_value.unsigned_abs(), Reverse(line.line))));
        let text = |line: &session::SourceLine| {
            let values = source.self_and_total(line.self_value, line.total_value);
            Some((source.placed.lines.now(line.line)? - 1, values + source.mark()))
        };
        found = lines.iter().filter_map(text).take(most).collect();
    }
    found.sort();
    let hint = |(line, message)| {
        let end = match server.line_length(uri, line) {
            LineLength::NoLine => return None,
            LineLength::Unknown => END_OF_LINE,
            LineLength::Of(length) => length,
        };
        Some(Diagnostic {
            range: Range::new(Position::new(line, 0), Position::new(line, end)),
            severity: Some(DiagnosticSeverity::HINT),
            source: Some("hotframe".to_owned()),
            message,
            ..Diagnostic::default()
        })
    };
    found.into_iter().filter_map(hint).collect()
}
