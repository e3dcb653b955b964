//! `hotframe/function`: the measured function that a place in the code belongs to.
//!
//! Takes `{ "textDocument": { "uri" }, "position" }`; gives `{ "name", "path" }`, the function and
//! the profile that knows it, or nothing.

use lsp_types::TextDocumentPositionParams;
use serde::Serialize;

use crate::lsp::server::{Refusal, Server};

/// A function of a profile.
#[derive(Serialize)]
pub(in crate::lsp) struct FunctionOfProfile {
    name: String,
    path: String,
}

pub(in crate::lsp) fn function(
    server: &mut Server,
    params: TextDocumentPositionParams,
) -> Result<Option<FunctionOfProfile>, Refusal> {
    let line = params.position.line.saturating_add(1);
    let Some(source) = server.sources(&params.text_document.uri).active else { return Ok(None) };
    let then = source.placed.lines.then(line).unwrap_or(0);
    // A line that was not measured belongs to the function that starts last before it.
    let before = || {
        let starts = |function| source.start_now(&function).map(|start| (start, function));
        let before = source.functions().filter_map(starts).filter(|&(start, _)| start <= line);
        before.max_by_key(|&(start, _)| start).map(|(_, function)| function)
    };
    let function = source.index.function_on(source.file, then).or_else(before);
    let found = |name: &str| FunctionOfProfile { name: name.to_owned(), path: source.path.clone() };
    Ok(function.map(|function| found(function.name)))
}
