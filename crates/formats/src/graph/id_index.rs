//! Dense numbers for whatever ids a file uses.

/// Gives the ids of a file dense numbers.
#[derive(Debug, Default)]
pub(crate) struct IdIndex {
    /// By id, for small ids; 0 is 'none', n is number n - 1.
    direct: Vec<u32>,
    sparse: hashbrown::HashMap<u64, u32>,
    ids: Vec<u64>,
}

/// Ids below this are looked up in a plain table (4 MiB).
const DIRECT_IDS: u64 = 1 << 20;

impl IdIndex {
    /// The number of `id`; a new one if it is new.
    #[inline]
    pub(crate) fn number(&mut self, id: u64) -> u32 {
        match self.direct.get(id as usize) {
            Some(&found) if found != 0 && id < DIRECT_IDS => found - 1,
            _ => self.number_slowly(id),
        }
    }

    fn number_slowly(&mut self, id: u64) -> u32 {
        let next = self.ids.len() as u32;
        if id < DIRECT_IDS {
            if self.direct.len() <= id as usize {
                self.direct.resize((id as usize + 1).next_power_of_two(), 0);
            }
            self.direct[id as usize] = next + 1;
            self.ids.push(id);
            return next;
        }
        *self.sparse.entry(id).or_insert_with(|| {
            self.ids.push(id);
            next
        })
    }

    /// The number of `id`, if it has one.
    pub(crate) fn find(&self, id: u64) -> Option<u32> {
        if id < DIRECT_IDS {
            return self.direct.get(id as usize).and_then(|&found| found.checked_sub(1));
        }
        self.sparse.get(&id).copied()
    }

    /// The ids, by number.
    pub(crate) fn ids(&self) -> &[u64] {
        &self.ids
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.direct.len() * 4 + self.ids.len() * 8 + self.sparse.capacity() * 16
    }
}
