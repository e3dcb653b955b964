//! `textDocument/codeLens`: self and total above each function, and the change against the base.

use std::fmt::Write as _;

use lsp_types::{CodeLens, CodeLensParams, Command, Position, Range};

use crate::lsp::server::{Refusal, Server};
use crate::lsp::source::{Source, Sources};
use crate::lsp::texts::LineLength;
use crate::text::count;

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
        let path = base.source.as_ref().map_or("", |source| &source.path);
        lenses.extend(gone.map(|(line, one)| lens(line, base.gone_text(&one), one.name, path)));
    }
    lenses.retain(|lens| server.line_length(&uri, lens.range.start.line) != LineLength::NoLine);
    lenses.sort_by_key(|lens| lens.range.start.line);
    Ok(lenses)
}

fn of_functions(source: &Source<'_>, sources: &Sources<'_>) -> Vec<CodeLens> {
    let of_function = |function| {
        let line = source.start_now(&function)?;
        let mut title = source.self_and_total(function.self_value, function.total_value);
        if function.instructions >= 2 {
            let _ = write!(title, " · {} instructions", count(function.instructions.into()));
        }
        if let Some(change) = sources.base.as_ref().and_then(|base| base.change(&function)) {
            let _ = write!(title, " · {change}");
        }
        title.push_str(source.mark());
        Some(lens(line, title, function.name, &source.path))
    };
    source.functions().filter_map(of_function).collect()
}

/// A lens above a line from 1, on a function of the profile at `path`.
fn lens(line: u32, title: String, function: &str, path: &str) -> CodeLens {
    let position = Position::new(line - 1, 0);
    // The editor's, which shows the function in the flame graph.
    let command = Command {
        title,
        command: "hotframe.showFunction".to_owned(),
        arguments: Some(vec![function.into(), path.into()]),
    };
    CodeLens { range: Range::new(position, position), command: Some(command), data: None }
}
