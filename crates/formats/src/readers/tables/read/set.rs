//! Which files of a folder belong together: `run.contexts.csv`, `run.frames.csv` and so on.

use crate::input::container_kind::Container;
use crate::{FolderFile, ReadError};

use super::table::TABLES;

/// The tables of one profile.
#[derive(Debug)]
pub(super) struct Set {
    /// What stands before and after the name of the table.
    before: String,
    after: String,
    /// Tables by name, with their paths.
    tables: Vec<(&'static str, String)>,
}

impl Set {
    /// How many tables there are.
    pub(super) fn len(&self) -> usize {
        self.tables.len()
    }

    /// The path of a table; empty if it is missing.
    pub(super) fn path(&self, table: &str) -> &str {
        let found = self.tables.iter().find(|&&(name, _)| name == table);
        found.map_or("", |(_, path)| path)
    }

    fn missing(&self) -> Vec<String> {
        let missing = TABLES.iter().filter(|(table, _)| self.path(table.name).is_empty());
        missing.map(|(table, _)| self.name_of(table.name)).collect()
    }

    fn name_of(&self, table: &str) -> String {
        format!("{}{table}{}", self.before, self.after)
    }
}

/// What stands before a table's name in a path, the table, and what stands after it.
fn split<'p>(format: &str, path: &'p str) -> Option<(&'p str, &'static str, &'p str)> {
    let containers = [Container::Gzip, Container::Zstd];
    let plain = containers.iter().find_map(|c| path.strip_suffix(c.ending())).unwrap_or(path);
    let stem = plain.strip_suffix(format)?.strip_suffix('.')?;
    let (before, name) = stem.rsplit_once('.')?;
    let (table, _) = TABLES.iter().find(|(table, _)| table.name == name)?;
    Some((&path[..before.len() + 1], table.name, &path[stem.len()..]))
}

/// The sets of tables of a format, in the order of their first files.
pub(super) fn sets(format: &str, files: &[FolderFile]) -> Vec<Set> {
    let mut sets: Vec<Set> = vec![];
    let mut known = hashbrown::HashMap::new();
    for file in files {
        let Some((before, table, after)) = split(format, &file.path) else { continue };
        let row = *known.entry((before, after)).or_insert_with(|| {
            sets.push(Set { before: before.to_owned(), after: after.to_owned(), tables: vec![] });
            sets.len() - 1
        });
        sets[row].tables.push((table, file.path.clone()));
    }
    sets
}

/// The one set of a folder, which must be whole. Unless one of the `formats` was asked for, there
/// must be no other of any.
pub(super) fn only(
    format: &'static str,
    formats: &[&str],
    files: &[FolderFile],
) -> Result<Set, ReadError> {
    let mut sets: Vec<Set> = formats.iter().flat_map(|format| sets(format, files)).collect();
    // What happens to have such a name beside a set is none.
    if sets.iter().any(|set| set.len() > 1) {
        sets.retain(|set| set.len() > 1);
    }
    if sets.len() > 1 {
        const SHOWN: usize = 5;
        let names: Vec<_> = sets.iter().take(SHOWN).map(|set| set.tables[0].1.as_str()).collect();
        let more = if sets.len() > SHOWN { ", …" } else { "" };
        let missing = format!(
            "the folder holds {} profiles; name one file of the one that you mean: {}{more}",
            sets.len(),
            names.join(", ")
        );
        return Err(ReadError::Incomplete { format, missing });
    }
    let Some(set) = sets.pop() else { return Err(ReadError::unknown_folder(files)) };
    let missing = set.missing();
    match missing.as_slice() {
        [] => Ok(set),
        missing => {
            let (verb, missing) =
                (if missing.len() == 1 { "is" } else { "are" }, missing.join(", "));
            let missing = format!("{missing} {verb} missing beside {}", set.tables[0].1);
            Err(ReadError::Incomplete { format, missing })
        }
    }
}

/// Whether a file has the name of a table.
pub(in crate::readers::tables) fn is_part(format: &str, name: &str) -> bool {
    split(format, name).is_some()
}

/// The names of all tables of the set that a table of this name is in.
pub(in crate::readers::tables) fn siblings(format: &str, name: &str) -> Vec<String> {
    let Some((before, _, after)) = split(format, name) else { return vec![] };
    TABLES.iter().map(|(table, _)| format!("{before}{}{after}", table.name)).collect()
}
