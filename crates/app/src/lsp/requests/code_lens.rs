//! `textDocument/codeLens`: self and total above each function, and the change against the base.

use lsp_types::{CodeLens, CodeLensParams, Command, Position, Range};

use crate::lsp::server::{Refusal, Server};
use crate::lsp::source::{Source, Sources};
use crate::lsp::texts::LineLength;

pub(in crate::lsp) fn code_lens(
    server: &mut Server,
    params: CodeLensParams,
) -> Result<Vec<CodeLens>, Refusal> {
    let uri = params.text_document.uri;
    let sources = server.sources(&uri);
    let mut lenses = vec![];
    if let Some(source) = &sources.active {
        lenses.extend(of_functions(source, &sources));
    }
    if let Some(base) = &sources.base {
        let gone = sources.gone();
        lenses.extend(gone.map(|(line, one)| lens(line, base.gone_text(&one), one.name)));
    }
    lenses.retain(|lens| server.line_length(&uri, lens.range.start.line) != LineLength::NoLine);
    lenses.sort_by_key(|lens| lens.range.start.line);
    Ok(lenses)
}

fn of_functions(source: &Source<'_>, sources: &Sources<'_>) -> Vec<CodeLens> {
    let of_function = |function| {
        let line = source.start_now(&function)?;
        let mut title = source.self_and_total(function.self_value, function.total_value);
        if let Some(change) = sources.base.as_ref().and_then(|base| base.change(&function)) {
            title = format!("{title} · {change}");
        }
        title.push_str(source.mark());
        Some(lens(line, title, function.name))
    };
    source.functions().filter_map(of_function).collect()
}

/// A lens above a line from 1.
fn lens(line: u32, title: String, function: &str) -> CodeLens {
    let position = Position::new(line - 1, 0);
    // The editor's, which shows the function in the flame graph.
    let command = "hotframe.showFunction".to_owned();
    let command = Command { title, command, arguments: Some(vec![function.into()]) };
    CodeLens { range: Range::new(position, position), command: Some(command), data: None }
}
