//! `hotframe/instructions`: the instructions of a function's lines, which its lens leads to.

use protocol::editor::{EditorInstruction, EditorInstructions, EditorInstructionsOf};
use session::NO_VALUE;

use crate::lsp::refusal::Refusal;
use crate::lsp::workspace::Workspace;

pub(in crate::lsp) fn instructions(
    workspace: &Workspace,
    params: EditorInstructionsOf,
) -> Result<Option<EditorInstructions>, Refusal> {
    let EditorInstructionsOf { uri, key } = params;
    let Ok(uri) = uri.parse() else { return Ok(None) };
    let Some(source) = workspace.sources(&uri).active else { return Ok(None) };
    let found = source.functions().find(|one| one.key == key);
    let Some(function) = found else { return Ok(None) };
    let all = source.document.function_instructions(source.metric, function.id);
    let all = all.map_err(anyhow::Error::from)?;
    let size = |value: i64| if value == NO_VALUE { 0 } else { value.unsigned_abs() };
    let most = all.iter().map(|(_, one)| size(one.self_value)).max().unwrap_or(0);
    let instructions = all.into_iter().map(|(then, one)| EditorInstruction {
        line: source.placed.lines.now(then).map(|now| now - 1),
        address: format!("{:#x}", one.address),
        module: one.module.to_owned(),
        text: one.text.to_owned(),
        values: source.self_and_total(one.self_value, one.total_value),
        is_hottest: most > 0 && size(one.self_value) == most,
    });
    Ok(Some(EditorInstructions {
        title: source.document.title().to_owned(),
        metric: source.document.metrics()[source.metric.index()].name.clone(),
        instructions: instructions.collect(),
    }))
}
