//! Names, which numbers may stand for.

use hashbrown::HashMap;
use profile::{StringId, StringsBuilder};

/// A table of compressed names.
type Names = HashMap<u32, StringId>;

/// Numbers that stand for names. What no cost names does not become part of the profile.
#[derive(Default)]
pub(super) struct NameTables {
    /// The names, each once.
    pub(super) texts: StringsBuilder,
    pub(super) files: Names,
    pub(super) functions: Names,
    pub(super) objects: Names,
}

/// The name that `(12) name`, `(12)` or `name` mean. Empty for a number that was never named, and for `???`,
/// as callgrind calls what it does not know.
pub(super) fn name(names: &mut Names, texts: &mut StringsBuilder, text: &str) -> StringId {
    let mut intern = |name| texts.intern(if name == "???" { "" } else { name });
    let text = text.trim();
    let numbered = text.strip_prefix('(').and_then(|rest| {
        let (number, name) = rest.split_once(')')?;
        Some((number.parse::<u32>().ok()?, name.trim()))
    });
    match numbered {
        Some((number, "")) => names.get(&number).copied().unwrap_or(StringId::EMPTY),
        Some((number, name)) => {
            let name = intern(name);
            names.insert(number, name);
            name
        }
        None => intern(text),
    }
}
