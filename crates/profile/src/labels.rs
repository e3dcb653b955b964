//! Labels of monitoring points.

use crate::{LabelSetId, StringId, TextUse};

/// One label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Label {
    /// Key.
    pub key: StringId,
    /// Value.
    pub value: LabelValue,
}

/// The value of a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LabelValue {
    /// A text.
    Text(StringId),
    /// A number with its unit; the unit may be empty.
    Number(i64, StringId),
}

/// Label sets, as columns; set 0 is empty, no other is. Equal sets are mostly one. Sixteen bytes a
/// label.
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

    /// The key of every label of every set.
    pub fn all_keys(&self) -> &[StringId] {
        &self.key
    }

    /// How many sets there are, the empty one counted.
    #[expect(clippy::len_without_is_empty, reason = "never empty: set 0 always exists")]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        self.key.capacity() * 16 + self.ends.capacity() * 4
    }

    /// Gives each use of a string another one.
    pub(crate) fn rewrite(&mut self, rename: &mut impl FnMut(TextUse, &mut StringId)) {
        for index in 0..self.key.len() {
            rename(TextUse::LabelKey, &mut self.key[index]);
            let is_text = self.unit[index] == TEXT;
            let mut id =
                StringId(if is_text { self.value[index] as u32 } else { self.unit[index] });
            rename(if is_text { TextUse::LabelText } else { TextUse::Unit }, &mut id);
            if is_text {
                self.value[index] = id.0.into();
            } else {
                self.unit[index] = id.0;
            }
        }
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

/// Collects label sets. A set that came up lately is found again; samples of a thread or a request
/// come in runs, so this catches most repetition, and where every sample has a label of its own
/// it costs next to nothing.
#[derive(Debug)]
pub struct LabelSetsBuilder {
    sets: LabelSets,
    /// Sets seen lately: part of their hash, and the set; set 0 is none.
    recent: Vec<(u32, u32)>,
}

/// Entries of the table of recent sets (512 KiB).
const RECENT_SETS: usize = 1 << 16;

impl Default for LabelSetsBuilder {
    fn default() -> Self {
        LabelSetsBuilder {
            sets: LabelSets { key: vec![], unit: vec![], value: vec![], ends: vec![0] },
            recent: vec![],
        }
    }
}

impl LabelSetsBuilder {
    /// The id of a set.
    pub fn add(&mut self, labels: &[Label]) -> LabelSetId {
        if labels.is_empty() {
            return LabelSetId(0);
        }
        if self.recent.is_empty() {
            self.recent = vec![(0, 0); RECENT_SETS];
        }
        let hash = hash(labels);
        let slot = hash as usize & (RECENT_SETS - 1);
        let mark = (hash >> 32) as u32;
        let (found_mark, found) = self.recent[slot];
        if found != 0 && found_mark == mark && self.sets.equals(found, labels) {
            return LabelSetId(found);
        }
        let id = self.push(labels);
        self.recent[slot] = (mark, id.0);
        id
    }

    /// The id of a set with the labels of both; of a key that both have, those of the second.
    pub fn join(&mut self, first: LabelSetId, second: LabelSetId) -> LabelSetId {
        if first == LabelSetId(0) || first == second {
            return second;
        }
        let is_new = |label: &Label| !self.sets.get(second).any(|other| other.key == label.key);
        let both: Vec<Label> =
            self.sets.get(first).filter(is_new).chain(self.sets.get(second)).collect();
        self.add(&both)
    }

    /// Appends a set without looking whether it is known.
    ///
    /// # Panics
    /// If it is empty: set 0 is.
    pub fn push(&mut self, labels: &[Label]) -> LabelSetId {
        assert!(!labels.is_empty(), "only set 0 is empty");
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
        LabelSetId(id)
    }

    /// Renames every string, for readers that meet labels before the strings they name. Nothing
    /// must be interned afterwards.
    pub fn map_strings(&mut self, rename: impl Fn(StringId) -> StringId) {
        self.sets.map_strings(rename);
    }

    /// How many sets there are, with set 0.
    #[expect(clippy::len_without_is_empty, reason = "never empty: set 0 always exists")]
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Forgets all sets from number `len` on.
    pub(crate) fn truncate(&mut self, len: usize) {
        let sets = &mut self.sets;
        sets.ends.truncate(len);
        let labels = sets.ends[len - 1] as usize;
        sets.key.truncate(labels);
        sets.unit.truncate(labels);
        sets.value.truncate(labels);
        self.recent.clear();
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        self.sets.heap_bytes() + self.recent.capacity() * 8
    }

    /// The finished table.
    pub fn finish(self) -> LabelSets {
        self.sets
    }
}

fn hash(labels: &[Label]) -> u64 {
    labels.iter().fold(0, |state: u64, label| {
        let (unit, value) = match label.value {
            LabelValue::Text(text) => (TEXT, text.0.into()),
            LabelValue::Number(number, unit) => (unit.0, number as u64),
        };
        let word = u64::from(label.key.0) << 32 | u64::from(unit);
        let product = u128::from(state ^ word ^ value.rotate_left(17)) * 0x9e37_79b9_7f4a_7c15_u128;
        product as u64 ^ (product >> 64) as u64
    })
}
