//! Tables of numbers, written by column or as rows with a schema.

use profile::ProfileBuilder;

use crate::json::{Json, Kind};
use crate::numbers::decimal::Decimal;
use crate::{ReadError, ReadOptions};

/// Stands for a cell without a number.
pub(super) const NULL: i64 = i64::MIN;

/// More fields of a row are not looked at.
const MOST_FIELDS: usize = 64;

/// Rows before a schema: the cells of one after the other, and where each ends.
#[derive(Default)]
struct EarlyRows {
    cells: Vec<Option<Decimal>>,
    ends: Vec<usize>,
}

impl EarlyRows {
    /// Reads the rows at the cursor; says how many.
    fn read(
        &mut self,
        json: &mut Json,
        builder: &ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<u64, ReadError> {
        let mut count = 0;
        if !json.try_array()? {
            return Ok(count);
        }
        while json.next_element()? {
            count += 1;
            let start = self.cells.len();
            if json.try_array()? {
                while json.next_element()? {
                    if self.cells.len() - start < MOST_FIELDS {
                        self.cells.push(json.any_number()?);
                    }
                }
            }
            self.ends.push(self.cells.len());
            if count.is_multiple_of(1024) {
                let held = self.cells.capacity() * size_of::<Option<Decimal>>();
                options.check_memory(builder.heap_bytes() + held + self.ends.capacity() * 8)?;
            }
        }
        Ok(count)
    }
}

/// The columns of a table that are read; all as long as the file has them.
#[derive(Debug)]
pub(super) struct Table<const N: usize> {
    columns: [Vec<i64>; N],
    /// What the weights mean, in tables of samples.
    pub(super) weight_type: String,
    /// How many rows the file has, as far as a table of markers tells.
    pub(super) length: u64,
}

impl<const N: usize> Default for Table<N> {
    fn default() -> Self {
        Table { columns: std::array::from_fn(|_| vec![]), weight_type: String::new(), length: 0 }
    }
}

impl<const N: usize> Table<N> {
    /// Reads the table at the cursor: columns by their names, each with the decimals that are kept.
    pub(super) fn read(
        &mut self,
        json: &mut Json,
        names: &[(&str, u8); N],
        builder: &ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        if !json.try_object()? {
            return Ok(());
        }
        // By place in a row, the column.
        let mut schema: Option<Vec<Option<usize>>> = None;
        // Rows that come before it.
        let mut early = EarlyRows::default();
        while let Some(key) = json.next_key()? {
            match key {
                "schema" => {
                    if !json.try_object()? {
                        continue;
                    }
                    while let Some(key) = json.next_key()? {
                        let column = names.iter().position(|&(name, _)| name == key);
                        let place = json.u64()? as usize;
                        if place < MOST_FIELDS {
                            let schema = schema.get_or_insert_default();
                            schema.resize(schema.len().max(place + 1), None);
                            schema[place] = column;
                        }
                    }
                }
                "data" => match &schema {
                    Some(schema) => self.rows(json, names, schema, builder, options)?,
                    None => {
                        let rows = early.read(json, builder, options)?;
                        self.length = self.length.saturating_add(rows);
                    }
                },
                "weightType" => {
                    if json.kind()? == Kind::String {
                        json.string()?.clone_into(&mut self.weight_type);
                    }
                }
                "length" => {
                    if json.kind()? == Kind::Number {
                        self.length = json.u64()?;
                    }
                }
                key => {
                    let Some(column) = names.iter().position(|&(name, _)| name == key) else {
                        continue;
                    };
                    if json.kind()? != Kind::Array {
                        continue;
                    }
                    let held = builder.heap_bytes() + self.heap_bytes();
                    let (cells, decimals) = (&mut self.columns[column], names[column].1);
                    json.numbers(|number| {
                        cells.push(scaled(number, decimals));
                        match cells.len() % 4096 {
                            0 => options.check_memory(held + cells.capacity() * size_of::<i64>()),
                            _ => Ok(()),
                        }
                    })?;
                }
            }
        }
        self.take_early(&early, names, schema.as_deref().unwrap_or_default());
        Ok(())
    }

    /// Rows that were read before the schema said what is in them.
    fn take_early(&mut self, early: &EarlyRows, names: &[(&str, u8); N], schema: &[Option<usize>]) {
        if schema.iter().all(Option::is_none) {
            return;
        }
        let mut start = 0;
        for &end in &early.ends {
            self.columns.iter_mut().for_each(|column| column.push(NULL));
            for (cell, column) in early.cells[start..end].iter().zip(schema) {
                if let Some(column) = *column
                    && let Some(last) = self.columns[column].last_mut()
                {
                    *last = scaled(*cell, names[column].1);
                }
            }
            start = end;
        }
    }

    fn rows(
        &mut self,
        json: &mut Json,
        names: &[(&str, u8); N],
        schema: &[Option<usize>],
        builder: &ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        if !json.try_array()? {
            return Ok(());
        }
        while json.next_element()? {
            self.length = self.length.saturating_add(1);
            if schema.iter().all(Option::is_none) {
                continue;
            }
            self.columns.iter_mut().for_each(|column| column.push(NULL));
            if !json.try_array()? {
                continue;
            }
            let mut place = 0;
            while json.next_element()? {
                if let Some(&Some(column)) = schema.get(place)
                    && let Some(last) = self.columns[column].last_mut()
                {
                    *last = scaled(json.any_number()?, names[column].1);
                }
                place += 1;
            }
            if self.length.is_multiple_of(1024) {
                options.check_memory(builder.heap_bytes() + self.heap_bytes())?;
            }
        }
        Ok(())
    }

    /// A cell, if it is a number.
    pub(super) fn get(&self, column: usize, row: usize) -> Option<i64> {
        self.columns[column].get(row).copied().filter(|&cell| cell != NULL)
    }

    /// A cell that is a row of another table.
    pub(super) fn row(&self, column: usize, row: usize) -> Option<usize> {
        self.get(column, row).and_then(|cell| usize::try_from(cell).ok())
    }

    /// A cell that is a line or the like; 0 if it is none.
    pub(super) fn position(&self, column: usize, row: usize) -> u32 {
        self.get(column, row).and_then(|cell| u32::try_from(cell).ok()).unwrap_or(0)
    }

    /// Whether a column has any number.
    pub(super) fn has(&self, column: usize) -> bool {
        self.columns[column].iter().any(|&cell| cell != NULL)
    }

    /// Cells of the longest column.
    pub(super) fn len(&self) -> usize {
        self.columns.iter().map(Vec::len).max().unwrap_or(0)
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.columns.iter().map(|column| column.capacity() * 8).sum()
    }
}

pub(super) fn scaled(number: Option<Decimal>, decimals: u8) -> i64 {
    number.and_then(|number| number.to_scaled(decimals)).unwrap_or(NULL)
}
