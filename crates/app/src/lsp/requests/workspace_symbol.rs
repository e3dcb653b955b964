//! `workspace/symbol`: the functions of the active profile by heat, where their files are here.

use std::time::{Duration, Instant};

use lsp_types::{
    Location, OneOf, Position, Range, SymbolKind, WorkspaceSymbol, WorkspaceSymbolParams,
};

use crate::lsp::refusal::Refusal;
use crate::lsp::source::Source;
use crate::lsp::workspace::Workspace;

/// Symbols of an answer.
const MOST_SYMBOLS: usize = 100;
/// How long git may take for all files of an answer.
const PATIENCE_FOR_ALL: Duration = Duration::from_millis(250);

pub(in crate::lsp) fn workspace_symbol(
    workspace: &Workspace,
    params: WorkspaceSymbolParams,
) -> Result<Vec<WorkspaceSymbol>, Refusal> {
    let query = params.query.to_lowercase();
    let asked = Instant::now();
    let Some(active) = workspace.active() else { return Ok(vec![]) };
    let (files, profile) = (workspace.files(), &workspace.profiles[active]);
    let index = profile.index()?;
    let mut found = vec![];
    for function in index.by_heat() {
        if found.len() >= MOST_SYMBOLS {
            break;
        }
        if function.self_value == 0 && function.total_value == 0 {
            continue;
        }
        if function.name.to_lowercase().contains(&query)
            && let Some(uri) = files.uri(profile, function.file)
        {
            found.push((function, uri));
        }
    }
    let mut symbols = vec![];
    for (function, uri) in found {
        let patience = PATIENCE_FOR_ALL.saturating_sub(asked.elapsed());
        let Some(placed) = files.placed(profile, function.file, &uri, patience) else { continue };
        let source = Source::new(profile, profile.metric, function.file, placed);
        let Some(source) = source else { continue };
        // A function that is gone has no place.
        let starts = source.starts_now(&function);
        let line = if function.start_line == 0 { Some(&1) } else { starts.first() };
        let Some(&line) = line else { continue };
        let values = source.values_of(&function);
        let position = Position::new(line - 1, 0);
        symbols.push(WorkspaceSymbol {
            name: function.name.to_owned(),
            kind: SymbolKind::FUNCTION,
            tags: None,
            container_name: Some(format!("{values}{}", source.mark())),
            location: OneOf::Left(Location::new(uri, Range::new(position, position))),
            data: None,
        });
    }
    Ok(symbols)
}
