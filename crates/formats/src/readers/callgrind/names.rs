//! Names, which numbers may stand for.

use hashbrown::HashMap;

/// A table of compressed names.
type Names = HashMap<u32, String>;

/// Numbers that stand for names.
#[derive(Default)]
pub(super) struct NameTables {
    pub(super) files: Names,
    pub(super) functions: Names,
    pub(super) objects: Names,
}

/// The name that `(12) name`, `(12)` or `name` mean; none for a number that was never named.
pub(super) fn name(names: &mut Names, text: &str) -> Option<String> {
    let text = text.trim();
    let numbered = text.strip_prefix('(').and_then(|rest| {
        let (number, name) = rest.split_once(')')?;
        Some((number.parse::<u32>().ok()?, name.trim()))
    });
    match numbered {
        Some((number, "")) => names.get(&number).cloned(),
        Some((number, name)) => {
            names.insert(number, name.to_owned());
            Some(name.to_owned())
        }
        None => Some(text.to_owned()),
    }
}
