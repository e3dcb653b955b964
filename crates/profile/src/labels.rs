//! Labels of monitoring points.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

use crate::{LabelSetId, StringId};

/// One label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Label {
    /// Key.
    pub key: StringId,
    /// Value.
    pub value: LabelValue,
}

/// The value of a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LabelValue {
    /// A text.
    Text(StringId),
    /// A number with its unit; the unit may be empty.
    Number(i64, StringId),
}

/// Distinct label sets, as columns; set 0 is empty. Sixteen bytes a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelSets {
    key: Vec<StringId>,
    unit: Vec<u32>,
    value: Vec<i64>,
    ends: Vec<u32>,
}

/// In the column `unit`: the value is a text.
const TEXT: u32 = u32::MAX;

impl LabelSets {
    /// The labels of a set, in the order of the file.
    pub fn get(&self, set: LabelSetId) -> impl ExactSizeIterator<Item = Label> + '_ {
        let start = if set.0 == 0 { 0 } else { self.ends[set.index() - 1] };
        (start as usize..self.ends[set.index()] as usize).map(|i| self.label(i))
    }

    /// Every label of every set.
    pub fn all_labels(&self) -> impl ExactSizeIterator<Item = Label> + '_ {
        (0..self.key.len()).map(|i| self.label(i))
    }

    /// How many sets there are, the empty one counted.
    #[expect(clippy::len_without_is_empty, reason = "never empty: set 0 always exists")]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        self.key.len() * 16 + self.ends.len() * 4
    }

    fn map_strings(&mut self, rename: impl Fn(StringId) -> StringId) {
        for index in 0..self.key.len() {
            self.key[index] = rename(self.key[index]);
            if self.unit[index] == TEXT {
                self.value[index] = rename(StringId(self.value[index] as u32)).0.into();
            } else {
                self.unit[index] = rename(StringId(self.unit[index])).0;
            }
        }
    }

    fn label(&self, index: usize) -> Label {
        let value = match self.unit[index] {
            TEXT => LabelValue::Text(StringId(self.value[index] as u32)),
            unit => LabelValue::Number(self.value[index], StringId(unit)),
        };
        Label { key: self.key[index], value }
    }

    fn equals(&self, set: u32, labels: &[Label]) -> bool {
        self.get(LabelSetId(set)).eq(labels.iter().copied())
    }
}

/// Interns label sets.
#[derive(Debug)]
pub struct LabelSetsBuilder {
    sets: LabelSets,
    table: HashTable<u32>,
    seed: u64,
}

impl Default for LabelSetsBuilder {
    fn default() -> Self {
        LabelSetsBuilder {
            sets: LabelSets { key: vec![], unit: vec![], value: vec![], ends: vec![0] },
            table: HashTable::new(),
            seed: RandomState::new().hash_one(0u64),
        }
    }
}

impl LabelSetsBuilder {
    /// The id of a set, the same for equal labels in equal order.
    pub fn intern(&mut self, labels: &[Label]) -> LabelSetId {
        if labels.is_empty() {
            return LabelSetId(0);
        }
        let seed = self.seed;
        let hash = hash(seed, labels.iter().copied());
        let sets = &self.sets;
        if let Some(&found) = self.table.find(hash, |&id| sets.equals(id, labels)) {
            return LabelSetId(found);
        }
        let id = self.sets.ends.len() as u32;
        for label in labels {
            self.sets.key.push(label.key);
            let (unit, value) = match label.value {
                LabelValue::Text(text) => (TEXT, text.0.into()),
                LabelValue::Number(number, unit) => (unit.0, number),
            };
            self.sets.unit.push(unit);
            self.sets.value.push(value);
        }
        self.sets.ends.push(self.sets.key.len() as u32);
        let sets = &self.sets;
        self.table.insert_unique(hash, id, |&id| self::hash(seed, sets.get(LabelSetId(id))));
        LabelSetId(id)
    }

    /// Renames every string, for readers that meet labels before the strings they name. Nothing
    /// must be interned afterwards.
    pub fn map_strings(&mut self, rename: impl Fn(StringId) -> StringId) {
        self.sets.map_strings(rename);
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        self.sets.heap_bytes() + self.table.capacity() * 5
    }

    /// The finished table.
    pub fn finish(self) -> LabelSets {
        self.sets
    }
}

/// Folded multiplication, seeded so that no file can be made whose label sets all collide.
fn hash(seed: u64, labels: impl Iterator<Item = Label>) -> u64 {
    let mut state = seed;
    for label in labels {
        let (unit, value) = match label.value {
            LabelValue::Text(text) => (TEXT, text.0.into()),
            LabelValue::Number(number, unit) => (unit.0, number),
        };
        let word = u64::from(label.key.0) << 32 | u64::from(unit);
        let product = u128::from(state ^ word ^ 0x9e37_79b9_7f4a_7c15)
            * u128::from((value as u64) ^ state.rotate_left(29) | 1);
        state = product as u64 ^ (product >> 64) as u64;
    }
    (u128::from(state).wrapping_mul(0xd1b5_4a32_d192_ed03_8cb9_2ba7_2f3d_8dd7) >> 64) as u64
}
