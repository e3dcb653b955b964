//! What of an upload may be what is run.

use std::fs;
use std::path::Path;

/// Most files that are told.
const MOST: usize = 50;

/// Names that programs begin with, the likeliest first.
const USUAL: [&str; 6] = ["main.py", "__main__.py", "app.py", "run.py", "bench.py", "p.py"];

/// All files below a folder, by name.
pub(super) fn files(folder: &Path) -> Vec<String> {
    let mut found = vec![];
    let mut open = vec![String::new()];
    while let Some(name) = open.pop() {
        for entry in fs::read_dir(folder.join(&name)).into_iter().flatten().flatten() {
            let Ok(own) = entry.file_name().into_string() else { continue };
            let full = if name.is_empty() { own } else { format!("{name}/{own}") };
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(full),
                Ok(kind) if kind.is_file() => found.push(full),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// Python files, the likeliest first.
pub(super) fn scripts(folder: &Path) -> Vec<String> {
    let mut all = files(folder);
    all.retain(|name| name.ends_with(".py") && !name.split('/').any(|part| part.starts_with('.')));
    let rank = |name: &String| {
        let base = name.rsplit('/').next().unwrap_or_default();
        let usual = USUAL.iter().position(|one| *one == base).unwrap_or(USUAL.len());
        (name.matches('/').count(), usual, name.clone())
    };
    all.sort_by_key(rank);
    all.truncate(MOST);
    all
}
