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
    let mut found = None;
    for source in server.sources(&params.text_document.uri) {
        // A line that was not measured belongs to the function that starts last before it.
        let before = || {
            let before =
                source.functions().filter(|function| (1..=line).contains(&function.start_line));
            before.max_by_key(|function| function.start_line)
        };
        let Some(function) = source.index.function_on(source.file, line).or_else(before) else {
            continue;
        };
        found =
            Some(FunctionOfProfile { name: function.name.to_owned(), path: source.path.clone() });
    }
    Ok(found)
}
