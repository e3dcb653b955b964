//! `hotframe/function`: the measured function that a place in the code belongs to.

use lsp_types::TextDocumentPositionParams;
use protocol::editor::EditorFunction;

use crate::lsp::refusal::Refusal;
use crate::lsp::workspace::Workspace;

pub(in crate::lsp) fn function(
    workspace: &Workspace,
    params: TextDocumentPositionParams,
) -> Result<Option<EditorFunction>, Refusal> {
    let line = params.position.line.saturating_add(1);
    let Some(source) = workspace.sources(&params.text_document.uri).active else { return Ok(None) };
    let then = source.placed.lines.then(line).unwrap_or(0);
    // A line that was not measured belongs to the function that starts last before it.
    let before = || {
        let starts =
            |function| source.starts_now(&function).into_iter().map(move |start| (start, function));
        let before = source.functions().flat_map(starts).filter(|&(start, _)| start <= line);
        before.max_by_key(|&(start, _)| start).map(|(_, function)| function)
    };
    let function = source.index.function_on(source.file, then).or_else(before);
    Ok(function.map(|function| EditorFunction {
        name: function.name.to_owned(),
        key: function.key,
        path: source.path.clone(),
    }))
}
