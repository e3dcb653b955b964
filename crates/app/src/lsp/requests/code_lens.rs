//! `textDocument/codeLens`: self and total above each function.

use lsp_types::{CodeLens, CodeLensParams, Command, Position, Range};

use crate::lsp::server::{LineLength, Refusal, Server};

pub(in crate::lsp) fn code_lens(
    server: &mut Server,
    params: CodeLensParams,
) -> Result<Vec<CodeLens>, Refusal> {
    let uri = params.text_document.uri;
    let mut lenses = vec![];
    for source in server.sources(&uri) {
        for function in source.functions().filter(|function| function.start_line > 0) {
            let values = source.self_and_total(function.self_value, function.total_value);
            let position = Position::new(function.start_line - 1, 0);
            let command = Command {
                title: format!("{}{values}", source.prefix),
                // The editor's, which shows the function in the flame graph.
                command: "hotframe.showFunction".to_owned(),
                arguments: Some(vec![function.name.into(), source.path.as_str().into()]),
            };
            let range = Range::new(position, position);
            lenses.push(CodeLens { range, command: Some(command), data: None });
        }
    }
    lenses.retain(|lens| server.line_length(&uri, lens.range.start.line) != LineLength::NoLine);
    lenses.sort_by_key(|lens| lens.range.start.line);
    Ok(lenses)
}
