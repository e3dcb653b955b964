//! `textDocument/codeLens`: self and total above each function.

use lsp_types::{CodeLens, CodeLensParams, Command, Position, Range};

use crate::lsp::server::{Refusal, Server};
use crate::lsp::texts::LineLength;

pub(in crate::lsp) fn code_lens(
    server: &mut Server,
    params: CodeLensParams,
) -> Result<Vec<CodeLens>, Refusal> {
    let uri = params.text_document.uri;
    let mut lenses = vec![];
    for source in server.sources(&uri) {
        for function in source.functions() {
            let Some(line) = source.start_now(&function) else { continue };
            let values = source.self_and_total(function.self_value, function.total_value);
            let position = Position::new(line - 1, 0);
            let command = Command {
                title: format!("{}{values}{}", source.prefix, source.mark()),
                // The editor's, which shows the function in the flame graph.
                command: "hotframe.showFunction".to_owned(),
                arguments: Some(vec![function.name.into()]),
            };
            let range = Range::new(position, position);
            lenses.push(CodeLens { range, command: Some(command), data: None });
        }
    }
    lenses.retain(|lens| server.line_length(&uri, lens.range.start.line) != LineLength::NoLine);
    lenses.sort_by_key(|lens| lens.range.start.line);
    Ok(lenses)
}
