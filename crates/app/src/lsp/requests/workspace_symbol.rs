//! `workspace/symbol`: the functions of the profiles by heat, where their files are here.

use lsp_types::{
    Location, OneOf, Position, Range, SymbolKind, WorkspaceSymbol, WorkspaceSymbolParams,
};

use crate::lsp::server::{Refusal, Server};
use crate::lsp::source::Source;

/// Symbols of an answer.
const MOST_SYMBOLS: usize = 100;

pub(in crate::lsp) fn workspace_symbol(
    server: &mut Server,
    params: WorkspaceSymbolParams,
) -> Result<Vec<WorkspaceSymbol>, Refusal> {
    let query = params.query.to_lowercase();
    let is_one_of_many = server.profiles.len() > 1;
    let mut symbols = vec![];
    let (mut files, profiles) = server.files();
    for profile in profiles {
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
        for (function, uri) in found {
            let Some(source) = Source::new(profile, function.file, is_one_of_many) else {
                continue;
            };
            let values = source.self_and_total(function.self_value, function.total_value);
            let position = Position::new(function.start_line.saturating_sub(1), 0);
            symbols.push(WorkspaceSymbol {
                name: function.name.to_owned(),
                kind: SymbolKind::FUNCTION,
                tags: None,
                container_name: Some(format!("{}{values}", source.prefix)),
                location: OneOf::Left(Location::new(uri, Range::new(position, position))),
                data: None,
            });
        }
    }
    Ok(symbols)
}
