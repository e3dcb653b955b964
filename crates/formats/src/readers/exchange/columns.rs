//! Columns of tables, and what may be wrong with them.

use super::schema::{points, values};
use crate::wire::{Fields, Payload, WireError, repeated};

/// What is wrong in a block.
pub(super) struct Fault {
    pub(super) offset: usize,
    pub(super) reason: String,
}

impl From<WireError> for Fault {
    fn from(error: WireError) -> Self {
        Fault { offset: error.offset, reason: error.reason.to_owned() }
    }
}

pub(super) fn fault<T>(reason: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { offset: 0, reason: reason.into() })
}

/// The columns of a table while it is read, kept to reuse their memory.
#[derive(Default)]
pub(super) struct Columns {
    pub(super) count: usize,
    /// By field number; a column that is not in the message is empty.
    pub(super) by_field: [Vec<u64>; 15],
    /// One column a metric.
    pub(super) values: Vec<Vec<u64>>,
}

impl Columns {
    /// Reads a message whose field 1 is the count and whose other fields are columns, up to the last
    /// one of `fields`. `doubles` are kept as their bits.
    pub(super) fn read(
        &mut self,
        bytes: &[u8],
        (fields, doubles): (u64, Option<u64>),
        unknown: &mut u64,
    ) -> Result<(), Fault> {
        self.count = 0;
        self.by_field.iter_mut().for_each(Vec::clear);
        let mut metrics = 0;
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (1, Payload::Varint(count)) => self.count = count as usize,
                (points::VALUES, Payload::Bytes(bytes)) if fields == points::CONTEXT_PLACE => {
                    if self.values.len() == metrics {
                        self.values.push(vec![]);
                    }
                    let column = &mut self.values[metrics];
                    column.clear();
                    let mut inner = Fields::new(bytes);
                    while let Some((field, payload)) = inner.next()? {
                        match field {
                            values::VALUE => repeated(payload, |value| column.push(value))?,
                            _ => *unknown += 1,
                        }
                    }
                    metrics += 1;
                }
                (field, Payload::Bytes(bytes)) if doubles == Some(field) => {
                    let column = &mut self.by_field[field as usize];
                    let (rows, rest) = bytes.as_chunks::<8>();
                    if !rest.is_empty() {
                        return fault("a packed number is cut short");
                    }
                    column.extend(rows.iter().map(|row| u64::from_le_bytes(*row)));
                }
                (2.., payload) if field <= fields => {
                    let column = &mut self.by_field[field as usize];
                    repeated(payload, |value| column.push(value))?;
                }
                _ => *unknown += 1,
            }
        }
        self.values.truncate(metrics);
        Ok(())
    }

    /// Checks that a column is empty or has `count` entries.
    pub(super) fn expect(&self, field: u64, count: usize, name: &str) -> Result<(), Fault> {
        match self.by_field[field as usize].len() {
            0 => Ok(()),
            len if len == count => Ok(()),
            len => fault(format!("the column {name} has {len} entries, not {count}")),
        }
    }

    pub(super) fn get(&self, field: u64, row: usize) -> u64 {
        self.by_field[field as usize].get(row).copied().unwrap_or(0)
    }

    pub(super) fn sum(&self, field: u64) -> usize {
        let total = self.by_field[field as usize].iter().fold(0u64, |a, &b| a.saturating_add(b));
        usize::try_from(total).unwrap_or(usize::MAX)
    }
}

/// A row number, checked against the length of its table.
pub(super) fn row(number: u64, len: usize, table: &str) -> Result<u32, Fault> {
    match usize::try_from(number) {
        Ok(index) if index < len => Ok(index as u32),
        _ => fault(format!("row {number} of the {table} is named, but there are {len}")),
    }
}

/// An optional row number.
pub(super) fn optional_row(plus_1: u64, len: usize, table: &str) -> Result<Option<u32>, Fault> {
    match plus_1 {
        0 => Ok(None),
        number => row(number - 1, len, table).map(Some),
    }
}

/// A number that must fit 32 bits: a line, a column, a processor.
pub(super) fn narrow(number: u64, what: &str) -> Result<u32, Fault> {
    u32::try_from(number).or_else(|_| fault(format!("{what} {number} is out of range")))
}

/// Rows that may stand in a block without a single column: all their entries are 0.
pub(super) const MOST_DEFAULT_ROWS: usize = 1 << 20;

/// Refuses a count that nothing in the message bears out, before rows are made of it.
pub(super) fn check_count(columns: &Columns) -> Result<(), Fault> {
    let mut all = columns.by_field.iter().chain(&columns.values);
    if all.any(|column| !column.is_empty()) || columns.count <= MOST_DEFAULT_ROWS {
        Ok(())
    } else {
        fault(format!("{} rows without a column", columns.count))
    }
}
