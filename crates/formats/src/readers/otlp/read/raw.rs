//! The file as it stands: numbers that point into tables which may still be to come.

use crate::wire::{Fields, Payload, WireError};

/// The file as it stands.
#[derive(Default)]
pub(super) struct Raw {
    pub(super) tables: RawTables,
    /// Attributes of each resource.
    pub(super) resources: Vec<Vec<Attribute>>,
    pub(super) profiles: Vec<RawProfile>,
    pub(super) samples: Vec<RawSample>,
    pub(super) attributes: Vec<u64>,
    pub(super) values: Vec<i64>,
    pub(super) times: Vec<u64>,
    pub(super) producer: String,
    pub(super) skipped: Skipped,
    pub(super) bytes: usize,
}

/// The dictionary.
#[derive(Default)]
pub(super) struct RawTables {
    pub(super) is_there: bool,
    pub(super) strings: Vec<String>,
    pub(super) mappings: Vec<([u64; 4], Vec<u64>)>,
    pub(super) locations: Vec<RawLocation>,
    pub(super) functions: Vec<[u64; 4]>,
    pub(super) links: Vec<(String, String)>,
    pub(super) attribute_table: Vec<Attribute>,
    pub(super) stacks: Stacks,
}

/// Stacks one behind the other.
#[derive(Default)]
pub(super) struct Stacks {
    /// Of each stack, the leaf first.
    pub(super) locations: Vec<u64>,
    /// Where each ends in them.
    pub(super) ends: Vec<usize>,
}

impl Stacks {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The locations of a stack, the leaf first. Empty where there is no such stack.
    pub(super) fn get(&self, row: usize) -> &[u64] {
        let Some(&end) = self.ends.get(row) else { return &[] };
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.locations[start..end]
    }
}

/// How much of what is not shown there is.
#[derive(Default)]
pub(super) struct Skipped {
    pub(super) payloads: u64,
    pub(super) location_attributes: u64,
    /// Of a later version.
    pub(super) fields: u64,
}

#[derive(Default)]
pub(super) struct RawProfile {
    pub(super) kind: u64,
    pub(super) unit: u64,
    pub(super) time: u64,
    pub(super) duration: u64,
    pub(super) period: i64,
    pub(super) period_type: (u64, u64),
    pub(super) resource: usize,
    /// Where its samples start and end in `Raw::samples`.
    pub(super) samples: (usize, usize),
    pub(super) attributes: Vec<u64>,
}

#[derive(Default)]
pub(super) struct RawSample {
    pub(super) stack: u64,
    pub(super) link: u64,
    /// Ends in `Raw::{attributes, values, times}`; a sample's start is the end before.
    pub(super) attributes: usize,
    pub(super) values: usize,
    pub(super) times: usize,
}

#[derive(Default)]
pub(super) struct RawLocation {
    pub(super) mapping: u64,
    pub(super) address: u64,
    /// Function, line, column; the innermost function first.
    pub(super) lines: Vec<[u64; 3]>,
}

/// An attribute, its key and texts still as they stand in the file.
#[derive(Debug, Clone, Default)]
pub(super) struct Attribute {
    /// Index into the string table, or the text itself.
    pub(super) key: Text,
    pub(super) value: Value,
    pub(super) unit: u64,
}

#[derive(Debug, Clone)]
pub(super) enum Text {
    Index(u64),
    Own(String),
}

impl Default for Text {
    fn default() -> Self {
        Text::Index(0)
    }
}

#[derive(Debug, Clone, Default)]
pub(super) enum Value {
    #[default]
    Empty,
    Text(Text),
    Number(i64),
}

impl Raw {
    pub(super) fn text<'a>(&'a self, text: &'a Text) -> &'a str {
        match text {
            Text::Own(text) => text,
            Text::Index(index) => self.string(*index),
        }
    }

    pub(super) fn string(&self, index: u64) -> &str {
        usize::try_from(index)
            .ok()
            .and_then(|i| self.tables.strings.get(i))
            .map_or("", String::as_str)
    }

    /// The integer fields of a message by their numbers.
    pub(super) fn integers<const N: usize>(
        &mut self,
        bytes: &[u8],
        numbers: [u64; N],
    ) -> Result<[u64; N], WireError> {
        let mut found = [0; N];
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (numbers.iter().position(|&number| number == field), payload) {
                (Some(at), Payload::Varint(value)) => found[at] = value,
                _ => self.skipped.fields += 1,
            }
        }
        Ok(found)
    }
}
