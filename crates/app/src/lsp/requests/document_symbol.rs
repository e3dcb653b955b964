//! `textDocument/documentSymbol`: the functions of a file that have values, in its order.

use lsp_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, Location, Position, Range,
    SymbolInformation, SymbolKind,
};

use crate::lsp::refusal::Refusal;
use crate::lsp::texts::LineLength;
use crate::lsp::workspace::Workspace;

pub(in crate::lsp) fn document_symbol(
    workspace: &Workspace,
    params: DocumentSymbolParams,
) -> Result<DocumentSymbolResponse, Refusal> {
    let uri = params.text_document.uri;
    let mut found = vec![];
    if let Some(source) = workspace.sources(&uri).active {
        found = source
            .functions()
            .flat_map(|one| {
                let values = source.values_of(&one) + source.mark();
                let starts = source.starts_now(&one).into_iter();
                starts.map(move |start| (start - 1, one.name.to_owned(), values.clone()))
            })
            .collect();
    }
    found.sort();
    let placed = found.into_iter().filter_map(|(line, name, values)| {
        let end = match workspace.texts.line_length(uri.as_str(), line) {
            LineLength::NoLine => return None,
            LineLength::Unknown => 0,
            LineLength::Of(length) => length,
        };
        Some((Range::new(Position::new(line, 0), Position::new(line, end)), name, values))
    });
    Ok(if workspace.editor.symbol_details {
        DocumentSymbolResponse::Nested(placed.map(detailed).collect())
    } else {
        let flat = placed.map(|(range, name, values)| {
            // What a function costs has no other place.
            #[expect(deprecated, reason = "the structure has the field")]
            SymbolInformation {
                name,
                kind: SymbolKind::FUNCTION,
                tags: None,
                deprecated: None,
                location: Location::new(uri.clone(), range),
                container_name: Some(values),
            }
        });
        DocumentSymbolResponse::Flat(flat.collect())
    })
}

fn detailed((range, name, values): (Range, String, String)) -> DocumentSymbol {
    #[expect(deprecated, reason = "the structure has the field")]
    DocumentSymbol {
        name,
        detail: Some(values),
        kind: SymbolKind::FUNCTION,
        tags: None,
        deprecated: None,
        range,
        selection_range: range,
        children: None,
    }
}
