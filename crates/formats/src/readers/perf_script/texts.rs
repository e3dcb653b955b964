//! Texts in one buffer with their numbers.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Texts in one buffer with their numbers.
#[derive(Default)]
pub(super) struct Texts {
    bytes: String,
    ends: Vec<usize>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Texts {
    fn get(&self, id: u32) -> &str {
        let index = id as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start..self.ends[index]]
    }

    #[inline]
    pub(super) fn find(&self, text: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(text);
        self.table.find(hash, |&id| self.get(id) == text).copied()
    }

    pub(super) fn push(&mut self, text: &str) {
        let id = self.ends.len() as u32;
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
        let hash = self.hasher.hash_one(text);
        let Texts { bytes, ends, table, hasher } = self;
        table.insert_unique(hash, id, |&id| {
            let start = if id == 0 { 0 } else { ends[id as usize - 1] };
            hasher.hash_one(&bytes[start..ends[id as usize]])
        });
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.bytes.capacity() + self.ends.len() * 8 + self.table.capacity() * 4
    }
}
