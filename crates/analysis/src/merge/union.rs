//! Rows of several tables as rows of one.

use std::hash::Hash;

use hashbrown::HashMap;

/// The rows of all inputs by what makes them equal. Rows of one input stay apart even if their keys
/// are equal: the first of one input meets the first of the others, the second the second.
#[derive(Debug)]
pub(super) struct Union<K> {
    known: HashMap<(K, u32), u32>,
}

impl<K> Default for Union<K> {
    fn default() -> Self {
        Union { known: HashMap::new() }
    }
}

impl<K: Hash + Eq + Clone> Union<K> {
    /// By row of an input, the row of the union; `push` appends a row that is new.
    pub(super) fn add(
        &mut self,
        keys: impl IntoIterator<Item = K>,
        mut push: impl FnMut(&K) -> u32,
    ) -> Vec<u32> {
        let mut seen = HashMap::<K, u32>::new();
        let row = |key: K| {
            let nth = seen.entry(key.clone()).or_default();
            *nth += 1;
            let entry = self.known.entry((key, *nth));
            *entry.or_insert_with_key(|(key, _)| push(key))
        };
        keys.into_iter().map(row).collect()
    }
}
