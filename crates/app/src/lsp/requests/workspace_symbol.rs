//! `workspace/symbol`: the functions of the active profile by heat, where their files are here.

use std::collections::HashMap;
use std::path::Path;
use std::str::FromStr as _;
use std::time::{Duration, Instant};

use lsp_types::{
    Location, OneOf, Position, Range, SymbolKind, Uri, WorkspaceSymbol, WorkspaceSymbolParams,
};

use crate::lsp::paths::{Found, path_of_uri, uri_of_path};
use crate::lsp::profiles::Profile;
use crate::lsp::remembered::Remembered;
use crate::lsp::server::{Refusal, Server};
use crate::lsp::source::Source;

/// Symbols of an answer.
const MOST_SYMBOLS: usize = 100;
/// Files of a profile that are looked for on the disk.
const MOST_FILES: usize = 1000;
/// How long git may take for all files of an answer.
const PATIENCE_FOR_ALL: Duration = Duration::from_millis(250);

pub(in crate::lsp) fn workspace_symbol(
    server: &mut Server,
    params: WorkspaceSymbolParams,
) -> Result<Vec<WorkspaceSymbol>, Refusal> {
    let query = params.query.to_lowercase();
    let open = server.texts.uris();
    let asked = Instant::now();
    let mut symbols = vec![];
    if let Some(active) = server.active {
        let profile = &mut server.profiles[active];
        let index = profile.index()?;
        let mut files = Files {
            open: &open,
            folders: &server.folders,
            remembered: &server.remembered,
            known: HashMap::new(),
        };
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
            let Some(path) = path_of_uri(uri.as_str()) else { continue };
            let text = server.texts.get(uri.as_str());
            let patience = PATIENCE_FOR_ALL.saturating_sub(asked.elapsed());
            let placed = profile.versions.placed(&path, text, patience);
            let source = Source::new(profile, profile.metric, function.file, placed);
            let Some(source) = source else { continue };
            let line = match function.start_line {
                0 => 1,
                _ => match source.start_now(&function) {
                    Some(line) => line,
                    None => continue,
                },
            };
            let values = source.self_and_total(function.self_value, function.total_value);
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
    }
    Ok(symbols)
}

/// Where files of a profile are here.
struct Files<'a> {
    /// Addresses of open files.
    open: &'a [String],
    folders: &'a [String],
    remembered: &'a Remembered,
    known: HashMap<u32, Option<Uri>>,
}

impl Files<'_> {
    fn uri(&mut self, profile: &mut Profile, file: u32) -> Option<Uri> {
        if let Some(known) = self.known.get(&file) {
            return known.clone();
        }
        if self.known.len() >= MOST_FILES {
            return None;
        }
        let uri = self.find(profile, file).and_then(|uri| Uri::from_str(&uri).ok());
        self.known.insert(file, uri.clone());
        uri
    }

    /// An open file; else the path itself, where a rule has it, or an end of it in a folder of the
    /// workspace, if that is a file which is known to be this one.
    fn find(&self, profile: &mut Profile, file: u32) -> Option<String> {
        let mut is_it = |path: &str| profile.find(path, self.remembered) == Found::File(file);
        let open = self.open.iter().find(|uri| path_of_uri(uri).is_some_and(|path| is_it(&path)));
        if let Some(uri) = open {
            return Some(uri.clone());
        }
        let parts = profile.paths.parts(file);
        let in_folders = self.folders.iter().flat_map(|folder| {
            let folder = folder.trim_end_matches('/');
            parts.ends().map(move |end| format!("{folder}/{end}"))
        });
        let whole = std::iter::once(parts.text());
        let text = parts.text();
        let said = self.remembered.places(&text);
        let places: Vec<String> =
            whole.chain(profile.paths.ruled(file)).chain(said).chain(in_folders).collect();
        let is_here = |path: &String| {
            let path = Path::new(path);
            path.is_absolute() && path.is_file()
        };
        places
            .into_iter()
            .filter(is_here)
            .find(|path| profile.find(path, self.remembered) == Found::File(file))
            .map(|path| uri_of_path(&path))
    }
}
