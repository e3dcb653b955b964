//! The string table.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::StringId;

/// Interned strings in one buffer; entry 0 is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strings {
    bytes: String,
    ends: Vec<usize>,
}

impl Strings {
    /// The text of `id`.
    pub fn get(&self, id: StringId) -> &str {
        let index = id.index();
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start..self.ends[index]]
    }

    /// How many strings there are; at least one, the empty one.
    #[expect(clippy::len_without_is_empty, reason = "never empty: entry 0 always exists")]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * size_of::<usize>()
    }
}

/// Interns strings.
#[derive(Debug)]
pub struct StringsBuilder {
    strings: Strings,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Default for StringsBuilder {
    fn default() -> Self {
        let mut builder = StringsBuilder {
            strings: Strings { bytes: String::new(), ends: Vec::new() },
            table: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        };
        builder.intern("");
        builder
    }
}

impl From<Strings> for StringsBuilder {
    /// Goes on where a table ended: its ids stay.
    fn from(strings: Strings) -> StringsBuilder {
        let hasher = DefaultHashBuilder::default();
        let hash = |&id: &u32| hasher.hash_one(strings.get(StringId(id)));
        let mut table = HashTable::with_capacity(strings.len());
        for id in 0..strings.len() as u32 {
            table.insert_unique(hash(&id), id, hash);
        }
        StringsBuilder { strings, table, hasher }
    }
}

impl StringsBuilder {
    /// The id of `text`, the same for equal texts.
    pub fn intern(&mut self, text: &str) -> StringId {
        if text.is_empty() && !self.strings.ends.is_empty() {
            return StringId::EMPTY;
        }
        let hash = self.hasher.hash_one(text);
        let strings = &self.strings;
        if let Some(&found) = self.table.find(hash, |&id| strings.get(StringId(id)) == text) {
            return StringId(found);
        }
        let id = self.strings.ends.len() as u32;
        self.strings.bytes.push_str(text);
        self.strings.ends.push(self.strings.bytes.len());
        let (strings, hasher) = (&self.strings, &self.hasher);
        self.table.insert_unique(hash, id, |&id| hasher.hash_one(strings.get(StringId(id))));
        StringId(id)
    }

    /// The text of `id`.
    pub fn get(&self, id: StringId) -> &str {
        self.strings.get(id)
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        self.strings.heap_bytes() + self.table.capacity() * (size_of::<u32>() + 1)
    }

    /// The finished table.
    pub fn finish(self) -> Strings {
        self.strings
    }
}
