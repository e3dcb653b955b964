//! `textDocument/diagnostic`: the hottest lines of a file by self value, as hints.

use std::cmp::Reverse;

use lsp_types::{
    Diagnostic, DiagnosticSeverity, DocumentDiagnosticParams, DocumentDiagnosticReport,
    FullDocumentDiagnosticReport, Position, Range, RelatedFullDocumentDiagnosticReport, Uri,
};
use session::NO_VALUE;

use crate::lsp::refusal::Refusal;
use crate::lsp::texts::LineLength;
use crate::lsp::workspace::Workspace;

/// The protocol's largest number, which means the end of the line.
const END_OF_LINE: u32 = i32::MAX as u32;

pub(in crate::lsp) fn diagnostic(
    workspace: &Workspace,
    params: DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReport, Refusal> {
    let items = hottest_lines(workspace, &params.text_document.uri);
    let full_document_diagnostic_report = FullDocumentDiagnosticReport { result_id: None, items };
    Ok(RelatedFullDocumentDiagnosticReport {
        related_documents: None,
        full_document_diagnostic_report,
    }
    .into())
}

/// The hottest lines of a file, in its order; none where the settings want none.
pub(in crate::lsp) fn hottest_lines(workspace: &Workspace, uri: &Uri) -> Vec<Diagnostic> {
    let most = workspace.settings.diagnostics;
    if most == 0 {
        return vec![];
    }
    let mut found = vec![];
    if let Some(source) = workspace.sources(uri).active {
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
        let end = match workspace.texts.line_length(uri.as_str(), line) {
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
